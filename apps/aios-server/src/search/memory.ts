import type { Row } from "../reader/rows.ts";
import type { Tree } from "../reader/tree.ts";
import { createCorpus, interleave } from "./corpus.ts";
import { takeNotes } from "./notes.ts";
import type { Pattern } from "./pattern.ts";
import { type Result, type ScopeSearch, sourceOf } from "./scope-search.ts";
import { rankRecords, type StreamFile, streamPartOf } from "./streams.ts";
import { linesOf } from "./text.ts";
import { isNote, listDeep, listFolder, pathOf } from "./walk.ts";

/** The folders of notes in memory, each a corpus of its own. Only a search that may see everything sees them. */
const NOTE_FOLDERS = ["memory/daily", "memory/inbox"];

function isStream(name: string): boolean {
  return streamPartOf(`memory/${name}`) !== undefined;
}

function isSignalFile(name: string): boolean {
  return streamPartOf(`memory/signals/${name}`) !== undefined;
}

/**
 * Searches the memory: streams of events and signals with their archives, daily notes and the inbox. With `isOwn`, only
 * the records that it admits, and no notes.
 */
export function createMemorySearch(options: {
  tree: Tree;
  pattern: Pattern;
  now: number;
  isOwn: ((row: Row) => boolean) | undefined;
}): ScopeSearch {
  const { tree, pattern, now, isOwn } = options;
  const scope = "memory";
  const streams: StreamFile[] = [];
  const shelves = (isOwn ? [] : NOTE_FOLDERS).map((folder) => ({
    shelf: { scope, folder, label: folder } as const,
    corpus: createCorpus<Result>({ pattern, now }),
  }));

  return {
    scope,
    list(countEntries) {
      const walk = { tree, source: sourceOf(scope), countEntries };
      return [
        ...listFolder(walk, "memory", isStream),
        ...listFolder(walk, "memory/signals", isSignalFile),
        ...shelves.flatMap(({ shelf }) => listDeep(walk, shelf.folder, isNote)),
      ];
    },
    take(files) {
      const { folder, texts, rows } = files;
      const notes = shelves.find(({ shelf }) => `${folder}/`.startsWith(`${shelf.folder}/`));
      if (notes) takeNotes(notes.corpus, pattern, files, notes.shelf);
      else
        for (const row of rows) {
          const source = pathOf(folder, texts.nameOf(row));
          const part = streamPartOf(source);
          if (part) streams.push({ ...part, source, text: texts.textOf(row) });
        }
    },
    discover: () => ({
      entries: streams.reduce((sum, { text }) => sum + linesOf(text).length, 0),
      groups: [],
    }),
    results(limit) {
      const notes = shelves.map(({ corpus }) => corpus.best(limit));
      const records = rankRecords(streams, { pattern, now, limit, isOwn });
      return interleave([records, ...notes], limit);
    },
  };
}
