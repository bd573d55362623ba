import type { SearchText } from "../reader/block.ts";
import { parseRow, type Row, textOf } from "../reader/rows.ts";
import { createCorpus, type Hit } from "./corpus.ts";
import type { Pattern } from "./pattern.ts";
import { matchRecord } from "./record.ts";
import type { Result } from "./scope-search.ts";
import { foldedOf, linesOf } from "./text.ts";

/** The two kinds of streams of records; each has a live part, an active archive and closed shards of one. */
type Family = "events" | "signals";

/** One file of a stream. The higher the shard, the newer. */
export interface StreamFile {
  readonly family: Family;
  readonly part: "live" | "active" | { readonly shard: number };
  readonly source: string;
  readonly text: SearchText;
}

/** Tells which file of a stream a path is; undefined where it is none. */
export function streamPartOf(path: string): Pick<StreamFile, "family" | "part"> | undefined {
  if (path === "memory/events.jsonl") return { family: "events", part: "live" };
  if (/^memory\/signals\/[^/]+\.jsonl$/.test(path)) return { family: "signals", part: "live" };
  const archive = /^memory\/(events|signals)-archive(?:\.(\d+))?\.jsonl$/.exec(path);
  if (archive === null) return undefined;
  const [, family, shard] = archive;
  return {
    family: family as Family,
    part: shard === undefined ? "active" : { shard: Number(shard) },
  };
}

interface RecordHit {
  readonly family: Family;
  readonly recordId: string | undefined;
  readonly result: () => Result;
}

/**
 * The best records of all streams. A record that stands in several generations of its stream counts once, and one that
 * an event and a signal tell of is shown once. `isOwn` says whether a record may be shown, where not all may.
 */
export function rankRecords(
  files: readonly StreamFile[],
  asked: {
    pattern: Pattern;
    now: number;
    limit: number;
    isOwn: ((row: Row) => boolean) | undefined;
  },
): Result[] {
  const { pattern, now, limit, isOwn } = asked;
  const corpus = createCorpus<RecordHit>({ pattern, now, newestFirst: true });
  const isCopy = createCopyFinder(files);
  for (const file of files) {
    const mayHold = pattern.mayMatch(file.text) || file.text.text.includes(ESCAPE);
    for (const line of linesOf(file.text)) {
      if (isCopy(file, line.text)) continue;
      const isAsked = mayHold && (pattern.mayMatch(line) || line.text.includes(ESCAPE));
      // Whose a record is, only its fields tell; where that does not matter, most lines need not be parsed.
      const row = isAsked || isOwn ? parseRow(line.text) : NOT_PARSED;
      if (row === undefined || (isOwn && !isOwn(row))) continue;
      if (!isAsked) {
        corpus.countOthers(1);
        continue;
      }
      corpus.count(foldedOf(line));
      const hit = hitOf(pattern, row, line.text, file);
      if (hit) corpus.add(hit);
    }
  }
  return withoutMirrors(corpus.ranked(), limit);
}

/** Behind an escape may be anything that is looked for. */
const ESCAPE = "\\";
const NOT_PARSED: Row = Object.freeze({});

function hitOf(
  pattern: Pattern,
  row: Row,
  line: string,
  { family, source }: StreamFile,
): Hit<RecordHit> | undefined {
  const found = matchRecord(pattern, row);
  if (found === undefined) return undefined;
  const { match, field, value } = found;
  const isSummary = field === "summary";
  const own = {
    scope: "memory" as const,
    source,
    match: { field, value, kind: match.kind, score: match.score },
    matchedField: isSummary ? null : field,
    matchedSnippet: isSummary ? null : value,
  };
  const at = Date.parse(textOf(row, "ts") ?? "");
  return {
    match,
    boost: 0,
    at: Number.isNaN(at) ? undefined : at,
    tie: line,
    make: () => ({
      family,
      recordId: textOf(row, "record_id"),
      // What we say of a record wins over what it says itself; the order stays ours.
      result: () => ({ ...own, ...row, ...own }),
    }),
  };
}

/** The best results, without a record of one family that the other has told of already. */
function withoutMirrors(hits: readonly Hit<RecordHit>[], limit: number): Result[] {
  const told = new Map<string, Family>();
  const results: Result[] = [];
  for (const { make } of hits) {
    if (results.length === limit) break;
    const { family, recordId, result } = make();
    const teller = recordId === undefined ? family : (told.get(recordId) ?? family);
    if (teller !== family) continue;
    if (recordId !== undefined) told.set(recordId, family);
    results.push(result());
  }
  return results;
}

/** The generations of a stream among which a rotation may leave copies; older shards are closed for good. */
const GENERATIONS = ["live", "newest shard", "active"] as const;
type Generation = (typeof GENERATIONS)[number];

/**
 * Finds the records that stand in more than one generation of their stream: those of the generation that has most of
 * them are kept, in doubt those of the first in the list above, and the others are copies.
 */
function createCopyFinder(
  files: readonly StreamFile[],
): (file: StreamFile, line: string) => boolean {
  const generations = generationsOf(files);
  const counts = new Map<string, Map<Generation, number>>();
  for (const [file, generation] of generations)
    for (const { text } of linesOf(file.text)) {
      const key = `${file.family} ${text}`;
      const of = counts.get(key) ?? new Map<Generation, number>();
      counts.set(key, of.set(generation, 1 + (of.get(generation) ?? 0)));
    }
  return (file, line) => {
    const generation = generations.get(file);
    const of = generation && counts.get(`${file.family} ${line}`);
    if (of === undefined) return false;
    const most = Math.max(...of.values());
    return GENERATIONS.find((one) => of.get(one) === most) !== generation;
  };
}

/** The files of each stream that has more than one generation. */
function generationsOf(files: readonly StreamFile[]): Map<StreamFile, Generation> {
  const found = new Map<StreamFile, Generation>();
  for (const family of ["events", "signals"]) {
    const own = files.filter((file) => file.family === family);
    const newest = Math.max(...own.map(({ part }) => (typeof part === "object" ? part.shard : -1)));
    const pairs = own.flatMap((file): [StreamFile, Generation][] => {
      if (typeof file.part === "string") return [[file, file.part]];
      return file.part.shard === newest ? [[file, "newest shard"]] : [];
    });
    if (new Set(pairs.map(([, generation]) => generation)).size > 1)
      for (const [file, generation] of pairs) found.set(file, generation);
  }
  return found;
}
