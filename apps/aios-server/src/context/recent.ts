import { limits } from "../limits.ts";
import { type Row, textOf } from "../reader/rows.ts";
import type { Days } from "./days.ts";
import { oneLine } from "./notes.ts";
import { canonicalText, compareText, sortRecords } from "./order.ts";
import type { Signal } from "./sources.ts";

/** A record of the last two days. */
interface Recent {
  readonly row: Row;
  /** Its timestamp as written, else its file's date; `date` is the first ten characters. */
  readonly time: string;
  readonly date: string;
  readonly text: string;
}

/** The newest sessions first; where two are of one time, in an order that never depends on the file's. */
export function newestSessions(rows: readonly Row[]): Row[] {
  const sessions = rows.map((row) => {
    const captured = capturedAt(row);
    return { row, captured, at: Date.parse(captured) || 0 };
  });
  const newestFirst = sortRecords(
    sessions,
    (a, b) => b.at - a.at || compareText(b.captured, a.captured),
  );
  return newestFirst.map(({ row }) => row);
}

/** When a session was captured, as it was written; "" where it says nothing. */
export function capturedAt(row: Row): string {
  return textOf(row, "captured_at") ?? "";
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

/** The events of today and yesterday, newest first. */
export function recentEvents(rows: readonly Row[], days: Days): Recent[] {
  return recentOnes(
    rows.map((row) => ({ row, date: "" })),
    days,
  );
}

/**
 * The signals of today and yesterday, newest first, without those that only mirror one of the events: type `update`
 * from `dotaios update`, said in the same words about the same project.
 */
export function recentSignals(
  signals: readonly Signal[],
  events: readonly Recent[],
  days: Days,
): Recent[] {
  const told = new Set(events.map(conceptOf));
  return recentOnes(signals, days).filter((signal) => {
    const isMirror = signal.row.type === "update" && signal.row.source === "dotaios update";
    return !(isMirror && told.has(conceptOf(signal)));
  });
}

/** `[2026-11-30] Template 31 nests a table`, for as many as are shown. */
export function recentLines(recent: readonly Recent[]): string[] {
  return recent.slice(0, limits.maxRecentRows).map(({ date, text }) => `[${date}] ${text}`);
}

function recentOnes(signals: readonly Signal[], days: Days): Recent[] {
  const recent = signals.flatMap((signal) => {
    const time = textOf(signal.row, "ts") ?? signal.date;
    const date = time.slice(0, 10);
    if (date !== days.today && date !== days.yesterday) return [];
    const text = oneLine(recordText(signal.row));
    return text === "" ? [] : [{ row: signal.row, time, date, text }];
  });
  return sortRecords(recent, (a, b) => compareText(b.time, a.time));
}

function recordText(row: Row): string {
  return textOf(row, "summary") ?? textOf(row, "note") ?? textOf(row, "type") ?? "";
}

function conceptOf({ row, text }: Recent): string {
  const { type, source, project, project_id } = row;
  return canonicalText({
    type,
    source,
    project: project ?? null,
    project_id: project_id ?? null,
    text,
  });
}
