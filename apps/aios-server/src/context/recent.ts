import { limits } from "../limits.ts";
import { type Row, textOf } from "../reader/rows.ts";
import type { Days } from "./days.ts";
import { oneLine } from "./notes.ts";
import { canonicalText, compareText, firstRecords } from "./order.ts";
import { capturedAt } from "./session-groups.ts";
import type { Signal } from "./sources.ts";

/** A record of the last two days, which says something. */
interface Recent {
  readonly row: Row;
  /** Its timestamp as written, else its file's date; `date` is the first ten characters. */
  readonly time: string;
  readonly date: string;
}

/** `2026-11-30 · claude · tidewater · "Header of the pack format" (14 turns)` */
export function sessionLine(row: Row): string {
  const date = capturedAt(row).slice(0, 10) || "unknown";
  const agent = textOf(row, "agent") ?? "unknown";
  const project = textOf(row, "project");
  const title = textOf(row, "title") ?? "(untitled)";
  const turns = Number.isSafeInteger(row.turns) ? Number(row.turns) : 0;
  const whose = project === undefined ? [date, agent] : [date, agent, project];
  return oneLine(`${whose.join(" · ")} · "${title}" (${turns} turns)`);
}

/** The events of today and yesterday. */
export function recentEvents(rows: readonly Row[], days: Days): Recent[] {
  return recentOnes(
    rows.map((row) => ({ row, date: "" })),
    days,
  );
}

/**
 * The signals of today and yesterday, without those that only mirror one of the events: type `update` from
 * `dotaios update`, said in the same words about the same project.
 */
export function recentSignals(
  signals: readonly Signal[],
  events: readonly Recent[],
  days: Days,
): Recent[] {
  const told = new Set(events.filter(isUpdate).map(conceptOf));
  const isMirror = (signal: Recent) => isUpdate(signal) && told.has(conceptOf(signal));
  return recentOnes(signals, days).filter((signal) => !isMirror(signal));
}

/** `[2026-11-30] Template 31 nests a table`, the newest first, for as many as are shown. */
export function recentLines(recent: readonly Recent[]): string[] {
  const newestFirst = firstRecords(recent, limits.maxRecentRows, (a, b) =>
    compareText(b.time, a.time),
  );
  return newestFirst.map(({ row, date }) => `[${date}] ${oneLine(recordText(row))}`);
}

function recentOnes(signals: readonly Signal[], days: Days): Recent[] {
  return signals.flatMap((signal) => {
    const time = textOf(signal.row, "ts") ?? signal.date;
    const date = time.slice(0, 10);
    const isRecent = date === days.today || date === days.yesterday;
    return isRecent && recordText(signal.row) !== "" ? [{ row: signal.row, time, date }] : [];
  });
}

function isUpdate({ row }: Recent): boolean {
  return row.type === "update" && row.source === "dotaios update";
}

function recordText(row: Row): string {
  return textOf(row, "summary") ?? textOf(row, "note") ?? textOf(row, "type") ?? "";
}

function conceptOf({ row }: Recent): string {
  const { type, source, project, project_id } = row;
  return canonicalText({
    type,
    source,
    project: project ?? null,
    project_id: project_id ?? null,
    text: oneLine(recordText(row)),
  });
}
