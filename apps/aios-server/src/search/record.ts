import { limits } from "../limits.ts";
import type { Row } from "../reader/rows.ts";
import { excerptAround } from "./excerpt.ts";
import { MATCH_KINDS, type Pattern, type TextMatch } from "./pattern.ts";
import { foldText } from "./word.ts";

/** Fields that say where something is on a machine. They are neither searched nor shown (field §4.7). */
const HIDDEN_FIELDS: ReadonlySet<string> = new Set([
  "path",
  "source_path",
  "projectpath",
  "readmepath",
  "rootpath",
]);

/** Whether a record's field must not leave, in any case of letters. */
export function isHiddenField(name: string): boolean {
  return HIDDEN_FIELDS.has(name.toLowerCase());
}

/** The field of a record that matches best: `summary`, `a.b`, `a[0]`, or `entry` for the record as a whole. */
export interface RecordMatch {
  readonly match: TextMatch;
  readonly field: string;
  /** What stands in the field, around the place that matches, at most 160 UTF-16 units. */
  readonly value: string;
}

/** Matches a record by its fields; undefined where nothing in it does. */
export function matchRecord(pattern: Pattern, row: Row): RecordMatch | undefined {
  const leaves = [...leavesOf(row, "", limits.maxResultDepth)];
  let best: RecordMatch | undefined;
  for (const { field, text } of leaves) {
    const match = matchOf(pattern, field, text);
    if (match && (best === undefined || isBetter(match, best))) best = match;
  }
  const whole = matchOf(pattern, "entry", leaves.map(({ text }) => text).join("\n"));
  const isMore = whole && (best === undefined || compareKinds(whole, best) > 0);
  return isMore ? whole : best;
}

function matchOf(pattern: Pattern, field: string, text: string): RecordMatch | undefined {
  const folded = foldText(text);
  const match = pattern.match(folded);
  if (match === undefined) return undefined;
  const value = excerptAround(text, pattern.placeIn(folded), limits.maxMatchedValueUnits);
  return { match, field, value };
}

/** The summary wins over another field that matches as well. */
function isBetter(one: RecordMatch, other: RecordMatch): boolean {
  const difference = compareKinds(one, other) || one.match.score - other.match.score;
  return difference > 0 || (difference === 0 && one.field === "summary");
}

/** Above 0 where the first is of the better kind. */
function compareKinds(one: RecordMatch, other: RecordMatch): number {
  return MATCH_KINDS.indexOf(other.match.kind) - MATCH_KINDS.indexOf(one.match.kind);
}

function* leavesOf(
  value: unknown,
  field: string,
  depth: number,
): Generator<{ readonly field: string; readonly text: string }> {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    yield { field, text: String(value) };
    return;
  }
  if (typeof value !== "object" || value === null || depth === 0) return;
  for (const [key, inner] of Object.entries(value)) {
    if (Array.isArray(value)) yield* leavesOf(inner, `${field}[${key}]`, depth - 1);
    else if (!isHiddenField(key))
      yield* leavesOf(inner, field === "" ? key : `${field}.${key}`, depth - 1);
  }
}
