import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writtenFor } from "../test/written-text.ts";
import { buildEntry } from "./entry.ts";
import { ClientFileError } from "./error.ts";
import { renewEntry, withdrawEntry } from "./ledger.ts";
import type { LedgerRecord } from "./record.ts";
import type { ClientRow, EntryMap } from "./row.ts";
import { insertEntry } from "./splice.ts";
import { clients, findClient } from "./table.ts";

const runs = Number(process.env.FUZZ_RUNS ?? 15);

/** A file with a ledger, in memory. */
function createFile(row: ClientRow, original: string) {
  const { preamble } = row;
  let text = original;
  let records: readonly LedgerRecord[] = [];
  const named = (name: string) => records.find((record) => record.name === name);
  const others = (name: string) => records.filter((record) => record.name !== name);
  const put = (changed: readonly LedgerRecord[]) => {
    const names = new Set(changed.map(({ name }) => name));
    records = [...records.filter(({ name }) => !names.has(name)), ...changed];
  };
  return {
    text: () => text,
    edit: (change: (text: string) => string) => {
      text = change(text);
    },
    write(name: string, value: EntryMap) {
      const { format, keyPath, listedBy } = row;
      const known = named(name);
      const written = known
        ? renewEntry(text, known, value, { others: others(name), preamble })
        : {
            ...insertEntry(text, { file: "/f", format, keyPath, listedBy, name }, value, preamble),
            moved: [],
          };
      const made = {
        madeFile: known?.madeFile ?? text === "",
        entryHash: "",
        backups: [],
        time: "",
      };
      const place = { file: "/f", format, keyPath, listedBy, name };
      const record = { ...place, client: row.id, scope: "project", ...made } as const;
      put([...written.moved, { ...record, undo: written.undo }]);
      text = written.text;
    },
    take(name: string) {
      const record = named(name)!;
      const taken = withdrawEntry(text, record, { others: others(name), preamble });
      records = others(name);
      put(taken.moved);
      text = taken.text;
      return { isExact: taken.isExact, madeFile: record.madeFile };
    },
  };
}

const entryOf = (row: ClientRow, name: string, port: number): EntryMap => {
  const url = `http://127.0.0.1:${port}/mcp`;
  const stdio = { kind: "stdio", command: "wraptool", args: [url] } as const;
  return buildEntry(row, name, row.http ? { kind: "http", url } : stdio);
};

describe.each(clients)("entries of ours in one file of $id", (row) => {
  const names = ["one", "two", "three"];
  const order = fc.shuffledSubarray(names, { minLength: 3 });
  const renewals = fc.array(fc.constantFrom(...names), { maxLength: 4 });

  it("[G22] [P3] go in any order, renewed or not, and leave the bytes of before", () => {
    fc.assert(
      fc.property(writtenFor(row), order, renewals, order, (original, added, renewed, taken) => {
        const file = createFile(row, original);
        try {
          for (const name of added) file.write(name, entryOf(row, name, 1));
        } catch (error) {
          if (error instanceof ClientFileError && error.code === "UNSUPPORTED_FORM") return;
          throw error;
        }
        for (const [at, name] of renewed.entries()) file.write(name, entryOf(row, name, at + 2));
        for (const name of taken) expect(file.take(name).isExact).toBe(true);
        expect(file.text()).toBe(original);
      }),
      { numRuns: runs },
    );
  });
});

describe("an entry of ours", () => {
  const row = findClient("claude")!;
  const pair = (original = "") => {
    const file = createFile(row, original);
    file.write("one", { command: "1" });
    file.write("two", { command: "2" });
    return file;
  };

  it("[G22] that goes leaves the file that was made for it to the next one", () => {
    const file = pair();
    expect(file.take("one").madeFile).toBe(true);
    expect(file.text()).toBe(
      '{\n  "mcpServers": {\n    "two": {\n      "command": "2"\n    }\n  }\n}\n',
    );
    expect(file.take("two")).toEqual({ isExact: true, madeFile: true });
    expect(file.text()).toBe("");
  });

  it("[G22] alone goes once anything else has changed the file", () => {
    const file = pair("{}");
    file.edit((text) => `${text}\n`);
    expect(file.take("one").isExact).toBe(false);
    expect(file.take("two").isExact).toBe(false);
    expect(file.text()).toBe('{\n  "mcpServers": {}\n}\n');
  });
});
