import type { Attributable } from "../memory/attribution.ts";
import type { Project } from "../reader/project.ts";
import { inferProject } from "./active-project.ts";
import type { Days } from "./days.ts";
import { carryOvers, currentWork, focusOf, noteText, planItems, recentDecisions } from "./notes.ts";
import { recentEvents, recentLines, recentSignals, sessionLine } from "./recent.ts";
import { newestSessions } from "./session-groups.ts";
import type { SharedNotes, Sources } from "./sources.ts";

/** What a working context says, section by section. Empty text and empty lists are no sections. */
export interface Sections {
  readonly identity: string;
  readonly priorities: string;
  readonly work: string;
  readonly decisions: readonly string[];
  readonly focus: string;
  readonly plan: readonly string[];
  readonly carryOvers: readonly string[];
  readonly project: Project | undefined;
  readonly sessions: readonly string[];
  readonly signals: readonly string[];
  readonly events: readonly string[];
}

export const NO_SECTIONS: Sections = Object.freeze({
  identity: "",
  priorities: "",
  work: "",
  decisions: [],
  focus: "",
  plan: [],
  carryOvers: [],
  project: undefined,
  sessions: [],
  signals: [],
  events: [],
});

/**
 * Selects and orders what the sources hold (field §3.4). With a `selected` project only records that are attributed
 * to it are taken (S4); without, all are, and the active project is inferred.
 */
export function selectSections(
  sources: Sources,
  asked: { days: Days; sessions: number; selected: Project | undefined },
): Sections {
  const { days, selected } = asked;
  const { catalog } = sources;
  const owns = selected ? catalog.attributionOf(selected) : (_row: Attributable) => true;
  const sessions = sources.sessions.filter(({ names }) => owns(names));
  const events = recentEvents(sources.events.filter(owns), days);
  const signals = recentSignals(
    sources.signals.filter(({ row }) => owns(row)),
    events,
    days,
  );
  return {
    ...(sources.notes ? noteSections(sources.notes) : NO_SECTIONS),
    project: selected ?? inferProject(sessions, catalog),
    sessions: newestSessions(sessions, asked.sessions).map(sessionLine),
    signals: recentLines(signals),
    events: recentLines(events),
  };
}

function noteSections(
  notes: SharedNotes,
): Omit<Sections, "project" | "sessions" | "signals" | "events"> {
  return {
    identity: noteText(notes.identity),
    priorities: noteText(notes.priorities),
    work: currentWork(notes.work),
    decisions: recentDecisions(notes.decisions),
    focus: focusOf(notes.today),
    plan: planItems(notes.today),
    carryOvers: carryOvers(notes),
  };
}
