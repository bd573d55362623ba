import { positionAt } from "@core/bounds";

/** Each way in which a client's file is refused, and what it means. The set is closed. */
export const clientFileErrors = Object.freeze({
  NOT_A_FILE: "the path is a directory, a device, a pipe or a socket, or its links go in a circle",
  UNREADABLE: "the file could not be opened or read",
  TOO_LARGE: "the file is larger than this program reads",
  BAD_ENCODING: "the file is not UTF-8",
  SYNTAX: "the file does not parse as the client reads it",
  TOO_DEEP: "the file nests deeper than this program follows",
  DUPLICATE_KEY: "a key stands twice in one map, so readers disagree about its value",
  NOT_A_MAP:
    "the root, or a value on the way to the servers, is no map of keys to values, or no list where the client has a list",
  ENTRY_EXISTS: "another entry already has the name",
  ENTRY_MISSING: "there is no entry of the name",
  UNSUPPORTED_FORM: "the entry or its map is written in a form that this program does not edit",
  READ_ONLY: "the file or its folder may not be written, or belongs to another user",
  CHANGED: "the file changed after it was read",
  WRITE_FAILED: "the new text could not be put in place; the file is as it was",
  BAD_LEDGER: "the record of earlier edits is damaged",
  NEWER_LEDGER: "the record of earlier edits was written by a newer version",
} as const);

export type ClientFileErrorCode = keyof typeof clientFileErrors;

/** Where a fault stands: `line` and `column` count from 1, the column in code points (W9). */
export interface FaultPlace {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly field?: string;
}

/**
 * A client's file was refused and is as it was. The message reads `FILE:LINE:COLUMN FIELD: sentence` (W9) and never
 * holds a value of the file.
 */
export class ClientFileError extends Error {
  override readonly name = "ClientFileError";
  readonly code: ClientFileErrorCode;
  readonly reason: string;
  readonly place: FaultPlace;
  /** What to paste into the file by hand, credentials masked; absent where no entry was at stake. */
  readonly fragment: string | undefined;

  constructor(
    code: ClientFileErrorCode,
    reason: string,
    place: FaultPlace,
    { fragment, cause }: { fragment?: string | undefined; cause?: unknown } = {},
  ) {
    super(`${subject(place)}: ${reason}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.reason = reason;
    this.place = place;
    this.fragment = fragment;
  }
}

/** The place of an offset into a file's text. A byte order mark is no column. */
export function placeAt(file: string, text: string, offset: number, field?: string): FaultPlace {
  const mark = text.startsWith("\uFEFF") ? 1 : 0;
  const position = positionAt(text.slice(mark), Math.max(0, offset - mark));
  return { file, ...position, ...(field === undefined ? {} : { field }) };
}

function subject({ file, line, column, field }: FaultPlace): string {
  const position = line === undefined ? "" : `:${line}:${column ?? 1}`;
  return `${file}${position}${field === undefined ? "" : ` ${field}`}`;
}
