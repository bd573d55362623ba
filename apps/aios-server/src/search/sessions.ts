import { AiosError } from "../errors.ts";
import type { SearchText } from "../reader/block.ts";
import { namesOf } from "../reader/contained.ts";
import { parseRows, type Row, textOf } from "../reader/rows.ts";
import type { Tree } from "../reader/tree.ts";
import { createCorpus, type Hit } from "./corpus.ts";
import { matchNote } from "./note.ts";
import type { Pattern } from "./pattern.ts";
import { type Result, type ScopeSearch, sourceOf } from "./scope-search.ts";
import { foldedOf, linesOf } from "./text.ts";
import { type FileGroup, listFolder, pathOf } from "./walk.ts";
import { foldText } from "./word.ts";

const FOLDER = "memory/sessions";
const INDEX = `${FOLDER}/index.jsonl`;
/** What of a row is searched besides the session's own text. */
const SEARCHED_FIELDS = ["title", "agent", "project", "project_id"] as const;
const NO_TEXT: SearchText = Object.freeze({ text: "", folded: undefined });

function isIndex(name: string): boolean {
  return pathOf(FOLDER, name) === INDEX;
}

/**
 * Searches the sessions of the index, each with what its row says of it and with its own text, which may be missing.
 * With `isOwn`, only the rows that it admits.
 */
export function createSessionSearch(options: {
  tree: Tree;
  pattern: Pattern;
  now: number;
  isOwn: ((row: Row) => boolean) | undefined;
}): ScopeSearch {
  const { tree, pattern, now, isOwn } = options;
  const corpus = createCorpus<Result>({ pattern, now, newestFirst: true });
  let rows: readonly Row[] = [];
  /** What was read, the index too, by path. */
  const bodies = new Map<string, SearchText>();

  function hitOf(row: Row): Hit<Result> | undefined {
    const path = textOf(row, "path");
    const body = bodies.get(path ?? "") ?? NO_TEXT;
    const beside = SEARCHED_FIELDS.map((field) => textOf(row, field) ?? "").join("\n");
    const mayMatch =
      pattern.mayMatch(body) || pattern.mayMatch({ text: "", folded: foldText(beside) });
    if (!mayMatch) {
      corpus.countOthers(1);
      return undefined;
    }
    corpus.count(`${foldText(beside)}\n${foldedOf(body)}`);
    const title = textOf(row, "title") ?? "";
    const found = matchNote(pattern, body, { path: path ?? "", title, beside });
    if (found === undefined) return undefined;
    const captured = textOf(row, "captured_at") ?? "";
    const at = Date.parse(captured);
    return {
      match: found.match,
      boost: found.boost,
      at: Number.isNaN(at) ? undefined : at,
      tie: path ?? title,
      make: () => ({
        scope: "sessions",
        source: `sessions/${path ?? "index.jsonl"}`,
        file: path ?? null,
        title: row.title ?? null,
        agent: row.agent ?? null,
        date: captured.slice(0, 10) || null,
        session_id: row.session_id ?? null,
        project: row.project ?? null,
        matches: found.snippets(),
      }),
    };
  }

  return {
    scope: "sessions",
    list(countEntries) {
      const walk = { tree, source: sourceOf("sessions"), countEntries };
      return listFolder(walk, FOLDER, isIndex);
    },
    take({ folder, texts, rows }) {
      for (const row of rows) bodies.set(pathOf(folder, texts.nameOf(row)), texts.textOf(row));
    },
    discover() {
      const index = bodies.get(INDEX) ?? NO_TEXT;
      rows = parseRows(index.text).filter(isOwn ?? (() => true));
      return { entries: linesOf(index).length, groups: groupsOf(rows, tree) };
    },
    results(limit) {
      for (const row of rows) {
        const hit = hitOf(row);
        if (hit) corpus.add(hit);
      }
      return corpus.best(limit);
    },
  };
}

/** The files that rows point to, each once; throws SOURCE_PATH_UNSAFE for one that is not below the sessions. */
function groupsOf(rows: readonly Row[], tree: Tree): FileGroup[] {
  const source = "a session's text";
  const byFolder = new Map<string, Set<string>>();
  for (const { path } of rows) {
    if (typeof path !== "string") continue;
    const names = namesOf(path, source);
    if (!path.startsWith(`${FOLDER}/`)) throw new AiosError("SOURCE_PATH_UNSAFE", { source });
    const folder = names.slice(0, -1).join("/");
    byFolder.set(folder, (byFolder.get(folder) ?? new Set()).add(names.at(-1)!));
  }
  return [...byFolder].map(([folder, names]) => ({ tree, folder, names: [...names] }));
}
