export { backUpClientFile } from "./backup.ts";
export { describeEdit } from "./describe.ts";
export { type ClientDocument, parseClientDocument } from "./document.ts";
export { applyUndo, hashText, type TextEdit, type Undo } from "./edit.ts";
export { buildEntry, type ClientEntry, type EntryToken, readEntry } from "./entry.ts";
export {
  ClientFileError,
  type ClientFileErrorCode,
  clientFileErrors,
  type FaultPlace,
} from "./error.ts";
export { type ClientFileState, type FileStamp, MAX_FILE_BYTES, readClientFile } from "./file.ts";
export {
  dropRecord,
  findRecord,
  hashEntry,
  type Ledger,
  otherRecords,
  putRecord,
  readLedger,
  renewEntry,
  type Surrounding,
  withdrawEntry,
  writeLedger,
} from "./ledger.ts";
export {
  type ClientScope,
  chooseClientFile,
  documentedClientFile,
  type LocatedFile,
  locateClientFiles,
  type Surroundings,
} from "./location.ts";
export type { LedgerRecord } from "./record.ts";
export type {
  ClientFile,
  ClientFormat,
  ClientRow,
  EntryMap,
  EntryShape,
  EntryValue,
  Evidence,
  FileCandidate,
  MovedPath,
  TablePath,
  TokenReference,
} from "./row.ts";
export {
  type EntryPlace,
  insertEntry,
  removeEntry,
  renderFragment,
  replaceEntry,
  type Splice,
} from "./splice.ts";
export { clients, findClient, isServerName } from "./table.ts";
export { removeClientFile, type Written, writeClientFile } from "./write.ts";
