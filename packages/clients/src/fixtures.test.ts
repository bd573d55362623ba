import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseClientDocument } from "./document.ts";
import { applyUndo } from "./edit.ts";
import { buildEntry, type ClientEntry, readEntry } from "./entry.ts";
import { type EntryPlace, insertEntry, removeEntry, replaceEntry } from "./splice.ts";
import { type ClientFormat, type ClientRow, clients } from "./table.ts";

const folder = fileURLToPath(new URL("../../../test-fixtures/harness", import.meta.url));

const url = "http://127.0.0.1:8717/mcp?cwd=%2Fhome%2Fada%2Fcode";
const token = { literal: "wt-0123456789abcdef" };
const launcher = [
  "--yes",
  "--package",
  "dotaios-mcp@2.1.0",
  "dotaios-mcp",
  "--path",
  "/home/ada/aios",
];

const entries: Readonly<Record<string, ClientEntry>> = {
  http: { kind: "http", url, token },
  "http-reference": { kind: "http", url, token: { variable: "WRAPTOOL_TOKEN" } },
  "http-open": { kind: "http", url },
  sse: { kind: "sse", url: url.replace("/mcp", "/sse"), token },
  stdio: { kind: "stdio", command: "npx", args: launcher },
};

/** What each format that a client reads has to show, and how a text is seen to be an example of it. */
const traits: Readonly<Record<string, (before: string) => boolean>> = {
  comments: (text) => /\/\/|\/\*|#/.test(text),
  tabs: (text) => text.includes("\n\t"),
  crlf: (text) => text.includes("\r\n") && !/[^\r]\n/.test(text),
  bom: (text) => text.startsWith("\uFEFF"),
  "no-final-newline": (text) => !text.endsWith("\n"),
  empty: (text) => text === "",
  missing: (text) => text === "",
  ours: (text) => /wraptool|dotaios/.test(text),
};
const notIn: Readonly<Record<ClientFormat, readonly string[]>> = {
  json: ["comments"],
  jsonc: [],
  toml: ["tabs"],
  yaml: [],
};

interface Fixture {
  readonly row: ClientRow;
  readonly entry: ClientEntry;
  readonly place: EntryPlace;
  readonly trait: string;
  readonly kind: string;
  readonly text: string;
  readonly path: string;
}

const fixtures = clients.flatMap((row) => {
  const inFolder = join(folder, row.id);
  return readdirSync(inFolder).map((file): Fixture => {
    const [stem = "", kind = ""] = file.split(".");
    const [called = "", trait = ""] = stem.split("--");
    const name = called === "stdio" ? "dotaios" : "wraptool";
    const place = { file, format: row.format, keyPath: row.keyPath, name };
    const path = join(inFolder, file);
    return {
      row,
      entry: entries[called]!,
      place,
      trait,
      kind,
      text: readFileSync(path, "utf8"),
      path,
    };
  });
});
const afters = fixtures.filter(({ kind }) => kind === "after");
const refusals = fixtures.filter(({ kind }) => kind === kind.toUpperCase());

describe.each(afters)("$path", ({ row, entry, place, trait, text, path }) => {
  const before = fixtures.find((other) => other.path === path.replace(".after.", ".before."));
  const original = before?.text ?? "";
  const value = buildEntry(row, place.name, entry);

  it("[G22] is the file before with the entry, byte for byte", () => {
    const old = parseClientDocument(original, place).get([...place.keyPath, place.name]);
    const isOurs = readEntry(row, place.name, old) !== undefined;
    const splice = (isOurs ? replaceEntry : insertEntry)(original, place, value);
    expect(splice.text).toBe(text);
    expect(applyUndo(splice.text, splice.undo)).toBe(original);
  });

  it("[G22] shows what it is called after", () => {
    expect(before === undefined).toBe(trait === "missing");
    expect(traits[trait]?.(original) ?? true).toBe(true);
  });

  it("[S24] holds the entry and loses only it", () => {
    const { get } = parseClientDocument(text, place);
    expect(readEntry(row, place.name, get([...place.keyPath, place.name]))).toEqual(entry);
    const removed = parseClientDocument(removeEntry(text, place).text, place);
    expect(removed.get([...place.keyPath, place.name])).toBeUndefined();
  });
});

describe.each(refusals)("$path", ({ row, entry, place, kind, text }) => {
  it("[G22] [S23] is refused, with the fragment to paste and without the token", () => {
    const edit = () => insertEntry(text, place, buildEntry(row, place.name, entry));
    const fragment = expect.stringContaining(place.name);
    expect(edit).toThrow(expect.objectContaining({ code: kind, fragment }));
    expect(edit).not.toThrow(
      expect.objectContaining({ fragment: expect.stringContaining(token.literal) }),
    );
  });
});

it("[G22] each file before belongs to a file after", () => {
  const paths = new Set(afters.map(({ path }) => path));
  for (const { kind, path } of fixtures)
    if (kind === "before") expect(paths).toContain(path.replace(".before.", ".after."));
});

it.each(clients.map((row) => [row.id, row] as const))("[G21] [S24] %s has a pair", (_, row) => {
  expect(afters.filter((fixture) => fixture.row === row)).not.toHaveLength(0);
});

it.each([...new Set(clients.map(({ format }) => format))])(
  "[G22] %s shows each trait",
  (format) => {
    const shown = new Set(
      afters.filter(({ row }) => row.format === format).map(({ trait }) => trait),
    );
    for (const trait of Object.keys(traits))
      if (!notIn[format].includes(trait)) expect(shown, trait).toContain(trait);
    expect(refusals.some(({ row, trait }) => row.format === format && trait === "foreign")).toBe(
      true,
    );
  },
);

it("[S24] a file of strict JSON parses as JSON with and without the entry", () => {
  for (const { row, text, path } of afters.filter(({ row }) => row.format === "json"))
    expect(JSON.parse(text.replace(/^\uFEFF/, "")), `${row.id} ${extname(path)}`).toBeTypeOf(
      "object",
    );
});
