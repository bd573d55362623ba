import { MIB } from "@core/bounds";
import { ConfigError, parseDocument, parseStrict } from "@core/config";
import * as z from "zod";
import { changeInChain } from "./chain.ts";
import { hashText, type Undo } from "./edit.ts";
import { ClientFileError } from "./error.ts";
import { type ClientFileState, readClientFile } from "./file.ts";
import type { LedgerRecord } from "./record.ts";
import type { EntryMap } from "./row.ts";
import { type EntryPlace, removeEntry, replaceEntry } from "./splice.ts";
import { writeClientFile } from "./write.ts";

/** The version of the ledger's file. A file of a later one is refused, since it may say what this one cannot keep. */
const VERSION = 1;

const LIMITS = { maxBytes: 16 * MIB, maxValues: 1_000_000 };

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);

const undoSchema = z.strictObject({
  hash,
  edits: z.array(z.strictObject({ offset: count, length: count, text: z.string() })),
});

const recordSchema = z.strictObject({
  client: z.string(),
  scope: z.enum(["project", "global"]),
  file: z.string(),
  format: z.enum(["json", "jsonc", "toml", "yaml"]),
  keyPath: z.tuple([z.string()], z.string()),
  name: z.string(),
  listedBy: z.string().optional(),
  entryHash: hash,
  undo: undoSchema.optional(),
  madeFile: z.boolean(),
  madeFolder: z.string().optional(),
  exclude: z.strictObject({ file: z.string(), line: z.string() }).optional(),
  backups: z.array(z.string()),
  time: z.iso.datetime(),
});

const ledgerSchema = z.strictObject({
  version: z.literal(VERSION),
  records: z.array(recordSchema),
});

/** The ledger as it was read, with the changes that are to be written. */
export interface Ledger {
  readonly state: ClientFileState;
  readonly records: readonly LedgerRecord[];
}

/** Reads the ledger; a missing file is an empty one. Throws ClientFileError BAD_LEDGER, NEWER_LEDGER or what reading throws. */
export async function readLedger(path: string): Promise<Ledger> {
  const state = await readClientFile(path);
  if (state.text === undefined) return { state, records: [] };
  try {
    const document = parseDocument(state.text, { file: path, format: "json", limits: LIMITS });
    refuseNewer(document.value, path);
    return { state, records: parseStrict(ledgerSchema, document).records };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { line, column, field } = error;
    const reason = `${error.reason}; move this ledger away to start a new one (entries stay where they are)`;
    const place = { file: path, ...(line && column && { line, column }), ...(field && { field }) };
    throw new ClientFileError("BAD_LEDGER", reason, place, { cause: error });
  }
}

/**
 * Writes the ledger (0600) and returns it as it now is. Throws ClientFileError CHANGED if another process wrote it
 * since it was read, and what writeClientFile throws.
 */
export async function writeLedger({ state, records }: Ledger): Promise<Ledger> {
  const text = `${JSON.stringify({ version: VERSION, records }, null, 2)}\n`;
  await writeClientFile(state, text, { holdsSecret: true });
  return readLedger(state.path);
}

/** The records of our other entries in the file of this place. */
export function otherRecords(ledger: Ledger, place: EntryPlace): LedgerRecord[] {
  return ledger.records.filter(
    (record) => record.file === place.file && !isSamePlace(record, place),
  );
}

/** The record of an entry: there is at most one for a file, key path and name. */
export function findRecord(ledger: Ledger, place: EntryPlace): LedgerRecord | undefined {
  return ledger.records.find((record) => isSamePlace(record, place));
}

/** The ledger with this record instead of an earlier one of the same place. */
export function putRecord(ledger: Ledger, record: LedgerRecord): Ledger {
  return { ...ledger, records: [...dropRecord(ledger, record).records, record] };
}

/** The ledger without the record of this place. */
export function dropRecord(ledger: Ledger, place: EntryPlace): Ledger {
  return { ...ledger, records: ledger.records.filter((record) => !isSamePlace(record, place)) };
}

/** SHA-256 of an entry's members, whatever their order. */
export function hashEntry(entry: unknown): string {
  return hashText(JSON.stringify(entry, (_, value: unknown) => inKeyOrder(value)));
}

/** What stands around a recorded entry in its file. */
export interface Surrounding {
  /** The records of our other entries in the same file. */
  readonly others?: readonly LedgerRecord[];
  /** What a file of the client begins with if it is made for an entry. */
  readonly preamble?: EntryMap | undefined;
}

/**
 * Takes a recorded entry out of a text: back to the byte if only our own entries have changed it since, and else the
 * entry alone. Throws what removeEntry throws.
 */
export function withdrawEntry(
  text: string,
  record: LedgerRecord,
  { others = [], preamble }: Surrounding = {},
): {
  readonly text: string;
  readonly isExact: boolean;
  /** The records of `others` that lead back from elsewhere now. */
  readonly moved: readonly LedgerRecord[];
} {
  const chain = changeInChain(text, record, others, { preamble });
  if (chain !== undefined) return { text: chain.text, isExact: true, moved: chain.moved };
  return { text: removeEntry(text, record).text, isExact: false, moved: [] };
}

/**
 * Writes a recorded entry anew. If only our own entries have changed the text since, the undo still leads back to the first
 * original (and the preamble is written again with the entry); otherwise the entry is replaced where it stands, and there
 * is no undo to record.
 */
export function renewEntry(
  text: string,
  record: LedgerRecord,
  value: EntryMap,
  { others = [], preamble }: Surrounding = {},
): {
  readonly text: string;
  readonly undo: Undo | undefined;
  readonly moved: readonly LedgerRecord[];
} {
  const chain = changeInChain(text, record, others, { value, preamble });
  if (chain !== undefined) return chain;
  return { text: replaceEntry(text, record, value).text, undo: undefined, moved: [] };
}

function refuseNewer(value: unknown, file: string): void {
  const version =
    typeof value === "object" && value !== null && "version" in value && value.version;
  if (typeof version !== "number" || version <= VERSION) return;
  const reason = `has version ${version}, and this program knows ${VERSION}; use the program that wrote it`;
  throw new ClientFileError("NEWER_LEDGER", reason, { file, field: "version" });
}

function isSamePlace(one: EntryPlace, other: EntryPlace): boolean {
  return (
    one.file === other.file &&
    one.name === other.name &&
    one.keyPath.join("\0") === other.keyPath.join("\0")
  );
}

function inKeyOrder(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
