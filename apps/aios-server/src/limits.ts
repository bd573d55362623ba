import { KIB, MIB } from "@core/bounds";

/** Every number with a meaning. Lengths of arguments count code points, budgets and caps of answers UTF-16 units. */
export const limits = Object.freeze({
  /** Bytes of one JSON-RPC line on stdin; the longest useful one is far below a tenth of it (S15). */
  maxLineBytes: MIB,

  /** Code points of a project selector (S5). */
  maxProjectCodePoints: 200,
  /** Sessions that read_working_context may show (S6). */
  minContextSessions: 1,
  maxContextSessions: 10,
  defaultContextSessions: 3,
  /** UTF-16 units of the Markdown of read_working_context (S6). */
  minContextBudget: 256,
  maxContextBudget: 32_000,
  defaultContextBudget: 6_000,

  /** Code points of the intent of resolve_skill, and skills that it may name (S13). */
  maxIntentCodePoints: 500,
  minSkillMatches: 1,
  maxSkillMatches: 10,
  defaultSkillMatches: 1,
  /** UTF-16 units of the whole answer of resolve_skill (S13). */
  minSkillBudget: 256,
  maxSkillBudget: 32_000,
  defaultSkillBudget: 6_000,

  /** Code points of the query of search_aios, and results of each scope (S9). */
  maxQueryCodePoints: 500,
  minSearchResults: 1,
  maxSearchResults: 20,
  defaultSearchResults: 10,
  /** UTF-16 units of the whole answer of search_aios; the least is a frozen number of the contract (S9, S11). */
  minSearchBudget: 3_530,
  maxSearchBudget: 32_000,
  defaultSearchBudget: 6_000,
  /** What one search may read in all: bytes, files, and entries, which are those of folders and lines of records (S9). */
  maxSearchBytes: 256 * MIB,
  maxSearchFiles: 50_000,
  maxSearchEntries: 500_000,
  /** Bytes of one searched file, and entries of one searched folder (S9). */
  maxSearchFileBytes: 4 * MIB,
  maxSearchFolderEntries: 8_192,
  /** Omissions of one answer, besides the one that counts the rest (S10). */
  maxOmissions: 32,
  /** Snippets of one result, and items of any other list in it (field §4.7). */
  maxSnippets: 5,
  maxResultItems: 5,
  /** UTF-16 units of a text in a result, of a content or summary, and of a matched value (field §4.7). */
  maxResultTextUnits: 300,
  maxResultContentUnits: 800,
  maxMatchedValueUnits: 160,
  /** Lists and objects in each other within one result; what is deeper is left out. */
  maxResultDepth: 8,
  /** Bytes of texts kept between searches, and how old a change must be for that (speed table). */
  maxCachedBytes: 64 * MIB,
  minCachedAgeMs: 2_000,
  /** Searches that may wait for the one that runs; more are refused. */
  maxWaitingSearches: 32,

  /** What one working context may read in all: bytes, files, directory entries (S7). */
  maxSourceBytes: 16 * MIB,
  maxSourceFiles: 512,
  maxSourceEntries: 10_000,
  /** Bytes of one note: context/*.md, a daily note, a project README, one signal file (S7). */
  maxNoteBytes: MIB,
  /** Bytes of decisions/log.md (S7). */
  maxDecisionLogBytes: 4 * MIB,
  /** Bytes of memory/sessions/index.jsonl and of memory/events.jsonl (S7). */
  maxSessionIndexBytes: 8 * MIB,
  maxEventLogBytes: 8 * MIB,
  /** Entries of memory/signals, and signal files dated today or yesterday (S7). */
  maxSignalEntries: 8_192,
  maxSignalFiles: 64,
  /** Entries of projects/ (S7). */
  maxProjectEntries: 256,

  /** Entries of skills/, bytes of one SKILL.md, and bytes of its start, which holds the front matter (field §5). */
  maxSkillEntries: 512,
  maxSkillBytes: 8 * MIB,
  maxSkillHeadBytes: 64 * KIB,
  /** UTF-16 units of each text of a skill in an answer (field §5). */
  maxSkillTextUnits: 300,

  /** UTF-16 units of identity, priorities and current work each (field §3.4). */
  maxNoteUnits: 800,
  /** UTF-16 units of a project's excerpt (field §1.3). */
  maxExcerptUnits: 1_200,
  /** Items shown of each list (field §3.4). */
  maxDecisions: 3,
  maxPlanItems: 4,
  maxCarryOvers: 5,
  maxRecentRows: 8,

  /** Bytes of a README's front matter; a longer one is malformed (field §4.3). */
  maxFrontMatterBytes: 16 * KIB,
  /** Bytes of aios.json and of the migration owner record, and transactions looked at (field §1.2, §3.9). */
  maxConfigBytes: MIB,
  maxMigrationOwnerBytes: 4_096,
  maxTransactions: 16,
  /** What one inspection of the migration state may read in all. */
  maxInspectionFiles: 2,

  /** UTF-16 units of an answer without its markdown, and of the rendered notices of `brief` (S8). */
  maxMetadataUnits: 1_024,
  maxNoticeUnits: 1_024,

  /** Folders held open at once while a call reads; older ones are closed and opened again when needed. */
  maxOpenFolders: 64,
  /** Names in one folder-relative path; deeper ones are refused. */
  maxPathDepth: 32,
});
