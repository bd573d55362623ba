import { readdirSync, readFileSync } from "node:fs";
import { chmod, lstat, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseClientDocument } from "./document.ts";
import { applyUndo } from "./edit.ts";
import { buildEntry, type ClientEntry, readEntry } from "./entry.ts";
import { readClientFile } from "./file.ts";
import type { ClientFormat, ClientRow } from "./row.ts";
import { type EntryPlace, insertEntry, removeEntry, replaceEntry } from "./splice.ts";
import { clients } from "./table.ts";
import { writeClientFile } from "./write.ts";

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
  yaml: ["tabs"],
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
    const { format, keyPath, listedBy } = row;
    const place = { file, format, keyPath, name, listedBy };
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
    const splice = isOurs
      ? replaceEntry(original, place, value)
      : insertEntry(original, place, value, row.preamble);
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

/** Ways in which the same text may be written, each done to a file before and after. */
const writings: Readonly<Record<string, (text: string) => string>> = {
  CRLF: (text) => text.replace(/\r?\n/g, "\r\n"),
  "a byte order mark": (text) => `\uFEFF${text.replace(/^\uFEFF/, "")}`,
  "no final line end": (text) => text.replace(/\r?\n$/, ""),
  tabs: (text) => text.replace(/^ +/gm, (indent) => indent.replaceAll("  ", "\t")),
};

/** One pair of each client: it has a file before, and what is added there is new. */
const pairs = clients.map((row) => {
  const after = afters.find(({ row: own, path, trait }) => {
    const before = fixtures.find((other) => other.path === path.replace(".after.", ".before."));
    return own === row && before !== undefined && before.text !== "" && trait !== "ours";
  });
  const path = after?.path.replace(".after.", ".before.");
  return { id: row.id, after, before: fixtures.find((other) => other.path === path) };
});

describe.each(pairs)("[G21] the pair of $id", ({ before, after }) => {
  const { row, place, entry } = after!;
  const value = buildEntry(row, place.name, entry);
  const add = (text: string) => insertEntry(text, place, value, row.preamble);
  const ways = Object.keys(writings).filter((way) => way !== "tabs" || row.format !== "yaml");

  it.each(ways)("[G22] is the same in %s, and leads back to the byte", (way) => {
    const write = writings[way]!;
    const { text, undo } = add(write(before!.text));
    expect(text).toBe(write(after!.text));
    expect(applyUndo(text, undo)).toBe(write(before!.text));
  });

  it.each(["", "\uFEFF", "\n", " \r\n"])("[G22] has an entry also where the file is %j", (text) => {
    const splice = add(text);
    const read = parseClientDocument(splice.text, place);
    expect(read.get([...place.keyPath, place.name])).toEqual(value);
    expect(Object.keys(read.value)).toEqual([...Object.keys(row.preamble ?? {}), row.keyPath[0]]);
    expect(applyUndo(splice.text, splice.undo)).toBe(text);
  });

  it("[G22] is renewed where it stands, which nothing else notices", () => {
    const older = buildEntry(row, place.name, olderOf(entry));
    const renewed = replaceEntry(replaceEntry(after!.text, place, older).text, place, value);
    expect(renewed.text).toBe(after!.text);
  });

  it("[G22] [S23] is refused where another entry has the name, which stays", () => {
    const foreign = replaceEntry(after!.text, place, { ...value, mine: true }).text;
    const present = parseClientDocument(foreign, place).get([...place.keyPath, place.name]);
    expect(readEntry(row, place.name, present)).toBeUndefined();
    expect(() => add(foreign)).toThrow(expect.objectContaining({ code: "ENTRY_EXISTS" }));
  });

  it("[G22] shows comments where the client's file may have them", () => {
    const shown = afters.filter((one) => one.row === row && /(^|\s)(\/\/|\/\*|#)/.test(one.text));
    expect(shown.length > 0).toBe(row.format !== "json");
  });
});

describe.each(pairs)("[G21] the file of $id on the disk", ({ before, after }) => {
  let home: string;
  let path: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), "clients-"));
    path = join(home, "file");
    await writeFile(path, before!.text, { mode: 0o640 });
  });
  afterEach(() => rm(home, { recursive: true }));

  it("[G22] is written through a link of a dotfile, which stays a link, and keeps its mode", async () => {
    const link = join(home, "link");
    await symlink("file", link);
    await writeClientFile(await readClientFile(link), after!.text);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await readFile(path, "utf8")).toBe(after!.text);
    expect((await stat(path)).mode & 0o777).toBe(0o640);
  });

  it("[G22] is left alone where it is read-only", async () => {
    await chmod(path, 0o440);
    const state = await readClientFile(path);
    await expect(writeClientFile(state, after!.text)).rejects.toMatchObject({ code: "READ_ONLY" });
    expect(await readFile(path, "utf8")).toBe(before!.text);
  });

  it("[G22] is left alone where another program wrote it between the reading and the renaming", async () => {
    const state = await readClientFile(path);
    const theirs = `${before!.text}\n`;
    await writeFile(path, theirs);
    await expect(writeClientFile(state, after!.text)).rejects.toMatchObject({ code: "CHANGED" });
    expect(await readFile(path, "utf8")).toBe(theirs);
    expect(readdirSync(home)).toEqual(["file"]);
  });
});

function olderOf(entry: ClientEntry): ClientEntry {
  if (entry.kind === "stdio") return { ...entry, args: [...entry.args, "--older"] };
  return { ...entry, url: "http://127.0.0.1:9/mcp" };
}

it("[G22] each file before belongs to a file after", () => {
  const paths = new Set(afters.map(({ path }) => path));
  for (const { kind, path } of fixtures)
    if (kind === "before") expect(paths).toContain(path.replace(".before.", ".after."));
});

it.each(pairs)("[G21] [S24] $id has a pair", ({ before, after }) => {
  expect(before?.text).not.toBe(after?.text);
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
