import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildEntry } from "./entry.ts";
import {
  dropRecord,
  findRecord,
  hashEntry,
  putRecord,
  readLedger,
  renewEntry,
  withdrawEntry,
  writeLedger,
} from "./ledger.ts";
import type { LedgerRecord } from "./record.ts";
import { type EntryPlace, insertEntry } from "./splice.ts";
import { findClient } from "./table.ts";

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "clients-"));
  path = join(folder, "state/clients.json");
});
afterEach(() => rm(folder, { recursive: true }));

const claude = findClient("claude")!;
const place: EntryPlace = {
  file: "/home/ada/code/.mcp.json",
  format: "json",
  keyPath: ["mcpServers"],
  name: "wraptool",
};
const token = "wt-0123456789abcdef";
const entry = buildEntry(claude, "wraptool", {
  kind: "http",
  url: "http://x/mcp",
  token: { literal: token },
});

function record(text: string, more: Partial<LedgerRecord> = {}): LedgerRecord {
  const { undo } = insertEntry(text, place, entry);
  return {
    ...place,
    client: "claude",
    scope: "project",
    entryHash: hashEntry(entry),
    undo,
    madeFile: false,
    backups: [],
    time: "2026-11-30T18:23:59.000Z",
    ...more,
  };
}

describe("the ledger", () => {
  it("[G22] is empty where there is no file, and is read as it was written, with mode 0600", async () => {
    const empty = await readLedger(path);
    expect(empty.records).toEqual([]);
    const full = record("{ }\n", {
      madeFile: true,
      madeFolder: "/home/ada/code",
      exclude: { file: "/home/ada/code/.git/info/exclude", line: ".mcp.json" },
      backups: ["a.bak"],
    });
    const written = await writeLedger(putRecord(empty, full));
    expect(written.records).toEqual([full]);
    expect((await readLedger(path)).records).toEqual([full]);
    if (process.platform !== "win32") expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("[G22] holds no token, whatever was inserted", async () => {
    await writeLedger(putRecord(await readLedger(path), record('{"mcpServers": { }}')));
    expect(await readFile(path, "utf8")).not.toContain(token);
  });

  it("[G22] has one record for a file, key path and name", async () => {
    const old = record("{}");
    const other = record("{}", { name: "other" });
    const elsewhere = record("{}", { file: "/elsewhere" });
    let ledger = putRecord(putRecord(putRecord(await readLedger(path), old), other), elsewhere);
    ledger = putRecord(ledger, { ...old, madeFile: true });
    expect(ledger.records).toHaveLength(3);
    expect(findRecord(ledger, place)?.madeFile).toBe(true);
    expect(findRecord(ledger, { ...place, keyPath: ["mcp"] })).toBeUndefined();
    expect(dropRecord(ledger, place).records).toEqual([other, elsewhere]);
  });

  it("[G22] is refused when another process wrote it since it was read, and loses nothing", async () => {
    const [mine, theirs] = [await readLedger(path), await readLedger(path)];
    await writeLedger(putRecord(theirs, record("{}")));
    await expect(writeLedger(putRecord(mine, record("{}", { name: "mine" })))).rejects.toThrow(
      expect.objectContaining({ code: "CHANGED" }),
    );
    expect((await readLedger(path)).records.map(({ name }) => name)).toEqual(["wraptool"]);
  });

  it("[G22] [G26] of a newer version is refused, whatever else it holds", async () => {
    path = join(folder, "clients.json");
    await writeFile(path, '{"version": 2, "entries": {}}');
    await expect(readLedger(path)).rejects.toThrow(
      expect.objectContaining({
        code: "NEWER_LEDGER",
        message: `${path} version: has version 2, and this program knows 1; use the program that wrote it`,
      }),
    );
  });

  it.each([
    ["", /:1:1: .*move this ledger away/],
    ["{", /:1:\d+: .*move this ledger away/],
    ["[]", /move this ledger away/],
    ['{"version": 1}', / records: /],
    ['{"version": 0, "records": []}', /:1:13 version: /],
    ['{"version": 1,\n "records": [{}]}', /:2:14 records\[0\]/],
    ['{"version": 1, "records": [], "more": 1}', /:1:\d+ more: /],
    ['{"version": 1, "version": 1, "records": []}', /version: .*twice/],
  ])("[G22] %j is refused as damaged, with its place and the way out", async (text, message) => {
    path = join(folder, "clients.json");
    await writeFile(path, text);
    await expect(readLedger(path)).rejects.toThrow(
      expect.objectContaining({ code: "BAD_LEDGER", message: expect.stringMatching(message) }),
    );
  });
});

describe("a recorded entry", () => {
  const original = '{\n  "mcpServers": { }\n}';

  it("[G22] is taken back to the byte, with the map that was made, while nothing else changed", () => {
    for (const text of [original, "", "{}", '{"a":1}']) {
      const written = insertEntry(text, place, entry).text;
      expect(withdrawEntry(written, record(text))).toEqual({ text, isExact: true, moved: [] });
    }
  });

  it("[G22] alone is taken out after other edits", () => {
    const written = insertEntry("", place, entry).text.replace("{", '{\n  "mine": 1,');
    expect(withdrawEntry(written, record(""))).toEqual({
      text: '{\n  "mine": 1,\n  "mcpServers": {}\n}\n',
      isExact: false,
      moved: [],
    });
  });

  it("[G22] that is renewed is still taken back to the first byte", () => {
    const renewed = { ...entry, url: "http://y/mcp" };
    const { text, undo } = renewEntry(
      insertEntry(original, place, entry).text,
      record(original),
      renewed,
    );
    expect(text).toContain("http://y/mcp");
    expect(withdrawEntry(text, record(original, { undo }))).toEqual({
      text: original,
      isExact: true,
      moved: [],
    });
  });

  it("[G22] that is renewed after other edits is replaced where it stands, without an undo", () => {
    const edited = `${insertEntry(original, place, entry).text}\n`;
    const { text, undo } = renewEntry(edited, record(original), {
      type: "http",
      url: "http://y/mcp",
    });
    expect(text).toBe(
      '{\n  "mcpServers": {\n    "wraptool": {\n      "type": "http",\n      "url": "http://y/mcp"\n    }\n  }\n}\n',
    );
    expect(undo).toBeUndefined();
    expect(withdrawEntry(text, record(original, { undo })).isExact).toBe(false);
  });

  it("[G22] has the same hash in any order of its members, and another for any other value", () => {
    const turned = Object.fromEntries(Object.entries(entry).reverse());
    expect(hashEntry(turned)).toBe(hashEntry(entry));
    expect(hashEntry({ ...entry, url: "http://y/mcp" })).not.toBe(hashEntry(entry));
    expect(hashEntry({ a: ["1", "2"] })).not.toBe(hashEntry({ a: ["2", "1"] }));
  });
});
