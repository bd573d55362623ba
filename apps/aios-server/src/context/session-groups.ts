import { limits } from "../limits.ts";
import type { Attributable } from "../memory/attribution.ts";
import { type Row, textOf } from "../reader/rows.ts";
import { compareText, firstRecords } from "./order.ts";

/** Sessions that say the same of whose they are: there may be thousands, of a few projects. */
export interface SessionGroup {
  /** What they say, as far as a rule of attribution can tell. */
  readonly names: Attributable;
  /** Milliseconds since 1970 of the latest. */
  readonly latest: number;
  readonly count: number;
  /** The newest, as many as may be shown. */
  readonly newest: readonly Row[];
}

/** Groups sessions, in any order. */
export function groupSessions(rows: readonly Row[]): SessionGroup[] {
  const groups: Session[][] = [];
  const byProject = new Map<OwnerName, Map<OwnerName, Session[]>>();
  for (const row of rows) {
    const project = ownerNameOf(row.project);
    const id = ownerNameOf(row.project_id);
    const byId = byProject.get(project) ?? new Map<OwnerName, Session[]>();
    const group = byId.get(id) ?? [];
    if (group.length === 0) {
      groups.push(group);
      byProject.set(project, byId.set(id, group));
    }
    group.push(sessionOf(row));
  }
  return groups.map(groupOf);
}

/** The newest of some groups first; where two are of one time, in an order that never depends on the file's. */
export function newestSessions(groups: readonly SessionGroup[], count: number): Row[] {
  const sessions = groups.flatMap(({ newest }) => newest.map(sessionOf));
  return firstSessions(sessions, count);
}

/** When a session was captured, as it was written; "" where it says nothing. */
export function capturedAt(row: Row): string {
  return textOf(row, "captured_at") ?? "";
}

/** A session and when it was captured, as it was written and in milliseconds since 1970, 0 where it is no time. */
interface Session {
  readonly row: Row;
  readonly captured: string;
  readonly at: number;
}

function sessionOf(row: Row): Session {
  const captured = capturedAt(row);
  return { row, captured, at: Date.parse(captured) || 0 };
}

function groupOf(sessions: readonly Session[]): SessionGroup {
  const { project, project_id: id } = sessions[0]!.row;
  return {
    names: { project: ownerNameOf(project), project_id: ownerNameOf(id) },
    latest: sessions.reduce((latest, { at }) => Math.max(latest, at), -Infinity),
    count: sessions.length,
    newest: firstSessions(sessions, limits.maxContextSessions),
  };
}

function firstSessions(sessions: readonly Session[], count: number): Row[] {
  const newestFirst = firstRecords(
    sessions,
    count,
    (a, b) => b.at - a.at || compareText(b.captured, a.captured),
  );
  return newestFirst.map(({ row }) => row);
}

/** What a session says in one of the two fields: a name, nothing, or something that can be nobody's. */
type OwnerName = string | undefined | typeof MALFORMED;

const MALFORMED = false;

function ownerNameOf(field: unknown): OwnerName {
  if (typeof field === "string") return field;
  return field === undefined || field === null ? undefined : MALFORMED;
}
