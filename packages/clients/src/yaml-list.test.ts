import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writtenYamlList } from "../test/written-text.ts";
import { parseClientDocument } from "./document.ts";
import { applyUndo } from "./edit.ts";
import {
  type EntryPlace,
  insertEntry,
  removeEntry,
  renderFragment,
  replaceEntry,
} from "./splice.ts";

const place: EntryPlace = {
  file: "config.yaml",
  format: "yaml",
  keyPath: ["mcpServers"],
  name: "wt",
  listedBy: "name",
};
const entry = { name: "wt", url: "http://127.0.0.1:8717/mcp" };
const preamble = { name: "x", schema: "v1" };
const runs = Number(process.env.FUZZ_RUNS ?? 60);

describe("an entry in a list of YAML", () => {
  it.each([
    ["", "mcpServers:\n  - name: wt\n    a: 1\n"],
    ["# mine", "# mine\nmcpServers:\n  - name: wt\n    a: 1"],
    ["b: 1\r\n", "b: 1\r\nmcpServers:\r\n  - name: wt\r\n    a: 1\r\n"],
    ["mcpServers:\n", "mcpServers:\n  - name: wt\n    a: 1\n"],
    ["mcpServers: [] # none\n", "mcpServers: # none\n  - name: wt\n    a: 1\n"],
    ["mcpServers:\n- name: x\nb: 2\n", "mcpServers:\n- name: x\n- name: wt\n  a: 1\nb: 2\n"],
    [
      "mcpServers:\n    -   name: x # mine\n        b: [1]\n\n# next\nb: 2",
      "mcpServers:\n    -   name: x # mine\n        b: [1]\n    - name: wt\n      a: 1\n\n# next\nb: 2",
    ],
    [
      "mcpServers:\n  - uses: hub/block\n  - {name: x}\n",
      "mcpServers:\n  - uses: hub/block\n  - {name: x}\n  - name: wt\n    a: 1\n",
    ],
  ])("[G22] is added to %j", (text, written) => {
    const splice = insertEntry(text, place, { name: "wt", a: 1 });
    expect(splice.text).toBe(written);
    expect(applyUndo(splice.text, splice.undo)).toBe(text);
  });

  it.each([
    ["", "name: x\nschema: v1\nmcpServers:\n  - name: wt\n    a: 1\n"],
    ["# mine\n", "# mine\nname: x\nschema: v1\nmcpServers:\n  - name: wt\n    a: 1\n"],
    ["name: y\n", "name: y\nmcpServers:\n  - name: wt\n    a: 1\n"],
  ])(
    "[G21] comes with what a new file begins with, into a blank one alone: %j",
    (text, written) => {
      const splice = insertEntry(text, place, { name: "wt", a: 1 }, preamble);
      expect(splice.text).toBe(written);
      expect(applyUndo(splice.text, splice.undo)).toBe(text);
    },
  );

  it("[G22] is replaced where it stands, and its neighbours stay", () => {
    const text = "mcpServers:\n  - name: wt\n    a: 1 # old\n  # about x\n  - name: x";
    expect(replaceEntry(text, place, { name: "wt", b: "yes" }).text).toBe(
      'mcpServers:\n  - name: wt\n    b: "yes"\n  # about x\n  - name: x',
    );
  });

  it.each([
    ["mcpServers:\n  - name: wt\n    a: 1\n  - name: x\n", "mcpServers:\n  - name: x\n"],
    ["mcpServers:\n  - name: x\n  - name: wt", "mcpServers:\n  - name: x"],
    ["mcpServers: # c\n  - name: wt\n# d\n", "mcpServers: [] # c\n# d\n"],
  ])("[G22] is removed from %j, and the list stays", (text, left) => {
    expect(removeEntry(text, place).text).toBe(left);
  });

  it("[G22] is read by its name, as in a map", () => {
    const text = "mcpServers:\n  - name: x\n  - 1\n  - name: 2\n  - name: wt\n    url: u\n";
    const { get, value } = parseClientDocument(text, place);
    expect(get(["mcpServers", "wt"])).toEqual({ name: "wt", url: "u" });
    expect(Object.keys(value.mcpServers as object).length).toBe(4);
    expect(parseClientDocument(renderFragment(place, entry), place).get(["mcpServers"])).toEqual({
      wt: entry,
    });
  });

  it.each([
    ["mcpServers: {}", "NOT_A_MAP", "config.yaml mcpServers: must be a list of entries"],
    ["mcpServers: 1", "NOT_A_MAP", "config.yaml mcpServers: must be a list of entries"],
    [
      "mcpServers:\n  - name: x\n  - name: x\n",
      "DUPLICATE_KEY",
      "config.yaml:3:5 mcpServers: two entries have this name; keep one",
    ],
    ["mcpServers:\n  - name: wt\n", "ENTRY_EXISTS", "config.yaml:2:5 mcpServers.wt: already has"],
    ["mcpServers: [{name: x}]", "UNSUPPORTED_FORM", "config.yaml:1:13 mcpServers: is not written"],
    ["mcpServers:\n  -\n    name: x\n", "UNSUPPORTED_FORM", "config.yaml:2:3 mcpServers: is not"],
    ["a: &l\n  - name: x\nmcpServers: *l\n", "UNSUPPORTED_FORM", "is not written with each key"],
  ])("[G22] is refused in %j", (text, code, message) => {
    expect(() => insertEntry(text, place, entry)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });

  it("[G22] is not touched where its dash stands elsewhere", () => {
    const text = "mcpServers:\n  - # mine\n    name: wt\n";
    expect(() => removeEntry(text, place)).toThrow(
      expect.objectContaining({ code: "UNSUPPORTED_FORM" }),
    );
  });
});

describe("any list of YAML", () => {
  it("[G22] [P3] is the same bytes after an entry was added and taken back", () => {
    fc.assert(
      fc.property(writtenYamlList, (text) => {
        const { text: edited, undo } = insertEntry(text, place, entry);
        expect(parseClientDocument(edited, place).get(["mcpServers", "wt"])).toEqual(entry);
        expect(applyUndo(edited, undo)).toBe(text);
        if (/mcpServers:\r?\n *-/.test(text)) expect(removeEntry(edited, place).text).toBe(text);
      }),
      { numRuns: runs },
    );
  });

  it("[G22] [P3] keeps what was added since when the entry goes", () => {
    fc.assert(
      fc.property(writtenYamlList, (text) => {
        const since = { ...place, name: "since" };
        const added = { name: "since", a: 1 };
        const both = insertEntry(insertEntry(text, place, entry).text, since, added).text;
        const left = parseClientDocument(removeEntry(both, place).text, place);
        expect(left.value).toEqual(
          parseClientDocument(insertEntry(text, since, added).text, place).value,
        );
      }),
      { numRuns: runs },
    );
  });
});
