import type { Dialect, PlainMap, ReadDialect, Refuse } from "./dialect.ts";
import { ClientFileError, placeAt } from "./error.ts";
import { readJson, readJsonc } from "./json.ts";
import type { ClientFormat } from "./row.ts";
import { readToml } from "./toml.ts";
import { readYaml } from "./yaml.ts";
import { readYamlList } from "./yaml-list.ts";

const DIALECTS: Readonly<Record<ClientFormat, ReadDialect>> = {
  json: readJson,
  jsonc: readJsonc,
  toml: readToml,
  yaml: readYaml,
};

/** A client's file as plain values. */
export interface ClientDocument {
  /** The root map; empty for a text without content. */
  readonly value: PlainMap;
  /** The value at a path of keys, or `undefined`. */
  get(path: readonly string[]): unknown;
}

/** How a file is read: its format, and for a list of servers where it stands and what tells them apart. */
export interface Reading {
  readonly format: ClientFormat;
  /** What errors begin with. */
  readonly file: string;
  readonly keyPath?: readonly [string, ...string[]];
  readonly listedBy?: string | undefined;
}

/**
 * Reads a client's file; a list of servers as a map from their names. Throws ClientFileError SYNTAX, TOO_DEEP, DUPLICATE_KEY (at any depth) or NOT_A_MAP (a root that
 * is an array or a scalar).
 */
export function parseClientDocument(text: string, reading: Reading): ClientDocument {
  const { value } = openDialect(text, reading).dialect;
  return Object.freeze({ value, get: (path: readonly string[]) => valueAt(value, path) });
}

/** A text as its format reads it, with what makes the errors of its file. */
export function openDialect(
  text: string,
  { format, file, keyPath, listedBy }: Reading,
): { dialect: Dialect; refuse: Refuse } {
  const refuse: Refuse = (code, reason, { offset, field, line, column } = {}) => {
    if (offset !== undefined)
      return new ClientFileError(code, reason, placeAt(file, text, offset, field));
    const position = line === undefined ? {} : { line, column: column ?? 1 };
    return new ClientFileError(code, reason, {
      file,
      ...position,
      ...(field !== undefined && { field }),
    });
  };
  if (keyPath === undefined || listedBy === undefined)
    return { dialect: DIALECTS[format](text, refuse), refuse };
  if (format !== "yaml") throw new RangeError("Only lists of YAML are read.");
  return { dialect: readYamlList(text, refuse, { keyPath, listedBy }), refuse };
}

export function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as PlainMap)[key];
  }
  return at;
}
