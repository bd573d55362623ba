import { AiosError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Entry } from "../reader/contained.ts";
import type { Tree } from "../reader/tree.ts";
import { CeilingMet } from "./omission.ts";

/** Files of one folder, by the path of the folder from the tree's root. */
export interface FileGroup {
  readonly tree: Tree;
  readonly folder: string;
  readonly names: readonly string[];
}

/** Counts so many more entries, and throws where they are too many. */
export type CountEntries = (entries: number) => void;

/** Where the files of a scope are, and how the entries on the way are counted. */
export interface Walk {
  readonly tree: Tree;
  /** What is read, in words for an error sentence. */
  readonly source: string;
  /** Told of entries before they are taken; throws to stop. */
  readonly countEntries: CountEntries;
}

/** Names that nobody means to search: hidden ones, other people's code, and what looks like a secret (field §4.2). */
const SKIPPED = /^(?:\.|node_modules$|(?:credentials|token)(?:\.|$)|.*\.(?:pem|key)$)/i;

/** Whether a file is wanted by its name. One function for all searches, which is asked once of a list that is kept. */
type IsWanted = (name: string) => boolean;

/** Whether a file is a note by its name. */
export function isNote(name: string): boolean {
  return /\.md$/i.test(name);
}

/** The wanted files of one folder. */
export function listFolder(walk: Walk, folder: string, isWanted: IsWanted): readonly FileGroup[] {
  return groupsOf(walk, folder, entriesOf(walk, folder), isWanted);
}

/** The wanted files of a folder and of all folders below it, folder by folder. Links are never followed. */
export function listDeep(walk: Walk, folder: string, isWanted: IsWanted): readonly FileGroup[] {
  walk.tree.listAhead(folder, limits.maxSearchEntries, innerOf);
  const groups: FileGroup[] = [];
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const entries = entriesOf(walk, next);
    groups.push(...groupsOf(walk, next, entries, isWanted));
    waiting.push(...innerOf(next, entries).reverse());
  }
  return groups;
}

function innerOf(folder: string, entries: readonly Entry[]): string[] {
  return entries
    .filter(({ name, kind }) => kind === "folder" && !SKIPPED.test(name))
    .map(({ name }) => pathOf(folder, name));
}

/** The path of an entry of a folder, which is "" for the root. */
export function pathOf(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

function entriesOf({ tree, source, countEntries }: Walk, folder: string): readonly Entry[] {
  let count = 0;
  const countHere = (entries: number) => {
    count += entries;
    if (count > limits.maxSearchFolderEntries)
      throw new CeilingMet("directory_entries_exceeded", { entries: count });
    countEntries(entries);
  };
  return tree.list(folder, source, countHere) ?? [];
}

/** One group, or none where nothing is wanted. */
function groupsOf(
  { tree, source }: Walk,
  folder: string,
  entries: readonly Entry[],
  isWanted: IsWanted,
): readonly FileGroup[] {
  const names = chosen.get(entries)?.get(isWanted) ?? choose(entries, isWanted, source);
  return names.length > 0 ? [{ tree, folder, names }] : [];
}

/** What was chosen of kept lists before, by the question. */
const chosen = new WeakMap<readonly Entry[], Map<IsWanted, readonly string[]>>();

function choose(entries: readonly Entry[], isWanted: IsWanted, source: string): readonly string[] {
  const names: string[] = [];
  for (const { name, kind } of entries) {
    if (kind === "folder" || !isWanted(name) || SKIPPED.test(name)) continue;
    if (kind === "link") throw new AiosError("SOURCE_LINKED", { source });
    if (kind === "other") throw new AiosError("SOURCE_NOT_REGULAR", { source });
    names.push(name);
  }
  chosen.set(entries, (chosen.get(entries) ?? new Map()).set(isWanted, names));
  return names;
}
