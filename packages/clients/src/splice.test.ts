import { describe, expect, it } from "vitest";
import { parseClientDocument } from "./document.ts";
import { applyUndo } from "./edit.ts";
import { ClientFileError, clientFileErrors } from "./error.ts";
import type { ClientFormat } from "./row.ts";
import {
  type EntryPlace,
  insertEntry,
  removeEntry,
  renderFragment,
  replaceEntry,
} from "./splice.ts";

const place = (format: ClientFormat): EntryPlace => ({
  file: "/home/ada/file",
  format,
  keyPath: ["servers"],
  name: "wt",
});
const entry = { url: "http://127.0.0.1:8717/mcp", headers: { Authorization: "Bearer abcdef" } };

const withEntry: Readonly<Record<ClientFormat, string>> = {
  json: '{"a": 1,\n "servers": {"wt": {"url": "x"}}}',
  jsonc: '{"a": 1,\n "servers": {"wt": {"url": "x"}}}',
  toml: 'a = 1\n[servers.wt]\nurl = "x"\n',
  yaml: "a: 1\nservers:\n  wt:\n    url: x\n",
};
const formats = Object.keys(withEntry) as ClientFormat[];

describe.each(formats)("%s", (format) => {
  const where = place(format);
  const text = withEntry[format];

  it("[G22] [S23] an entry of the same name is refused with its place and the masked fragment", () => {
    try {
      insertEntry(text, where, entry);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(ClientFileError);
      const { code, message, fragment } = error as ClientFileError;
      expect(code).toBe("ENTRY_EXISTS");
      expect(message).toMatch(
        /^\/home\/ada\/file:[23]:\d+ servers\.wt: already has an entry of this name$/,
      );
      expect(parseClientDocument(fragment!, where).get(["servers", "wt"])).toEqual({
        ...entry,
        headers: { Authorization: "Bearer [redacted]" },
      });
    }
  });

  it("[G22] an entry that is not there is neither replaced nor removed", () => {
    const missing = { ...where, name: "other" };
    for (const edit of [() => replaceEntry(text, missing, entry), () => removeEntry(text, missing)])
      expect(edit).toThrow(
        expect.objectContaining({
          code: "ENTRY_MISSING",
          message: "/home/ada/file servers.other: has no entry of this name",
        }),
      );
  });

  it("[G22] replacing and removing are undone to the byte, too", () => {
    for (const { text: edited, undo } of [
      replaceEntry(text, where, entry),
      removeEntry(text, where),
    ]) {
      expect(edited).not.toBe(text);
      expect(applyUndo(edited, undo)).toBe(text);
    }
  });

  it("[G22] [P3] the same entry again is the same text, so that nothing is written", () => {
    const once = replaceEntry(text, where, entry).text;
    expect(replaceEntry(once, where, entry).text).toBe(once);
  });

  it("[S24] a fragment is a document with the entry and nothing else", () => {
    const fragment = renderFragment(where, entry);
    expect(parseClientDocument(fragment, where).value).toEqual({ servers: { wt: entry } });
    expect(fragment).toMatch(/[^\n]\n$/);
  });

  it("[G22] a name and a key path of any characters are keys, never syntax", () => {
    const odd = { ...where, keyPath: ["amp.servers", 'q"\\'], name: "a b.c: #'\u00e9" } as const;
    const { text: edited } = insertEntry(text, odd, entry);
    expect(parseClientDocument(edited, odd).get([...odd.keyPath, odd.name])).toEqual(entry);
    expect(
      parseClientDocument(removeEntry(edited, odd).text, odd).get(["servers", "wt", "url"]),
    ).toBe("x");
  });

  it("[S23] a map on the way can be removed like an entry", () => {
    const legacy = { ...where, keyPath: ["mcp", "servers"] } as const;
    const { text: nested } = insertEntry(
      insertEntry("", legacy, { a: 1 }).text,
      { ...where, keyPath: ["mcp"] },
      { b: 2 },
    );
    const { text: left } = removeEntry(removeEntry(nested, legacy).text, {
      ...where,
      keyPath: ["mcp"],
    });
    const mcp = parseClientDocument(left, where).get(["mcp"]);
    expect(mcp === undefined || Object.keys(mcp as object).length <= 1).toBe(true);
  });
});

it.each([
  ["json", "[]"],
  ["json", "1"],
  ["json", "null"],
  ["json", '"text"'],
  ["json", '{"servers": null}'],
  ["json", '{"servers": [{"wt": 1}]}'],
  ["jsonc", '{"servers": "x"} // c'],
] as const)("[G22] [S23] %s %s is refused, since no map is there", (format, text) => {
  expect(() => insertEntry(text, place(format), entry)).toThrow(
    expect.objectContaining({ code: "NOT_A_MAP", place: expect.objectContaining({ line: 1 }) }),
  );
});

it("[G22] [W9] an error names its place in code points, without the byte order mark, and no value", () => {
  const text = '\uFEFF{"\u{1F600}": 1, "servers": "s3cret"}';
  expect(() => insertEntry(text, place("json"), entry)).toThrow(
    expect.objectContaining({
      message: "/home/ada/file:1:21 servers: must be a map of keys to values",
      place: { file: "/home/ada/file", line: 1, column: 21, field: "servers" },
    }),
  );
});

it("[G22] each code of the closed set says what it means", () => {
  for (const meaning of Object.values(clientFileErrors)) expect(meaning).toMatch(/^[a-z].{20,}$/);
});
