import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writtenYaml } from "../test/written-text.ts";
import { parseClientDocument } from "./document.ts";
import { applyUndo } from "./edit.ts";
import { ClientFileError } from "./error.ts";
import { type EntryPlace, insertEntry, removeEntry, replaceEntry } from "./splice.ts";

const place: EntryPlace = {
  file: "config.yaml",
  format: "yaml",
  keyPath: ["extensions"],
  name: "wt",
};
const entry = { uri: "http://127.0.0.1:8717/mcp", headers: { Authorization: "Bearer abcdef" } };
const runs = Number(process.env.FUZZ_RUNS ?? 60);

describe("an entry in YAML", () => {
  it.each([
    ["", "extensions:\n  wt:\n    a: 1\n"],
    ["\uFEFF", "\uFEFFextensions:\n  wt:\n    a: 1\n"],
    ["# mine", "# mine\nextensions:\n  wt:\n    a: 1"],
    ["b: 1\r\n", "b: 1\r\nextensions:\r\n  wt:\r\n    a: 1\r\n"],
    ["b: 1", "b: 1\nextensions:\n  wt:\n    a: 1"],
    ["extensions:\n", "extensions:\n  wt:\n    a: 1\n"],
    ["extensions:", "extensions:\n  wt:\n    a: 1"],
    ["extensions: # none\nb: 1\n", "extensions: # none\n  wt:\n    a: 1\nb: 1\n"],
    ["extensions: {} # none\n", "extensions: # none\n  wt:\n    a: 1\n"],
    ["b:\n    c: 1\nextensions: { }\n", "b:\n    c: 1\nextensions:\n    wt:\n        a: 1\n"],
    [
      "extensions:\n  x: 1 # mine\n\n# next\nb: 2\n",
      "extensions:\n  x: 1 # mine\n  wt:\n    a: 1\n\n# next\nb: 2\n",
    ],
    [
      "extensions:\n  x:\n    - 1\n    - y: |\n        text\n\n\n  # z:\nb: 2\n",
      "extensions:\n  x:\n    - 1\n    - y: |\n        text\n  wt:\n    a: 1\n\n\n  # z:\nb: 2\n",
    ],
    [
      "---\nextensions:\n  x: &a {b: 1}\n...\n",
      "---\nextensions:\n  x: &a {b: 1}\n  wt:\n    a: 1\n...\n",
    ],
  ])("[G22] is added to %j", (text, written) => {
    const splice = insertEntry(text, place, { a: 1 });
    expect(splice.text).toBe(written);
    expect(applyUndo(splice.text, splice.undo)).toBe(text);
  });

  it("[G22] is replaced where it stands, and its neighbours stay", () => {
    const text = "extensions:\n  wt: {a: 1} # old\n  # about x\n  x: 2";
    expect(replaceEntry(text, place, { b: "yes" }).text).toBe(
      'extensions:\n  wt:\n    b: "yes"\n  # about x\n  x: 2',
    );
    expect(replaceEntry("extensions:\r\n  wt: 1", place, { b: 1 }).text).toBe(
      "extensions:\r\n  wt:\r\n    b: 1",
    );
  });

  it.each([
    ["extensions:\n  wt:\n    a: 1\n  x: 2\n", "extensions:\n  x: 2\n"],
    ["extensions:\n  x: 2\n  wt:\n    a: 1", "extensions:\n  x: 2"],
    ["extensions: # c\n  # d\n  wt: 1\nb: 2\n", "extensions: {} # c\n  # d\nb: 2\n"],
  ])("[G22] is removed from %j, and comments and the map stay", (text, rest) => {
    expect(removeEntry(text, place).text).toBe(rest);
  });

  it.each([
    ["a: 1\na: 2\n", "DUPLICATE_KEY"],
    ["a:\n  - b: 1\n    b: 2\n", "DUPLICATE_KEY"],
    ["a: b: c\n", "SYNTAX"],
    ["a: 1\n---\nb: 1\n", "SYNTAX"],
    ["a: [1\n", "SYNTAX"],
    ["- a\n", "NOT_A_MAP"],
    ["text\n", "NOT_A_MAP"],
    ["extensions: 1\n", "NOT_A_MAP"],
    ["extensions: []\n", "NOT_A_MAP"],
    ["{a: 1}\n", "UNSUPPORTED_FORM"],
    ["extensions: {x: 1}\n", "UNSUPPORTED_FORM"],
    ["extensions: {\n  # x\n}\n", "UNSUPPORTED_FORM"],
    ["extensions: ~\n", "UNSUPPORTED_FORM"],
    ["x: &m {y: 1}\nextensions: *m\n", "UNSUPPORTED_FORM"],
  ])("[G22] is refused with the fragment in %j: %s", (text, code) => {
    const refused = expect.objectContaining({ code, fragment: expect.stringContaining("wt:\n") });
    expect(() => insertEntry(text, place, entry)).toThrow(refused);
  });

  it.each(["{extensions: {wt: {}, x: 1}}\n", "extensions: {wt: {}, x: 1}\n"])(
    "[G22] in braces is neither replaced nor removed: %j",
    (text) => {
      for (const edit of [() => replaceEntry(text, place, entry), () => removeEntry(text, place)])
        expect(edit).toThrow(expect.objectContaining({ code: "UNSUPPORTED_FORM" }));
    },
  );

  it("[G22] 100 levels are read and 101 are refused, as are 100,000", () => {
    const nested = (depth: number) => `{a: ${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
    expect(parseClientDocument(nested(100), place).value).toHaveProperty("a");
    for (const depth of [101, 100_000])
      expect(() => parseClientDocument(nested(depth), place)).toThrow(
        expect.objectContaining({ code: "TOO_DEEP" }),
      );
  });

  it("[G22] says where a file does not parse", () => {
    expect(() => parseClientDocument("a: 1\nb: [\n", place)).toThrow(
      /^config\.yaml:\d+:\d+: is|^config/,
    );
  });
});

describe("any text of YAML", () => {
  it("[G22] [P3] is the same bytes after an entry was added and taken back, or is refused", () => {
    let edits = 0;
    fc.assert(
      fc.property(writtenYaml, (text) => {
        const splice = attempt(() => insertEntry(text, place, entry));
        if (splice === undefined) return;
        edits++;
        expect(parseClientDocument(splice.text, place).get(["extensions", "wt"])).toEqual(entry);
        expect(applyUndo(splice.text, splice.undo)).toBe(text);
        if (!/^\uFEFF?extensions:\s*s|\nextensions:\r?\n/.test(text)) return;
        expect(removeEntry(splice.text, place).text).toBe(text);
      }),
      { numRuns: runs },
    );
    expect(edits).toBeGreaterThan(runs / 2);
  });

  it("[G22] [P3] leaves every byte of what was added since when the entry goes", () => {
    fc.assert(
      fc.property(writtenYaml, (text) => {
        const since = { ...place, keyPath: ["since"] } as const;
        const both = attempt(() =>
          insertEntry(insertEntry(text, place, entry).text, since, { a: 1 }),
        );
        if (both === undefined || !/(^\uFEFF?|\n)extensions:\r?\n/.test(text)) return;
        expect(removeEntry(both.text, place).text).toBe(insertEntry(text, since, { a: 1 }).text);
      }),
      { numRuns: runs },
    );
  });
});

function attempt<T>(edit: () => T): T | undefined {
  try {
    return edit();
  } catch (error) {
    if (error instanceof ClientFileError && error.code === "UNSUPPORTED_FORM") return undefined;
    throw error;
  }
}
