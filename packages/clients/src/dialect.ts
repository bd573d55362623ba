import type { TextEdit } from "./edit.ts";
import type { ClientFileError, ClientFileErrorCode } from "./error.ts";
import type { EntryMap, EntryValue } from "./row.ts";

/** A map as a document says it, whatever its format. */
export type PlainMap = { readonly [key: string]: unknown };

/** What one format knows of a parsed text: its value, and the edits that change one entry and nothing else. */
export interface Dialect {
  /** The root map; empty for a text without content. */
  readonly value: PlainMap;
  /** Whether the text has no content: nothing, or only white space and comments. */
  readonly isBlank: boolean;
  /** Where the value at a path stands in the text, if it stands in one place. */
  offsetOf(path: readonly string[]): number | undefined;
  /**
   * Adds the entry. Every map on the key path is a map or absent, and the entry is absent. A preamble is given for a
   * blank text only, and its members come first.
   */
  insertion(address: EntryAddress, value: EntryMap, preamble?: EntryMap): TextEdit[];
  /** Writes the entry anew in its place. The entry is there. */
  replacement(address: EntryAddress, value: EntryMap): TextEdit[];
  /** Removes the entry; its map stays. The entry is there. */
  removal(address: EntryAddress): TextEdit[];
}

/** Where an entry stands in a document: the keys to its map, and its name there. */
export interface EntryAddress {
  readonly keyPath: readonly [string, ...string[]];
  readonly name: string;
  /** The member that holds the name, where the entries stand in a list (see the row of the table). */
  readonly listedBy?: string | undefined;
}

/** Parses a text. Throws what {@link Refuse} makes for a text that the format does not allow. */
export type ReadDialect = (text: string, refuse: Refuse) => Dialect;

/** Makes the error of one file. */
export type Refuse = (
  code: ClientFileErrorCode,
  reason: string,
  where?: {
    readonly offset?: number | undefined;
    readonly line?: number | undefined;
    readonly column?: number | undefined;
    readonly field?: string;
  },
) => ClientFileError;

/** Containers nest at most this deep. The parsers recurse, so a text without such a bound could exhaust the stack. */
export const MAX_DEPTH = 100;

/** `value` below the keys that lead to it: `nest(["a", "b"], 1)` is `{a: {b: 1}}`. */
export function nest<T extends EntryValue>(path: readonly string[], value: T): T | EntryMap {
  return path.reduceRight<T | EntryMap>((inner, key) => ({ [key]: inner }), value);
}

/** How many keys of the path lead to something that is there. */
export function depthFound(
  keyPath: readonly string[],
  find: (path: readonly string[]) => unknown,
): number {
  return keyPath.findLastIndex((_, index) => find(keyPath.slice(0, index + 1)) !== undefined) + 1;
}

export function isPlainMap(value: unknown): value is PlainMap {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

export function isMap(value: EntryValue): value is EntryMap {
  return typeof value === "object" && !Array.isArray(value);
}
