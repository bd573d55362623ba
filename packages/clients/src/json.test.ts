import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writtenJson } from "../test/written-text.ts";
import { parseClientDocument } from "./document.ts";
import { applyUndo } from "./edit.ts";
import { ClientFileError } from "./error.ts";
import { type EntryPlace, insertEntry, removeEntry, replaceEntry } from "./splice.ts";

const place: EntryPlace = {
  file: "mcp.json",
  format: "jsonc",
  keyPath: ["mcpServers"],
  name: "wt",
};
const entry = { url: "http://127.0.0.1:8717/mcp", headers: { Authorization: "Bearer abcdef" } };
const runs = Number(process.env.FUZZ_RUNS ?? 60);

const insert = (text: string) => insertEntry(text, place, entry).text;

describe("an entry in JSON", () => {
  it("[G22] goes after the last one, with the indentation and the line ends of the file", () => {
    const text = '{\r\n\t"mcpServers": {\r\n\t\t"a": {}\r\n\t}\r\n}';
    expect(insert(text)).toBe(
      [
        "{",
        '\t"mcpServers": {',
        '\t\t"a": {},',
        '\t\t"wt": {',
        '\t\t\t"url": "http://127.0.0.1:8717/mcp",',
        '\t\t\t"headers": {',
        '\t\t\t\t"Authorization": "Bearer abcdef"',
        "\t\t\t}",
        "\t\t}",
        "\t}",
        "}",
      ].join("\r\n"),
    );
  });

  it("[G22] leaves a comment at the end of a line where it was", () => {
    const text = '{\n  "mcpServers": {\n    "a": {} // mine\n    // "b": {}\n  }\n}\n';
    const written = insert(text);
    expect(written).toContain('"a": {}, // mine\n    // "b": {}\n    "wt": {\n');
    expect(removeEntry(written, place).text).toBe(text);
  });

  it("[G22] keeps a trailing comma trailing", () => {
    const text = '{\n  "mcpServers": {\n    "a": {},\n  },\n}\n';
    const written = insert(text);
    expect(written).toContain("    },\n  },\n}\n");
    expect(removeEntry(written, place).text).toBe(text);
  });

  it("[G22] stays on the line of a file that is one line", () => {
    expect(insertEntry('{"mcpServers":{"a":{}}}', place, { a: 1, b: ["x", "y"] }).text).toBe(
      '{"mcpServers":{"a":{},"wt":{"a":1,"b":["x","y"]}}}',
    );
    expect(insertEntry('{ "mcpServers": { "a": {} } }\n', place, { a: 1 }).text).toBe(
      '{ "mcpServers": { "a": {}, "wt": {"a": 1} } }\n',
    );
    expect(insertEntry('{"a":1}', place, { b: 1 }).text).toBe(
      '{"a":1,"mcpServers":{"wt":{"b":1}}}',
    );
  });

  it.each([
    ["", '{\n  "mcpServers": {\n    "wt": {}\n  }\n}\n'],
    ["\uFEFF", '\uFEFF{\n  "mcpServers": {\n    "wt": {}\n  }\n}\n'],
    ["{}", '{\n  "mcpServers": {\n    "wt": {}\n  }\n}'],
    ["\uFEFF{ }\n", '\uFEFF{\n  "mcpServers": {\n    "wt": {}\n  }\n}\n'],
    ["// mine", '// mine\n{\n  "mcpServers": {\n    "wt": {}\n  }\n}'],
    ["{ // none\n}", '{ // none\n  "mcpServers": {\n    "wt": {}\n  }\n}'],
    ["{ /* none */ }", '{ /* none */\n  "mcpServers": {\n    "wt": {}\n  }\n }'],
  ])("[G22] is the first of %j", (text, written) => {
    const splice = insertEntry(text, place, {});
    expect(splice.text).toBe(written);
    expect(applyUndo(splice.text, splice.undo)).toBe(text);
  });

  it("[G22] is replaced where it stands, and its neighbours stay", () => {
    const text = '{"mcpServers": {\n  "wt": {"old": true}, // first\n  "b": 2\n}}';
    expect(replaceEntry(text, place, { url: "x" }).text).toBe(
      '{"mcpServers": {\n  "wt": {\n    "url": "x"\n  }, // first\n  "b": 2\n}}',
    );
  });

  it.each([
    ['{"mcpServers": {"wt": 1, "b": 2}}', '{"mcpServers": {"b": 2}}'],
    ['{"mcpServers": {"a": 1, "wt": 1, "b": 2}}', '{"mcpServers": {"a": 1, "b": 2}}'],
    ['{"mcpServers": {"a": 1, "wt": 1,}}', '{"mcpServers": {"a": 1,}}'],
    ['{"mcpServers": {"wt": 1,}}', '{"mcpServers": {}}'],
    [
      '{"mcpServers": {\n  "wt": 1 /* x */, // y\n  "b": 2\n}}',
      '{"mcpServers": {\n  /* x */ // y\n  "b": 2\n}}',
    ],
    ['{"mcpServers": {\n  // x\n  "wt": 1 }}', '{"mcpServers": {\n  // x\n  }}'],
    ['{"mcpServers": {\n  "a": 1\n  , "wt": 1\n}}', '{"mcpServers": {\n  "a": 1\n  \n}}'],
  ])("[G22] is removed from %j, and comments stay", (text, rest) => {
    expect(removeEntry(text, place).text).toBe(rest);
  });

  it.each(["json", "jsonc"] as const)(
    "[G22] a repeated key is refused in %s at any depth",
    (format) => {
      expect(() =>
        insertEntry('{"a": {"b": 1,\n"\\u0062": 2}}', { ...place, format }, entry),
      ).toThrow(
        expect.objectContaining({
          code: "DUPLICATE_KEY",
          message: "mcp.json:2:1: this key stands twice in one object; keep one",
        }),
      );
    },
  );

  it("[G22] a comment or trailing comma is refused where the client reads strict JSON", () => {
    const strict = { ...place, format: "json" } as const;
    for (const text of ["{} // no", '{"a": 1,}', "// no\n{}"])
      expect(() => insertEntry(text, strict, entry)).toThrow(
        expect.objectContaining({ code: "SYNTAX" }),
      );
  });

  it.each([
    "{",
    '{"a" 1}',
    "{'a': 1}",
    '{"a": 01}',
    '{"a": "\t"}',
    '{"a": NaN}',
    "{} {}",
    '{"a": "\\x"}',
  ])("[G22] %j is refused as no JSON, whichever client reads it", (text) => {
    for (const format of ["json", "jsonc"] as const)
      expect(() => insertEntry(text, { ...place, format }, entry)).toThrow(
        expect.objectContaining({ code: "SYNTAX" }),
      );
  });

  it("[G22] 100 levels are read and 101 are refused, as are 100,000", () => {
    const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`;
    expect(parseClientDocument(nested(100), place).value).toHaveProperty("a.a.a");
    for (const depth of [101, 100_000])
      expect(() => parseClientDocument(nested(depth), place)).toThrow(
        expect.objectContaining({ code: "TOO_DEEP" }),
      );
  });

  it("keeps a key __proto__ a key", () => {
    const { value } = parseClientDocument('{"__proto__": {"a": 1}}', place);
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect(insert('{"__proto__": {"a": 1}}')).toContain('"__proto__": {"a": 1}');
  });
});

describe.each(["json", "jsonc"] as const)("any text of %s", (format) => {
  const where = { ...place, format };
  const foreign = fc.dictionary(fc.constantFrom("s", "t", "u"), fc.jsonValue({ maxDepth: 2 }));
  const filled = foreign.filter((servers) => Object.keys(servers).length > 0);

  it("[G22] [P3] is the same bytes after an entry was added and taken back", () => {
    fc.assert(
      fc.property(writtenJson(format, foreign), (text) => {
        const { text: edited, undo } = insertEntry(text, where, entry);
        expect(parseClientDocument(edited, where).get(["mcpServers", "wt"])).toEqual(entry);
        expect(applyUndo(edited, undo)).toBe(text);
      }),
      { numRuns: runs },
    );
  });

  it("[G22] [P3] loses only the entry when others were added since", () => {
    fc.assert(
      fc.property(writtenJson(format, foreign), (text) => {
        const withOther = insertEntry(text, where, { a: 1 }).text;
        const both = insertEntry(withOther, { ...where, name: "other" }, entry).text;
        const left = parseClientDocument(removeEntry(both, where).text, where);
        const { mcpServers, ...rest } = parseClientDocument(text, where).value;
        expect(left.value).toEqual({
          ...rest,
          mcpServers: { ...(mcpServers as object), other: entry },
        });
      }),
      { numRuns: runs },
    );
  });

  it("[G22] [P3] leaves every byte of an edit elsewhere when the entry goes", () => {
    fc.assert(
      fc.property(writtenJson(format, filled), (text) => {
        if (parseClientDocument(text, where).get(["mcpServers"]) === undefined) return;
        const elsewhere = { ...where, keyPath: ["elsewhere"] } as const;
        const both = insertEntry(insertEntry(text, where, entry).text, elsewhere, entry).text;
        expect(removeEntry(both, where).text).toBe(insertEntry(text, elsewhere, entry).text);
      }),
      { numRuns: runs },
    );
  });

  it("[G22] [P3] without the entry is the same bytes, whether or not the undo is known", () => {
    fc.assert(
      fc.property(writtenJson(format, filled), (text) => {
        if (parseClientDocument(text, where).get(["mcpServers"]) === undefined) return;
        expect(removeEntry(insertEntry(text, where, entry).text, where).text).toBe(text);
      }),
      { numRuns: runs },
    );
  });
});

it("ClientFileError is what every refusal is", () => {
  expect(() => insert("[]")).toThrow(ClientFileError);
});
