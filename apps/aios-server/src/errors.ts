/** Whether the caller can mend it by other arguments, or something stands in the way of the read. */
export type ErrorKind = "input" | "fault";

/** The allow-listed parts of a sentence. None of them ever holds a value, a path or a system message. */
export interface ErrorFields {
  /** The argument at fault, by its advertised name. */
  readonly field?: string;
  /** The rule that the argument broke, as the end of a sentence: `from 1 to 10`. */
  readonly rule?: string;
  /** What was being read, in our own words: `the event log`. */
  readonly source?: string;
}

type Sentence = (fields: ErrorFields) => string;

/** Every error of this server: its code, who can mend it, and its sentence (S3). */
const table = {
  ARGUMENT_UNKNOWN: input(({ rule }) => `The arguments hold an unknown key; allowed are ${rule}`),
  ARGUMENT_TYPE: input(({ field, rule }) => `"${field}" must be ${rule}`),
  ARGUMENT_RANGE: input(({ field, rule }) => `"${field}" must be ${rule}`),
  SELECTOR_MALFORMED: input(({ field, rule }) => `"${field}" must be ${rule}`),
  SELECTOR_UNKNOWN: input(
    () => '"project" names no project here; allowed are a project\'s folder name, id or alias',
  ),
  SELECTOR_AMBIGUOUS: input(
    () => '"project" names more than one project; use the folder name or the id of one',
  ),
  MEMORY_NEEDS_PROJECT: input(() => '"memory" is "project", so "project" must name one'),
  MEMORY_EXCLUDES_PROJECT: input(
    () => '"memory" is "shared", so "project" must be left out; use "memory": "project" to scope',
  ),
  SCOPE_NEEDS_PROJECT: input(
    () => '"scope" is "projects", so "project" must name one; without a project use another scope',
  ),
  SCOPE_NOT_SERVED: input(
    ({ rule }) => `"scope" is not served while "memory" is "project"; served are ${rule}`,
  ),
  FOLDER_NOT_AIOS: input(
    () =>
      "The configured folder is missing or holds no aios.json; start the server with --path and the right folder",
  ),
  SOURCE_LINKED: fault(
    ({ source }) => `Cannot read ${source}, because a link stands in its path; use a real file`,
  ),
  SOURCE_NOT_REGULAR: fault(
    ({ source }) =>
      `Cannot read ${source}, because it is not a regular file in regular folders; replace it`,
  ),
  SOURCE_PATH_UNSAFE: fault(
    ({ source }) => `Cannot read ${source}, because its path leaves the places it may point to`,
  ),
  SOURCE_CHANGED: fault(
    ({ source }) => `Cannot use ${source}, because it changed while it was read; try again`,
  ),
  SOURCE_NOT_UTF8: fault(
    ({ source }) => `Cannot read ${source}, because its bytes are not UTF-8; save it as UTF-8`,
  ),
  SOURCE_LIMIT: fault(({ source, rule }) => `Stopped at ${source}, because ${rule}`),
  SOURCE_UNREADABLE: fault(
    ({ source }) =>
      `Cannot read ${source}, because the system refused; check its permissions and the limit of open files`,
  ),
  PROJECT_IDENTITY_INVALID: fault(
    () =>
      "Cannot use the selected project, because its README's front matter is no valid and unique identity; mend it",
  ),
  CONFIG_INVALID: fault(
    () =>
      "Cannot use aios.json, because it is no valid configuration; make it a JSON object whose vault_path is a text or null",
  ),
  VAULT_UNAUTHORISED: fault(
    () =>
      "Cannot search the vault, because vault_path in aios.json is the folder itself or one above it; name another",
  ),
  SEARCHES_WAITING: fault(
    ({ rule }) => `Cannot search now, because ${rule} searches are waiting; wait for their answers`,
  ),
  INTERNAL: fault(() => "The call failed because of a fault in this server; nothing was changed"),
} as const satisfies Record<string, { kind: ErrorKind; sentence: Sentence }>;

export type ErrorCode = keyof typeof table;

/** All codes, in the order of the table. */
export const errorCodes = Object.freeze(Object.keys(table)) as readonly ErrorCode[];

/** A refused or failed call. `message` is the safe sentence; what was caught stays in `cause`, for the log alone. */
export class AiosError extends Error {
  override readonly name = "AiosError";
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  /** What the sentence was made with. */
  readonly fields: ErrorFields;

  constructor(code: ErrorCode, fields: ErrorFields = {}, options?: { cause: unknown }) {
    super(table[code].sentence(fields), options);
    this.code = code;
    this.kind = table[code].kind;
    this.fields = fields;
  }
}

function input(sentence: Sentence) {
  return { kind: "input", sentence } as const;
}

function fault(sentence: Sentence) {
  return { kind: "fault", sentence } as const;
}
