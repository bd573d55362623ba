import type { Undo } from "./edit.ts";
import type { EntryPlace } from "./splice.ts";

/** What was inserted where, so that it can be recognised and taken back. It holds no entry and no secret. */
export interface LedgerRecord extends EntryPlace {
  /** The client's id. A text, because a ledger may know clients that a later table no longer has. */
  readonly client: string;
  readonly scope: "project" | "global";
  /** {@link hashEntry} of the entry as it was written. */
  readonly entryHash: string;
  /** What leads back to the byte; only ever that of an insertion, which holds nothing but white space of the file. */
  readonly undo?: Undo | undefined;
  /** Whether the file was made for the entry, and the outermost folder that was. */
  readonly madeFile: boolean;
  readonly madeFolder?: string | undefined;
  /** A line that was added to a list of files that git does not track. */
  readonly exclude?: { readonly file: string; readonly line: string } | undefined;
  /** Names of copies of the file, the oldest first; those beyond the last five are gone. */
  readonly backups: readonly string[];
  /** When it was written, in ISO 8601 and UTC. */
  readonly time: string;
}
