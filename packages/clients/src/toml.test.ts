import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writtenToml } from "../test/written-text.ts";
import { parseClientDocument } from "./document.ts";
import { applyUndo } from "./edit.ts";
import { type EntryPlace, insertEntry, removeEntry, replaceEntry } from "./splice.ts";

const place: EntryPlace = {
  file: "config.toml",
  format: "toml",
  keyPath: ["mcp_servers"],
  name: "wt",
};
const entry = {
  url: "http://127.0.0.1:8717/mcp",
  http_headers: { Authorization: "Bearer abcdef" },
};
const runs = Number(process.env.FUZZ_RUNS ?? 60);

const block = [
  "[mcp_servers.wt]",
  'url = "http://127.0.0.1:8717/mcp"',
  'http_headers = { Authorization = "Bearer abcdef" }',
];

describe("an entry in TOML", () => {
  it.each([
    ["", `${block.join("\n")}\n`],
    ["\uFEFF", `\uFEFF${block.join("\n")}\n`],
    ["# mine", `# mine\n\n${block.join("\n")}`],
    ['model = "x" # c\n', `model = "x" # c\n\n${block.join("\n")}\n`],
    ["\uFEFF[a]\r\nb = 0x1F\r\n", `\uFEFF[a]\r\nb = 0x1F\r\n\r\n${block.join("\r\n")}\r\n`],
    ["[mcp_servers.a]\nurl = 'y'\n", `[mcp_servers.a]\nurl = 'y'\n\n${block.join("\n")}\n`],
    ["mcp_servers.a.url = 'y'\n", `mcp_servers.a.url = 'y'\n\n${block.join("\n")}\n`],
  ])("[G22] is a table at the end of %j", (text, written) => {
    const splice = insertEntry(text, place, entry);
    expect(splice.text).toBe(written);
    expect(applyUndo(splice.text, splice.undo)).toBe(text);
    expect(removeEntry(written, place).text).toBe(text);
  });

  it("[G22] goes with the tables below it, and the comments around it stay", () => {
    const text = [
      "# top",
      "[mcp_servers.wt.env]",
      "A = '1'",
      "",
      "# about b",
      "[b]",
      "",
      "[mcp_servers.wt] # ours",
      "url = 'x' # ours too",
      "# after",
      "[mcp_servers.wt.tools.t]",
      "on = true",
    ].join("\n");
    const rest = ["# top", "", "# about b", "[b]", "# after"].join("\n");
    expect(removeEntry(text, place).text).toBe(rest);
  });

  it("[G22] is replaced under its header, and its neighbours stay", () => {
    const text =
      "[mcp_servers.wt] # ours\nurl = 'old'\nx = [\n 1,\n] # c\n\n[mcp_servers.wt.env]\nA = '1'\n\n[b]\n";
    expect(replaceEntry(text, place, { url: "new" }).text).toBe(
      '[mcp_servers.wt] # ours\nurl = "new" # c\n\n[b]\n',
    );
    expect(replaceEntry("[mcp_servers.wt] # ours", place, { url: "new" }).text).toBe(
      '[mcp_servers.wt]\nurl = "new" # ours',
    );
  });

  it.each([
    "mcp_servers = { a = { url = 'x' } }\n",
    "mcp_servers = {}\n",
    "[[other]]\n[mcp_servers]\nb = { c = 1 }\n[[mcp_servers.a]]\nx = 1\n[[mcp_servers.wt2]]\n",
  ])(
    "[G22] is refused with the fragment where a table cannot be added, or is added: %j",
    (text) => {
      try {
        const splice = insertEntry(text, place, entry);
        expect(applyUndo(splice.text, splice.undo)).toBe(text);
      } catch (error) {
        expect(error).toMatchObject({ code: "UNSUPPORTED_FORM" });
        expect(error).toHaveProperty("fragment", expect.stringContaining("[mcp_servers.wt]"));
      }
    },
  );

  it.each([
    "mcp_servers.wt.url = 'x'\n",
    "mcp_servers = { wt = { url = 'x' } }\n",
    "[mcp_servers]\nwt = { url = 'x' }\n",
    "[mcp_servers]\nwt.url = 'x'\n[mcp_servers.wt.env]\nA = '1'\n",
  ])("[G22] of another form is neither replaced nor removed: %j", (text) => {
    for (const edit of [() => replaceEntry(text, place, entry), () => removeEntry(text, place)])
      expect(edit).toThrow(expect.objectContaining({ code: "UNSUPPORTED_FORM" }));
  });

  it.each([
    ["a = 1\na = 2\n", "DUPLICATE_KEY", "2:1"],
    ["[a]\n[b]\n[a]\n", "DUPLICATE_KEY", "3:2"],
    ["[mcp_servers.a]\nurl = 'x'\nurl = 'y'\n", "DUPLICATE_KEY", "3:1"],
    ["a = \n", "SYNTAX", "2:1"],
    ["\uFEFFé = 1\n", "SYNTAX", "1:1"],
    ["a = 'x\ny'", "SYNTAX", "1:7"],
    ["a = 1 b = 2", "SYNTAX", "1:7"],
  ])("[G22] %j is refused: %s at %s", (text, code, position) => {
    expect(() => insertEntry(text, place, entry)).toThrow(
      expect.objectContaining({
        code,
        message: expect.stringContaining(`config.toml:${position}: `),
      }),
    );
  });

  it.each([
    "mcp_servers = 1\n",
    "mcp_servers = []\n",
    "[[mcp_servers]]\n",
    "mcp_servers = 1979-05-27\n",
  ])("[G22] %j is refused, since no map of servers is there", (text) => {
    expect(() => insertEntry(text, place, entry)).toThrow(
      expect.objectContaining({ code: "NOT_A_MAP", place: expect.objectContaining({ line: 1 }) }),
    );
  });

  it("[G22] 100 levels are read and 101 are refused, as are 100,000", () => {
    const nested = (depth: number) => `a = ${"[".repeat(depth)}${"]".repeat(depth)}`;
    expect(parseClientDocument(nested(100), place).value).toHaveProperty("a");
    for (const depth of [101, 100_000])
      expect(() => parseClientDocument(nested(depth), place)).toThrow(
        expect.objectContaining({ code: "TOO_DEEP" }),
      );
  });

  it("is read as a key even where it is called __proto__, and prototypes stay as they are", () => {
    const { value } = parseClientDocument(
      "[__proto__]\npolluted = 1\n[a.__proto__.b]\nc = { __proto__ = 2 }\n",
      place,
    );
    expect(Object.keys(value)).toEqual(["__proto__", "a"]);
    expect({}).not.toHaveProperty("polluted");
  });

  it("reads dates, numbers, nested and quoted keys as TOML means them", () => {
    const text =
      "'a b'.\"c\" = [1, 0x1F, {d = nan}]\n[[e]]\nf = 1979-05-27T07:32:00Z\n[[e]]\n[e.g]\nh = '''x\ny'''\n";
    expect(parseClientDocument(text, place).value).toEqual({
      "a b": { c: [1, 31, { d: Number.NaN }] },
      e: [{ f: new Date("1979-05-27T07:32:00Z") }, { g: { h: "x\ny" } }],
    });
  });

  it("writes strings, keys and numbers that TOML needs quoted or escaped", () => {
    const odd = {
      "a b": 'q"\\\u0000\u007f\n\u00e9',
      n: 1.5,
      list: [1, true, { x: "y" }],
      none: {},
    };
    const { text } = insertEntry("", { ...place, name: "a.b" }, odd);
    expect(text.split("\n")).toEqual([
      '[mcp_servers."a.b"]',
      '"a b" = "q\\"\\\\\\u0000\\u007f\\n\u00e9"',
      "n = 1.5",
      'list = [1, true, { x = "y" }]',
      "none = {}",
      "",
    ]);
  });
});

describe("any text of TOML", () => {
  it("[G22] [P3] is the same bytes after an entry was added and taken back", () => {
    fc.assert(
      fc.property(writtenToml, (text) => {
        const { text: edited, undo } = insertEntry(text, place, entry);
        expect(parseClientDocument(edited, place).get(["mcp_servers", "wt"])).toEqual(entry);
        expect(applyUndo(edited, undo)).toBe(text);
        expect(removeEntry(edited, place).text).toBe(text);
      }),
      { numRuns: runs },
    );
  });

  it("[G22] [P3] leaves every byte of what was added since when the entry goes", () => {
    fc.assert(
      fc.property(writtenToml, (text) => {
        if (/^\uFEFF?$/.test(text)) return;
        const since = { ...place, name: "since" };
        const both = insertEntry(insertEntry(text, place, entry).text, since, { a: 1 }).text;
        expect(removeEntry(both, place).text).toBe(insertEntry(text, since, { a: 1 }).text);
      }),
      { numRuns: runs },
    );
  });
});
