import { limits } from "../limits.ts";
import { type Catalog, readCatalog } from "../reader/catalog.ts";
import { type Contained, limitCrossed } from "../reader/contained.ts";
import { parseMarkedRows, parseRows, type Row } from "../reader/rows.ts";
import { shelves } from "../reader/shelves.ts";
import type { Days } from "./days.ts";
import { groupSessions, type SessionGroup } from "./session-groups.ts";

/** The notes that belong to nobody's project; in project mode they are not opened (S4). */
export interface SharedNotes {
  readonly identity: string;
  readonly priorities: string;
  readonly work: string;
  readonly decisions: string;
  readonly today: string;
  readonly yesterday: string;
}

/** A signal, with the date that its file's name gives it. */
export interface Signal {
  readonly row: Row;
  readonly date: string;
}

/** Everything that a working context is made from, events only as far as they may be of its days. A missing file is empty text. */
export interface Sources {
  readonly notes: SharedNotes | undefined;
  readonly sessions: readonly SessionGroup[];
  readonly signals: readonly Signal[];
  readonly events: readonly Row[];
  readonly catalog: Catalog;
}

/** Reads all sources; throws `AiosError` at the first that cannot be read whole (S7). */
export function readSources(reader: Contained, days: Days): Sources {
  const text = (path: string, shelf: keyof typeof shelves) =>
    reader.parse(path, shelves[shelf], (whole) => whole) ?? "";
  const readNotes = (): SharedNotes => ({
    identity: text("context/identity.md", "identity"),
    priorities: text("context/priorities.md", "priorities"),
    work: text("context/work.md", "work"),
    decisions: text("decisions/log.md", "decisions"),
    today: text(`memory/daily/${days.today}.md`, "daily"),
    yesterday: text(`memory/daily/${days.yesterday}.md`, "daily"),
  });
  return {
    notes: reader.access.project === null ? readNotes() : undefined,
    sessions: reader.parse("memory/sessions/index.jsonl", shelves.sessions, parseSessions) ?? [],
    signals: readSignals(reader, days),
    events: parseMarkedRows(text("memory/events.jsonl", "events"), marksOf(days)),
    catalog: readCatalog(reader),
  };
}

function parseSessions(index: string): SessionGroup[] {
  return groupSessions(parseRows(index));
}

/** What stands in each line of a long log that may be of the two days: most are not, and need not be parsed. */
function marksOf({ today, yesterday }: Days): string[] {
  // Behind an escape may be any date.
  return [today, yesterday, "\\"];
}

/** `2026-11-30.jsonl`, or with the machine's name in front: `workshop-2026-11-30.jsonl`. */
const SIGNAL_FILE = /^(?:.*-)?(\d{4}-\d{2}-\d{2})\.jsonl$/;

function readSignals(reader: Contained, days: Days): Signal[] {
  const entries = reader.list("memory/signals", shelves.signals) ?? [];
  const recent = entries.flatMap(({ name }) => {
    const date = SIGNAL_FILE.exec(name)?.[1];
    return date === days.today || date === days.yesterday ? [{ name, date }] : [];
  });
  if (recent.length > limits.maxSignalFiles)
    throw limitCrossed(
      "recentSignals",
      limits.maxSignalFiles,
      recent.length,
      shelves.signals.source,
    );
  return recent.flatMap(({ name, date }) => {
    const rows = reader.parse(`memory/signals/${name}`, shelves.signalFile, parseRows) ?? [];
    return rows.map((row) => ({ row, date }));
  });
}
