import type { Dialect, PlainMap, ReadDialect, Refuse } from "./dialect.ts";
import { ClientFileError, placeAt } from "./error.ts";
import { readJson, readJsonc } from "./json.ts";
import type { ClientFormat } from "./table.ts";
import { readToml } from "./toml.ts";
import { readYaml } from "./yaml.ts";

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

/**
 * Reads a client's file. Throws ClientFileError SYNTAX, TOO_DEEP, DUPLICATE_KEY (at any depth) or NOT_A_MAP (a root that
 * is an array or a scalar). `file` is what the error's message begins with.
 */
export function parseClientDocument(
  text: string,
  { format, file }: { readonly format: ClientFormat; readonly file: string },
): ClientDocument {
  const { value } = openDialect(text, { format, file }).dialect;
  return Object.freeze({ value, get: (path: readonly string[]) => valueAt(value, path) });
}

/** A text as its format reads it, with what makes the errors of its file. */
export function openDialect(
  text: string,
  { format, file }: { readonly format: ClientFormat; readonly file: string },
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
  return { dialect: DIALECTS[format](text, refuse), refuse };
}

export function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as PlainMap)[key];
  }
  return at;
}
