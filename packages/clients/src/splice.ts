import { isDeepStrictEqual } from "node:util";
import {
  type Dialect,
  type EntryAddress,
  isPlainMap,
  type PlainMap,
  type Refuse,
} from "./dialect.ts";
import { openDialect, valueAt } from "./document.ts";
import { applyEdits, type TextEdit, type Undo, undoOf } from "./edit.ts";
import { ClientFileError, type ClientFileErrorCode } from "./error.ts";
import { createMask } from "./mask.ts";
import type { ClientFormat, EntryMap } from "./row.ts";

/** Where an entry stands: in which file, written how, below which keys, under which name. */
export interface EntryPlace extends EntryAddress {
  /** What error messages begin with. */
  readonly file: string;
  readonly format: ClientFormat;
}

/** An edited text, and what leads back to the byte. */
export interface Splice {
  readonly text: string;
  readonly undo: Undo;
}

/**
 * Adds an entry, and the maps above it where they are missing, and to a text without content the members of `preamble`; no
 * byte of the text is lost but white space inside an empty map. Throws ClientFileError with the fragment to paste by hand: what parseClientDocument throws, ENTRY_EXISTS,
 * NOT_A_MAP (a value on the key path), or UNSUPPORTED_FORM where the edited text would not read as the same values
 * and the entry.
 */
export function insertEntry(
  text: string,
  place: EntryPlace,
  value: EntryMap,
  preamble?: EntryMap,
): Splice {
  return withFragment(place, value, () => {
    const opened = openEntry(text, place);
    if (opened.isThere) throw opened.refuse("ENTRY_EXISTS", "already has an entry of this name");
    const head = opened.dialect.isBlank ? preamble : undefined;
    const edits = opened.dialect.insertion(place, value, head);
    return commit(text, place, { opened, edits, value, head });
  });
}

/** Writes an entry anew where it stands. Throws as {@link insertEntry} does, but ENTRY_MISSING if it is not there. */
export function replaceEntry(text: string, place: EntryPlace, value: EntryMap): Splice {
  return withFragment(place, value, () => {
    const opened = requireEntry(text, place);
    return commit(text, place, { opened, edits: opened.dialect.replacement(place, value), value });
  });
}

/** Removes an entry and nothing else: its map stays, and so do comments around it. Throws like {@link replaceEntry}. */
export function removeEntry(text: string, place: EntryPlace): Splice {
  const opened = requireEntry(text, place);
  return commit(text, place, { opened, edits: opened.dialect.removal(place) });
}

/** The entry as a document of its own, which is what a person merges into the file by hand. */
export function renderFragment(place: Omit<EntryPlace, "file">, value: EntryMap): string {
  const { dialect } = openDialect("", { ...place, file: "" });
  return applyEdits("", dialect.insertion(place, value));
}

interface OpenedEntry {
  readonly dialect: Dialect;
  readonly isThere: boolean;
  /** Makes an error about the entry, at its place if it has one. */
  refuse(code: ClientFileErrorCode, reason: string): ClientFileError;
}

function openEntry(text: string, place: EntryPlace): OpenedEntry {
  const { dialect, refuse } = openDialect(text, place);
  requireMaps(dialect, place, refuse);
  const path = [...place.keyPath, place.name];
  const isThere = valueAt(dialect.value, path) !== undefined;
  const where = { offset: dialect.offsetOf(path), field: path.join(".") };
  return { dialect, isThere, refuse: (code, reason) => refuse(code, reason, where) };
}

function requireEntry(text: string, place: EntryPlace): OpenedEntry {
  const opened = openEntry(text, place);
  if (!opened.isThere) throw opened.refuse("ENTRY_MISSING", "has no entry of this name");
  return opened;
}

/** Refuses a key path on which something stands that is no map. A YAML key without a value counts as an empty map. */
function requireMaps(dialect: Dialect, { keyPath, format }: EntryPlace, refuse: Refuse): void {
  for (const depth of keyPath.keys()) {
    const path = keyPath.slice(0, depth + 1);
    const value = valueAt(dialect.value, path);
    if (value === undefined || isPlainMap(value) || (value === null && format === "yaml")) continue;
    const where = { offset: dialect.offsetOf(path), field: path.join(".") };
    throw refuse("NOT_A_MAP", "must be a map of keys to values", where);
  }
}

interface Change {
  readonly opened: OpenedEntry;
  readonly edits: readonly TextEdit[];
  readonly value?: EntryMap;
  /** What a blank text begins with. */
  readonly head?: EntryMap | undefined;
}

/** Applies the edits if the result reads as the values of before and the entry, and as nothing else. */
function commit(text: string, place: EntryPlace, change: Change): Splice {
  const { opened, edits, value, head } = change;
  const edited = applyEdits(text, edits);
  const path = [...place.keyPath, place.name];
  const result = readAgain(edited, place);
  const expected = { ...opened.dialect.value, ...head };
  const isEntry = isDeepStrictEqual(valueAt(result, path), value);
  if (isEntry && isDeepStrictEqual(blankOut(result, path), blankOut(expected, path)))
    return { text: edited, undo: undoOf(text, edits, edited) };
  const reason = "is written in a form that cannot be edited without a change to something else";
  throw opened.refuse("UNSUPPORTED_FORM", reason);
}

function readAgain(edited: string, place: EntryPlace): PlainMap | undefined {
  try {
    return openDialect(edited, place).dialect.value;
  } catch (error) {
    // An edited text that does not parse is the strongest sign that the form is not one to edit.
    if (error instanceof ClientFileError) return undefined;
    throw error;
  }
}

/** The values with `null` at a path, whatever stood there: what is left is what an edit may not change. */
function blankOut(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return null;
  const members = isPlainMap(value) ? value : {};
  return { ...members, [key]: blankOut(valueAt(members, [key]), rest) };
}

function withFragment(place: EntryPlace, value: EntryMap, edit: () => Splice): Splice {
  try {
    return edit();
  } catch (error) {
    if (!(error instanceof ClientFileError)) throw error;
    const fragment = createMask([value])(renderFragment(place, value));
    throw new ClientFileError(error.code, error.reason, error.place, { fragment, cause: error });
  }
}
