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

/** Where the files of a scope are, and how the entries on the way are counted. */
export interface Walk {
  readonly tree: Tree;
  /** What is read, in words for an error sentence. */
  readonly source: string;
  /** Asked before each entry; throws to stop. */
  readonly countEntry: () => void;
}

/** Names that nobody means to search: hidden ones, other people's code, and what looks like a secret (field §4.2). */
const SKIPPED = /^(?:\.|node_modules$|(?:credentials|token)(?:\.|$)|.*\.(?:pem|key)$)/i;

/** Whether a file is a note by its name. */
export function isNote(name: string): boolean {
  return /\.md$/i.test(name);
}

/** The wanted files of one folder. */
export function listFolder(
  walk: Walk,
  folder: string,
  isWanted: (name: string) => boolean,
): readonly FileGroup[] {
  return groupsOf(walk, folder, entriesOf(walk, folder), isWanted);
}

/** The wanted files of a folder and of all folders below it, folder by folder. Links are never followed. */
export function listDeep(
  walk: Walk,
  folder: string,
  isWanted: (name: string) => boolean,
): readonly FileGroup[] {
  const groups: FileGroup[] = [];
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const entries = entriesOf(walk, next);
    groups.push(...groupsOf(walk, next, entries, isWanted));
    const inner = entries.filter(({ name, kind }) => kind === "folder" && !SKIPPED.test(name));
    waiting.push(...inner.map(({ name }) => pathOf(next, name)).reverse());
  }
  return groups;
}

/** The path of an entry of a folder, which is "" for the root. */
export function pathOf(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

function entriesOf({ tree, source, countEntry }: Walk, folder: string): readonly Entry[] {
  let count = 0;
  const countHere = () => {
    if (++count > limits.maxSearchFolderEntries)
      throw new CeilingMet("directory_entries_exceeded", { entries: count });
    countEntry();
  };
  return tree.list(folder, source, countHere) ?? [];
}

/** One group, or none where nothing is wanted. */
function groupsOf(
  { tree, source }: Walk,
  folder: string,
  entries: readonly Entry[],
  isWanted: (name: string) => boolean,
): readonly FileGroup[] {
  const names: string[] = [];
  for (const { name, kind } of entries) {
    if (kind === "folder" || !isWanted(name) || SKIPPED.test(name)) continue;
    if (kind === "link") throw new AiosError("SOURCE_LINKED", { source });
    if (kind === "other") throw new AiosError("SOURCE_NOT_REGULAR", { source });
    names.push(name);
  }
  return names.length > 0 ? [{ tree, folder, names }] : [];
}
