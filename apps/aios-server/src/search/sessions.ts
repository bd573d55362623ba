import { AiosError } from "../errors.ts";
import { parseRow, type Row, textOf } from "../reader/rows.ts";
import type { SearchText } from "../reader/texts.ts";
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
  const bodies = new Map<string, SearchText>();

  function hitOf(row: Row): Hit<Result> | undefined {
    const path = textOf(row, "path");
    const body = bodies.get(path ?? "") ?? NO_TEXT;
    const beside = SEARCHED_FIELDS.map((field) => textOf(row, field) ?? "").join("\n");
    const mayMatch =
      pattern.mayMatch(body) || pattern.mayMatch({ text: "", folded: foldText(beside) });
    corpus.count(mayMatch ? `${foldText(beside)}\n${foldedOf(body)}` : undefined);
    const title = textOf(row, "title") ?? "";
    const found = mayMatch
      ? matchNote(pattern, body, { path: path ?? "", title, beside })
      : undefined;
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
    list(countEntry) {
      const walk = { tree, source: sourceOf("sessions"), countEntry };
      const group = listFolder(walk, FOLDER, (name) => name === "index.jsonl");
      return group ? [group] : [];
    },
    take({ folder, texts, rows }) {
      for (const row of rows) bodies.set(pathOf(folder, texts.nameOf(row)), texts.textOf(row));
    },
    discover() {
      const lines = linesOf(bodies.get(INDEX) ?? NO_TEXT);
      const all = lines.flatMap(({ text }): readonly Row[] => [parseRow(text) ?? []].flat());
      rows = isOwn ? all.filter(isOwn) : all;
      return { entries: lines.length, groups: groupsOf(rows, tree) };
    },
    results(limit) {
      for (const row of rows) {
        const hit = hitOf(row);
        if (hit) corpus.add(hit);
      }
      return corpus
        .ranked()
        .slice(0, limit)
        .map(({ make }) => make());
    },
  };
}

/** The files that rows point to, each once; throws SOURCE_PATH_UNSAFE for one that is not below the sessions. */
function groupsOf(rows: readonly Row[], tree: Tree): FileGroup[] {
  const byFolder = new Map<string, Set<string>>();
  for (const { path } of rows) {
    if (typeof path !== "string") continue;
    const names = path.split("/");
    const isInside = path.startsWith(`${FOLDER}/`) && names.every((name) => !isUnsafe(name));
    if (!isInside) throw new AiosError("SOURCE_PATH_UNSAFE", { source: "a session's text" });
    const folder = names.slice(0, -1).join("/");
    byFolder.set(folder, (byFolder.get(folder) ?? new Set()).add(names.at(-1)!));
  }
  return [...byFolder].map(([folder, names]) => ({ tree, folder, names: [...names] }));
}

function isUnsafe(name: string): boolean {
  return name === "" || name === "." || name === ".." || /[\\\0]/.test(name);
}
