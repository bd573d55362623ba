import type { Tree } from "../reader/tree.ts";
import { type Corpus, createCorpus } from "./corpus.ts";
import { matchNote } from "./note.ts";
import type { Pattern } from "./pattern.ts";
import type { Scope } from "./scope.ts";
import { type Result, type ScopeSearch, sourceOf, type TakenFile } from "./scope-search.ts";
import { foldedOf, type SearchText } from "./text.ts";
import { isNote, listDeep } from "./walk.ts";

/** Where the notes of a scope are. */
export interface Shelf {
  readonly scope: Scope;
  readonly tree: Tree<SearchText>;
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
  const isWanted =
    scope === "plugins" ? (name: string) => isNote(name) || name === "manifest.json" : isNote;
  return {
    scope,
    list: (countEntry) => listDeep({ tree, source: sourceOf(scope), countEntry }, folder, isWanted),
    take: (file) => takeNote(corpus, pattern, file, shelf),
    discover: () => ({ entries: 0, groups: [] }),
    results: (limit) =>
      corpus
        .ranked()
        .slice(0, limit)
        .map(({ make }) => make()),
  };
}

/** Adds a note to a corpus, if it matches as a hit. */
export function takeNote(
  corpus: Corpus<Result>,
  pattern: Pattern,
  { path, stamp, text }: TakenFile,
  { scope, folder, label }: Pick<Shelf, "scope" | "folder" | "label">,
): void {
  if (!pattern.mayMatch(text)) {
    corpus.count();
    return;
  }
  corpus.count(foldedOf(text));
  const file = folder === "" ? path : path.slice(folder.length + 1);
  const found = matchNote(pattern, text, { path: file });
  if (!found?.isShown) return;
  const { match, boost, title, snippets } = found;
  corpus.add({
    match,
    boost,
    at: Number(stamp.mtimeNs / 1_000_000n),
    tie: file,
    make: () => ({ scope, source: `${label}/${file}`, file, title, matches: snippets() }),
  });
}
