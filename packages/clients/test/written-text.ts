import fc from "fast-check";
import type { ClientRow } from "../src/row.ts";

/** White space and comments as they may stand between two tokens. */
const gap = (format: "json" | "jsonc", eol: string) => {
  const space = fc.constantFrom(
    "",
    " ",
    "  ",
    "\t",
    eol,
    `${eol}  `,
    `${eol}\t\t`,
    ` ${eol}${eol} `,
  );
  const comment = fc.constantFrom("", "/* c */", `// c, "d": {${eol}`, `/* c${eol} */`);
  if (format === "json") return space;
  return fc.tuple(space, comment, space).map((parts) => parts.join(""));
};

/** JSON documents in any spacing, with comments and trailing commas where the format has them. `key` holds the servers. */
export const writtenJson = (
  format: "json" | "jsonc",
  servers: fc.Arbitrary<Record<string, unknown>>,
  key = "mcpServers",
): fc.Arbitrary<string> =>
  fc
    .record({
      before: fc.dictionary(fc.constantFrom("a", "b", "\u00e9"), fc.jsonValue({ maxDepth: 2 })),
      servers: fc.option(servers, { nil: undefined }),
      after: fc.dictionary(fc.constantFrom("y", "z"), fc.jsonValue({ maxDepth: 2 })),
      eol: fc.constantFrom("\n", "\r\n"),
      mark: fc.constantFrom("", "\uFEFF"),
      end: fc.boolean(),
    })
    .chain(({ before, servers, after, eol, mark, end }) => {
      const value = { ...before, ...(servers && { [key]: servers }), ...after };
      const gaps = fc.infiniteStream(gap(format, eol));
      const trailing = fc.infiniteStream(format === "json" ? fc.constant(false) : fc.boolean());
      return fc.tuple(gaps, trailing).map(([spaces, commas]) => {
        const text = writeJson(
          value,
          () => spaces.next().value!,
          () => commas.next().value!,
        );
        return mark + text + (end ? eol : "");
      });
    });

function writeJson(value: unknown, space: () => string, comma: () => boolean): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isArray = Array.isArray(value);
  const parts = Object.entries(value).map(([key, part]) => {
    const written = writeJson(part, space, comma);
    return (
      space() + (isArray ? "" : `${JSON.stringify(key)}${space()}:${space()}`) + written + space()
    );
  });
  const tail = parts.length > 0 && comma() ? `,${space()}` : "";
  const inner = parts.length > 0 ? parts.join(",") + tail : space();
  return isArray ? `[${inner}]` : `{${inner}}`;
}

/** TOML documents of tables, comments and values, in any spacing. */
export const writtenToml: fc.Arbitrary<string> = fc
  .record({
    mark: fc.constantFrom("", "\uFEFF"),
    eol: fc.constantFrom("\n", "\r\n"),
    end: fc.boolean(),
    tables: fc.uniqueArray(
      fc.constantFrom("a", "b", "mcp_servers.s", "mcp_servers.t", "mcp_servers"),
      {
        maxLength: 4,
      },
    ),
    lines: fc.infiniteStream(
      fc.constantFrom(
        ["# [mcp_servers.wt]", ""],
        [""],
        ["  key = 'x'  # c"],
        ["key = [", "  1, # one", "  ]"],
        ['key = """', "[no.table]", '"""', "\t"],
        ["key.deep = { a = 0x1F, b = 20.0 }", "", ""],
        [],
      ),
    ),
  })
  .map(({ mark, eol, end, tables, lines }) => {
    const next = () => lines.next().value!;
    const all = [...next(), ...tables.flatMap((table) => [`[${table}]`, ...next()])];
    return mark + all.join(eol) + (end ? eol : "");
  });

