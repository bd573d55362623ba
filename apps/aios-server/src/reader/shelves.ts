import { limits } from "../limits.ts";
import type { Shelf } from "./contained.ts";

/** What each source is called in an error sentence, and how large it may be (S7). */
export const shelves = Object.freeze({
  identity: { source: "the identity note", maximum: limits.maxNoteBytes },
  priorities: { source: "the priorities note", maximum: limits.maxNoteBytes },
  work: { source: "the work note", maximum: limits.maxNoteBytes },
  decisions: { source: "the decision log", maximum: limits.maxDecisionLogBytes },
  daily: { source: "a daily note", maximum: limits.maxNoteBytes },
  sessions: { source: "the session index", maximum: limits.maxSessionIndexBytes },
  events: { source: "the event log", maximum: limits.maxEventLogBytes },
  signals: { source: "the signals folder", maximum: limits.maxSignalEntries },
  signalFile: { source: "a signal file", maximum: limits.maxNoteBytes },
  projects: { source: "the projects folder", maximum: limits.maxProjectEntries },
  searchedProjects: {
    source: "the projects folder",
    maximum: limits.maxSearchFolderEntries,
  },
  readme: { source: "a project's README", maximum: limits.maxNoteBytes },
  skills: { source: "the skills folder", maximum: limits.maxSkillEntries },
  skill: {
    source: "a skill's SKILL.md",
    maximum: limits.maxSkillBytes,
    head: limits.maxSkillHeadBytes,
  },
  config: { source: "aios.json", maximum: limits.maxConfigBytes },
  migrations: { source: "the migrations folder", maximum: limits.maxSourceEntries },
  migrationOwner: {
    source: "the migrations' owner record",
    maximum: limits.maxMigrationOwnerBytes,
  },
  transactions: { source: "the transactions folder", maximum: limits.maxTransactions },
}) satisfies Readonly<Record<string, Shelf>>;
