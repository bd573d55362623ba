import { limits } from "../limits.ts";
import {
  choiceField,
  integerField,
  type RawArguments,
  readArguments,
  requiredTextField,
  schemaOf,
  selectorField,
} from "./fields.ts";
import { type MemoryMode, memoryField } from "./memory-mode.ts";

/** What search_aios can be narrowed to. */
export const SEARCH_SCOPES = [
  "memory",
  "vault",
  "context",
  "projects",
  "decisions",
  "skills",
  "references",
  "plugins",
  "sessions",
  "all",
] as const;
export type SearchScope = (typeof SEARCH_SCOPES)[number];

/** Neither separators nor control characters nor lone surrogates, no outer blank, and no dot segment (S5). */
const CANONICAL = String.raw`^(?!\.{1,2}$)(?!\s)(?!.*\s$)[^\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff/\\]+$`;

const fields = {
  memory: memoryField,
  query: requiredTextField("What to look for: words, or a phrase.", {
    maximum: limits.maxQueryCodePoints,
  }),
  scope: choiceField(
    "Where to look. With memory project only all, sessions, memory and projects are served.",
    SEARCH_SCOPES,
    "all",
  ),
  project: selectorField("A project's folder name or id; no alias.", {
    maximum: limits.maxProjectCodePoints,
    pattern: CANONICAL,
    says: "a folder name or id, without slashes, control characters and outer blanks",
  }),
  limit: integerField("How many results to return at most from each scope.", {
    minimum: limits.minSearchResults,
    maximum: limits.maxSearchResults,
    absent: limits.defaultSearchResults,
  }),
  budget: integerField("How many characters (UTF-16 units) the whole answer may have.", {
    minimum: limits.minSearchBudget,
    maximum: limits.maxSearchBudget,
    absent: limits.defaultSearchBudget,
  }),
};

/** What search_aios is asked for. `limit` counts results of each scope, `budget` UTF-16 units of the whole answer. */
export interface SearchRequest {
  readonly memory: MemoryMode | undefined;
  readonly query: string;
  readonly scope: SearchScope;
  readonly project: string | undefined;
  readonly limit: number;
  readonly budget: number;
}

/** The JSON Schema that tools/list shows for search_aios. */
export const searchSchema = schemaOf(fields);

/** Admits the arguments of search_aios; throws `AiosError` of kind input. */
export function parseSearch(given: RawArguments): SearchRequest {
  const read = readArguments(fields, given);
  return { ...read, scope: read.scope ?? "all" };
}
