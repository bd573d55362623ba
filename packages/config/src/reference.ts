import { ConfigError, type Place } from "./error.ts";

/** A reference to an environment variable inside a value; `start` and `end` are UTF-16 offsets of its whole text. */
export interface Reference {
  readonly name: string;
  readonly form: "braced" | "word";
  readonly start: number;
  readonly end: number;
}

/** A sentence's reason, or the references of a well-formed value. */
type Scan = { readonly references: readonly Reference[] } | { readonly problem: string };

// Every place where a reference starts, well-formed or not; `$Env:` and `$ENV:` are slips that must not pass as text.
const START = /\$(?:\{|env:)/gi;
const BRACED = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/y;
const WORD = /\$env:([A-Za-z_][A-Za-z0-9_]*)$/y;

const BAD_BRACED =
  "has text that starts like a reference and is not one: write ${NAME} with letters, digits and underscores only, and no default";
const BAD_WORD =
  "has text that starts like a reference and is not one: $env:NAME must be the whole value or its last word after a blank";

/**
 * The references of a value (A7): `${NAME}` anywhere; `$env:NAME` as the whole value, or as a whole word at its end
 * after a blank. Text that starts like a reference and is not one is a ConfigError BAD_REFERENCE at `place`.
 */
export function findReferences(value: string, place: string | Place = {}): readonly Reference[] {
  const scan = scanReferences(value);
  if ("problem" in scan) throw new ConfigError("BAD_REFERENCE", scan.problem, toPlace(place));
  return scan.references;
}

/** Like findReferences, with the fault as a value, for a reader that collects faults. */
export function scanReferences(value: string): Scan {
  const references: Reference[] = [];
  let from = 0;
  for (;;) {
    START.lastIndex = from;
    const found = START.exec(value);
    if (found === null) return { references };
    const start = found.index;
    const braced = found[0] === "${";
    const reference = braced ? matchBraced(value, start) : matchWord(value, start);
    if (reference === undefined) return { problem: braced ? BAD_BRACED : BAD_WORD };
    references.push(reference);
    from = reference.end;
  }
}

function matchBraced(value: string, start: number): Reference | undefined {
  const name = matchName(BRACED, value, start);
  if (name === undefined) return undefined;
  return { name, form: "braced", start, end: start + name.length + "${}".length };
}

function matchWord(value: string, start: number): Reference | undefined {
  const before = value[start - 1];
  if (before !== undefined && before !== " " && before !== "\t") return undefined;
  const name = matchName(WORD, value, start);
  return name === undefined ? undefined : { name, form: "word", start, end: value.length };
}

function matchName(pattern: RegExp, value: string, start: number): string | undefined {
  pattern.lastIndex = start;
  return pattern.exec(value)?.[1];
}

/**
 * The value with every reference replaced by its variable, in one pass: what a variable holds is never read again.
 * A missing or an empty variable is a ConfigError MISSING_VARIABLE that names the field and the variable.
 */
export function expandReferences(
  value: string,
  environment: Readonly<Record<string, string | undefined>>,
  field: string | Place,
): string {
  let expanded = "";
  let copied = 0;
  for (const { name, start, end } of findReferences(value, field)) {
    expanded += value.slice(copied, start) + readVariable(environment, name, field);
    copied = end;
  }
  return expanded + value.slice(copied);
}

function readVariable(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
  field: string | Place,
): string {
  const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
  if (value !== undefined && value !== "") return value;
  const state = value === undefined ? "not set" : "empty";
  const reason = `refers to the environment variable ${name}, which is ${state}; give it a value or remove the reference`;
  throw new ConfigError("MISSING_VARIABLE", reason, toPlace(field));
}

function toPlace(place: string | Place): Place {
  return typeof place === "string" ? { field: place } : place;
}