/** YAML documents of block maps, comments and odd values, in any indentation. */
export const writtenYaml: fc.Arbitrary<string> = fc
  .record({
    mark: fc.constantFrom("", "\uFEFF"),
    eol: fc.constantFrom("\n", "\r\n"),
    end: fc.boolean(),
    indent: fc.constantFrom(1, 2, 4),
    root: fc.uniqueArray(fc.constantFrom("a", "b", "extensions", "z"), { maxLength: 4 }),
    servers: fc.uniqueArray(fc.constantFrom("s", "t", "u"), { maxLength: 3 }),
    values: fc.infiniteStream(
      fc.constantFrom(
        [" 1"],
        [" 'x: y' # c"],
        [" {p: 1, q: [2]}"],
        ["   # c", "x: 1", "", "# d", "y: 2"],
        [" >", "folded", "text", ""],
        [" |-", "kept", ""],
        ["", "- 1", "- m: 2", "  n: 3", ""],
        [" &anchor long", "plain text", "# e"],
      ),
    ),
    between: fc.infiniteStream(fc.constantFrom([], [], [""], ["# c: 1"], ["", "    # d"])),
  })
  .map(({ mark, eol, end, indent, root, servers, values, between }) => {
    const pad = (lines: string[]) =>
      lines.map((line) => (line === "" ? line : " ".repeat(indent) + line));
    const member = (key: string): string[] => {
      const [first, ...rest] = values.next().value!;
      return [`${key}:${first}`, ...pad(rest)];
    };
    const lines = root.flatMap((key) => {
      if (key !== "extensions") return [...member(key), ...between.next().value!];
      const inner = servers.flatMap((server) => [...member(server), ...between.next().value!]);
      return [`extensions:${servers.length > 0 ? "" : " {}"}`, ...pad(inner)];
    });
    return mark + lines.join(eol).replaceAll("&anchor", "") + (end ? eol : "");
  });

/** YAML documents with a list of named servers below `mcpServers`, in any indentation. */
export const writtenYamlList: fc.Arbitrary<string> = fc
  .record({
    mark: fc.constantFrom("", "\uFEFF"),
    eol: fc.constantFrom("\n", "\r\n"),
    end: fc.boolean(),
    indent: fc.constantFrom(0, 1, 2, 4),
    gap: fc.constantFrom(" ", "   "),
    keys: fc.uniqueArray(fc.constantFrom("a", "mcpServers", "z"), { maxLength: 3 }),
    servers: fc.uniqueArray(fc.constantFrom("s", "t", "'u v'"), { maxLength: 3 }),
    none: fc.constantFrom("", " []", " [ ] # none", " # none"),
    values: fc.infiniteStream(
      fc.constantFrom(
        ["url: x"],
        ["args:", "- 1", "- '2' # two"],
        ["env: {A: b} # c"],
        ["headers:", "  X: |", "    text", ""],
      ),
    ),
    between: fc.infiniteStream(fc.constantFrom([], [], [""], ["# c"])),
  })
  .map(({ mark, eol, end, indent, gap, keys, servers, none, values, between }) => {
    const item = (name: string): string[] => {
      const [first, ...rest] = [`name: ${name}`, ...values.next().value!];
      const inner = rest.map((line) => (line === "" ? line : ` ${gap}${line}`));
      return [`-${gap}${first}`, ...inner, ...between.next().value!];
    };
    const pad = (line: string) => (line === "" ? line : " ".repeat(indent) + line);
    const lines = keys.flatMap((key) => {
      if (key !== "mcpServers") return [`${key}: 1`, ...between.next().value!];
      if (servers.length === 0) return [`mcpServers:${none}`];
      return ["mcpServers:", ...servers.flatMap(item).map(pad)];
    });
    return mark + lines.join(eol) + (end ? eol : "");
  });

/** Files as the client of a row may have them. */
export function writtenFor({ format, keyPath, listedBy }: ClientRow): fc.Arbitrary<string> {
  if (format === "toml") return writtenToml;
  if (format === "yaml") return listedBy === undefined ? writtenYaml : writtenYamlList;
  const servers = fc.dictionary(fc.constantFrom("s", "t"), fc.jsonValue({ maxDepth: 2 }));
  return writtenJson(format, servers, keyPath[0]);
}
