import { printable } from "./printable.ts";

/** Why a configuration was refused. The set is closed: a switch over it can be exhaustive. */
export type ConfigErrorCode =
  | "NOT_FOUND"
  | "NOT_A_FILE"
  | "UNREADABLE"
  | "OPEN_MODE"
  | "TOO_LARGE"
  | "TOO_DEEP"
  | "BAD_ENCODING"
  | "SYNTAX"
  | "DUPLICATE_KEY"
  | "FORBIDDEN_KEY"
  | "UNKNOWN_FIELD"
  | "MISSING_FIELD"
  | "INVALID_VALUE"
  | "BAD_REFERENCE"
  | "MISSING_VARIABLE"
  | "LITERAL_CREDENTIAL";

/** Where a fault stands. `line` and `column` count from 1, the column in code points. */
export interface Place {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly field?: string | undefined;
}

/** One step of a path into a document: a key of an object or an index of an array. */
export type PathStep = string | number;
export type Path = readonly PathStep[];

const MAX_FILE = 1_024;
const MAX_FIELD = 240;
const MAX_KEY = 64;
const PLAIN_WORD = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/**
 * A refused configuration. The message reads `FILE:LINE:COLUMN FIELD: sentence` (W9), without the parts that are
 * unknown. It names files, fields and variables and never holds a value.
 */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly code: ConfigErrorCode;
  readonly reason: string;
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly field: string | undefined;

  constructor(code: ConfigErrorCode, reason: string, place: Place = {}, options?: ErrorOptions) {
    const file = place.file === undefined ? undefined : printable(place.file, MAX_FILE);
    const field = place.field === undefined ? undefined : printable(place.field, MAX_FIELD);
    super(formatMessage(reason, { ...place, file, field }), options);
    this.code = code;
    this.reason = reason;
    this.file = file;
    this.line = place.line;
    this.column = place.column;
    this.field = field;
  }
}

/** `mcpServers.github.args[2]`; a key that is no plain word is quoted: `mcpServers["a b"]`. At most 240 code points. */
export function fieldPath(path: Path): string {
  return printable(path.map(fieldStep).join("").replace(/^\./, ""), MAX_FIELD);
}

function fieldStep(step: PathStep): string {
  if (typeof step === "number") return `[${step}]`;
  if (PLAIN_WORD.test(step) && step.length <= MAX_KEY) return `.${step}`;
  return `[${JSON.stringify(printable(step, MAX_KEY))}]`;
}

function formatMessage(reason: string, { file, line, column, field }: Place): string {
  const position = line === undefined || column === undefined ? "" : `:${line}:${column}`;
  const where = file === undefined ? "" : `${file}${position}`;
  const subject = [where, field ?? ""].filter((part) => part !== "").join(" ");
  return subject === "" ? reason : `${subject}: ${reason}`;
}
