import { parseClientDocument } from "./document.ts";
import { applyUndo, type Undo } from "./edit.ts";
import type { LedgerRecord } from "./record.ts";
import type { EntryMap } from "./row.ts";
import { insertEntry } from "./splice.ts";

/** A file as it is after one of our entries in it was changed, and what leads back. */
export interface Chain {
  readonly text: string;
  /** What leads back from the changed entry; absent if it was taken out. */
  readonly undo: Undo | undefined;
  /** The records of entries that were added since, with what leads back from them now. */
  readonly moved: readonly LedgerRecord[];
}

/** An entry that was added after another one, and what it says. */
interface Later {
  readonly record: LedgerRecord;
  readonly value: EntryMap;
}

/**
 * Changes one of our entries as if the ones that were added to the file after it had not been there: they are taken out,
 * the last first, and put in again. So each of them still leads back to the byte, in whatever order they go. `undefined`
 * if anything but our own entries has changed the file since.
 */
export function changeInChain(
  text: string,
  record: LedgerRecord,
  others: readonly LedgerRecord[],
  { value, preamble }: { readonly value?: EntryMap; readonly preamble?: EntryMap | undefined },
): Chain | undefined {
  const bottom = unwind(text, record, others);
  if (bottom === undefined) return undefined;
  const own = value && insertEntry(bottom.text, record, value, preamble);
  let rebuilt = own?.text ?? bottom.text;
  const moved = bottom.since.map((later) => {
    const splice = insertEntry(rebuilt, later.record, later.value, preamble);
    rebuilt = splice.text;
    return { ...later.record, undo: splice.undo };
  });
  return { text: rebuilt, undo: own?.undo, moved: own ? moved : inherit(moved, record) };
}

/** The text before an entry was added, and the entries that were added since, the oldest first. */
function unwind(
  text: string,
  record: LedgerRecord,
  others: readonly LedgerRecord[],
): { text: string; since: readonly Later[] } | undefined {
  const original = record.undo && applyUndo(text, record.undo);
  if (original !== undefined) return { text: original, since: [] };
  for (const other of others) {
    const before = other.undo && applyUndo(text, other.undo);
    if (before === undefined) continue;
    const below = unwind(
      before,
      record,
      others.filter((one) => one !== other),
    );
    // The text is as we wrote it, so the entry is one of ours.
    const value = parseClientDocument(text, other).get([...other.keyPath, other.name]) as EntryMap;
    return below && { text: below.text, since: [...below.since, { record: other, value }] };
  }
  return undefined;
}

/** What was made for an entry that goes is now the next one's to take back. */
function inherit(
  [next, ...rest]: readonly LedgerRecord[],
  { madeFile, madeFolder }: LedgerRecord,
): LedgerRecord[] {
  return next === undefined ? [] : [madeFile ? { ...next, madeFile, madeFolder } : next, ...rest];
}
