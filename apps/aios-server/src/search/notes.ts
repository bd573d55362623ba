import type { Tree } from "../reader/tree.ts";
import { type Corpus, createCorpus } from "./corpus.ts";
import { matchNote } from "./note.ts";
import type { Pattern } from "./pattern.ts";
import type { Scope } from "./scope.ts";
import { type Result, type ScopeSearch, sourceOf, type TakenFiles } from "./scope-search.ts";
import { foldedOf } from "./text.ts";
import { isNote, listDeep, pathOf } from "./walk.ts";

/** Where the notes of a scope are. */
export interface Shelf {
  readonly scope: Scope;
  readonly tree: Tree;
  /** The folder of the notes from the tree's root, "" for all of it. */
  readonly folder: string;
  /** What a result calls that folder: `vault`, `projects/tidewater`. */
  readonly label: string;
}

/** Searches all notes below a folder, as one corpus. */
export function createNoteSearch(
  shelf: Shelf,
  { pattern, now }: { pattern: Pattern; now: number },
): ScopeSearch {
  const { scope, tree, folder } = shelf;
  const corpus = createCorpus<Result>({ pattern, now });
  const isWanted = scope === "plugins" ? isNoteOrManifest : isNote;
  return {
    scope,
    list: (countEntries) =>
      listDeep({ tree, source: sourceOf(scope), countEntries }, folder, isWanted),
    take: (files) => takeNotes(corpus, pattern, files, shelf),
    discover: () => ({ entries: 0, groups: [] }),
    results: (limit) => corpus.best(limit),
  };
}

function isNoteOrManifest(name: string): boolean {
  return isNote(name) || name === "manifest.json";
}

/** Counts notes into a corpus, and adds those that match as hits. */
export function takeNotes(
  corpus: Corpus<Result>,
  pattern: Pattern,
  { folder: at, texts, rows }: TakenFiles,
  { scope, folder, label }: Pick<Shelf, "scope" | "folder" | "label">,
): void {
  const mayMatch = texts.find(pattern.next);
  const asked = mayMatch.size === 0 ? [] : rows.filter((row) => mayMatch.has(row));
  corpus.countOthers(rows.length - asked.length);
  for (const row of asked) {
    const text = texts.textOf(row);
    corpus.count(foldedOf(text));
    const path = pathOf(at, texts.nameOf(row));
    const file = folder === "" ? path : path.slice(folder.length + 1);
    const found = matchNote(pattern, text, { path: file });
    if (!found?.isShown) continue;
    const { match, boost, title, snippets } = found;
    corpus.add({
      match,
      boost,
      at: texts.modifiedAt(row),
      tie: file,
      make: () => ({ scope, source: `${label}/${file}`, file, title, matches: snippets() }),
    });
  }
}
