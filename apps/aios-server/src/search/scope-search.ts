import type { ReadFiles } from "../reader/tree.ts";
import type { Scope } from "./scope.ts";
import type { CountEntries, FileGroup } from "./walk.ts";

/** One result, before paths are scrubbed and texts cut: plain data of a few known fields or of a record's own. */
export type Result = { readonly scope: Scope; readonly [field: string]: unknown };

/** Files that were read from one folder, by its path from the root of its tree. */
export interface TakenFiles extends ReadFiles {
  readonly folder: string;
}

/** What the records of a scope ask for besides the files that it listed. */
interface Discovery {
  /** Lines of records. */
  readonly entries: number;
  /** Files that records point to. Any of them may be missing. */
  readonly groups: readonly FileGroup[];
}

/** The search of one scope, step by step: what it wants to read is admitted or refused as a whole in between. */
export interface ScopeSearch {
  readonly scope: Scope;
  /** Lists its files; `countEntries` is told of the entries of folders and throws to stop. */
  list(countEntries: CountEntries): readonly FileGroup[];
  take(files: TakenFiles): void;
  /** Asked once, when all listed files are taken. */
  discover(): Discovery;
  /** The best results, at most `limit`; asked once all that was discovered is taken as well. */
  results(limit: number): readonly Result[];
}

/** What a scope is called in an error sentence. */
export function sourceOf(scope: Scope): string {
  return `a file of the scope ${scope}`;
}
