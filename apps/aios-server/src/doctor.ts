import { createMeter } from "@core/bounds";
import { daysAt } from "./context/days.ts";
import { projectContext } from "./context/projection.ts";
import { AiosError } from "./errors.ts";
import { limits } from "./limits.ts";
import { decideMemory } from "./memory/gate.ts";
import { readCatalog } from "./reader/catalog.ts";
import { type Contained, openContained, type ReadMeter, type Shelf } from "./reader/contained.ts";
import { type Disk, nodeDisk } from "./reader/disk.ts";
import {
  createInspectionMeter,
  type InspectionCode,
  inspectMigration,
  type MigrationState,
} from "./reader/migration.ts";
import { parseRows } from "./reader/rows.ts";
import { shelves } from "./reader/shelves.ts";
import { locateVault } from "./reader/vault.ts";
import type { Omission } from "./search/omission.ts";
import { selectScopes } from "./search/scope.ts";
import { createAiosServer, createContextMeter } from "./server.ts";
import { readInstalled } from "./skill/installed.ts";

/** One thing about the folder that a person should know. */
export interface Finding {
  /** An error fails a tool; a warning leaves something out; a notice does neither. */
  readonly level: "error" | "warning" | "notice";
  /** What it is about, by its path from the folder. */
  readonly subject: string;
  readonly reason: string;
  readonly remedy: string;
}

/** The folder to look at, the home folder that `~` in its vault_path means, and the clock and disk to do it with. */
export interface Examined {
  readonly folder: string;
  readonly home?: string;
  readonly now?: Date;
  readonly disk?: Disk;
}

/** What one check may read: as much as a search. */
const ALL = {
  bytes: limits.maxSearchBytes,
  files: limits.maxSearchFiles,
  entries: limits.maxSearchEntries,
};

/** The program that wrote the folder and changes it; this one only reads. */
export const MIGRATOR = "npx dotaios@2.0.20 migrate";

/**
 * Examines a folder as the tools read it, one source after the other, so that one that cannot be read hides no other.
 * Never throws, and writes nothing. No finding where all is well.
 */
export function examineFolder(examined: Examined): Finding[] {
  const { folder, home = "", now = new Date(), disk = nodeDisk } = examined;
  const check: Check = (subject, look, meter = createMeter(ALL)) =>
    attempt(subject, () => {
      using reader = openForAll(folder, disk, meter);
      return look(reader);
    });

  const closed = check("aios.json", () => []);
  if (closed.length > 0) return closed;
  const ofState = findingsOfState(folderState({ folder, disk }));
  const ofVault = hasError(ofState)
    ? []
    : check("aios.json", (reader) => examineVault(reader, { folder, home, disk }));
  const ofSources = examineSources(check, now);
  const asTool = (reader: Contained) => projectWhole(reader, now);
  return [
    ...ofState,
    ...ofVault,
    ...ofSources,
    ...(hasError(ofSources) ? [] : check("read_working_context", asTool, createContextMeter())),
    ...(hasError([...ofState, ...ofVault]) ? [] : examineScopes({ folder, home, disk })),
  ];
}

type Check = (
  subject: string,
  look: (reader: Contained) => Finding[],
  meter?: ReadMeter,
) => Finding[];

function hasError(findings: readonly Finding[]): boolean {
  return findings.some(({ level }) => level === "error");
}

/** The sources of a working context, each for itself. */
function examineSources(check: Check, now: Date): Finding[] {
  const checkNote = (path: string, shelf: Shelf) =>
    check(path, (reader) => {
      reader.read(path, shelf);
      return [];
    });
  const checkRows = (path: string, shelf: Shelf) =>
    check(path, (reader) => damagedLines(path, reader.read(path, shelf)?.text));

  const { today, yesterday } = daysAt(now);
  return [
    ...checkNote("context/identity.md", shelves.identity),
    ...checkNote("context/priorities.md", shelves.priorities),
    ...checkNote("context/work.md", shelves.work),
    ...checkNote("decisions/log.md", shelves.decisions),
    ...checkNote(`memory/daily/${today}.md`, shelves.daily),
    ...checkNote(`memory/daily/${yesterday}.md`, shelves.daily),
    ...checkRows("memory/sessions/index.jsonl", shelves.sessions),
    ...checkRows("memory/events.jsonl", shelves.events),
    ...check("memory/signals", examineSignals),
    ...check("projects", examineProjects),
    ...check("skills", examineSkills),
  ];
}

/** What a search of each scope would fail with or leave out. */
function examineScopes(place: { folder: string; home: string; disk: Disk }): Finding[] {
  const { searchAios } = createAiosServer({ ...place, version: "" });
  return selectScopes("all", "shared").flatMap((scope) => {
    const subject = `search of ${scope}`;
    const given = { query: "doctor", scope, limit: 1, budget: limits.maxSearchBudget };
    return attempt(subject, () => {
      const { omissions } = JSON.parse(searchAios(given)) as { omissions: readonly Omission[] };
      return omissions.map(({ reason, recovery }) => ({
        level: "warning",
        subject,
        reason: `It is left out: ${reason.replaceAll("_", " ")}`,
        remedy: recovery.message,
      }));
    });
  });
}

/** Whether the folder's schema and this program fit together. Never throws. */
export function folderState({ folder, disk = nodeDisk }: Examined): MigrationState {
  return inspectMigration(() => openForAll(folder, disk, createInspectionMeter()));
}

function openForAll(folder: string, disk: Disk, meter: ReadMeter): Contained {
  const decision = decideMemory({ memory: "shared", project: undefined });
  if (decision.mode === "off") throw new Error("Memory cannot be off here");
  return openContained(decision.access, { folder, meter, disk });
}

/** What a look finds, or what made it fail. */
function attempt(subject: string, look: () => Finding[]): Finding[] {
  try {
    return look();
  } catch (error) {
    if (!(error instanceof AiosError)) throw error;
    // What can be done stands at the end of each sentence.
    const [reason, remedy = "mend it"] = error.message.split("; ");
    return [{ level: "error", subject, reason: reason!, remedy: sentence(remedy) }];
  }
}

function examineVault(reader: Contained, place: Parameters<typeof locateVault>[1]): Finding[] {
  if (locateVault(reader, place).kind !== "missing") return [];
  const reason = "Its vault_path leads to nothing, so there is no vault to search";
  return [{ level: "warning", subject: "aios.json", reason, remedy: "Mend or remove vault_path." }];
}

/** Whether all sources together are within what one call may read. */
function projectWhole(reader: Contained, now: Date): Finding[] {
  const { defaultContextSessions: limit, maxContextBudget: budget } = limits;
  projectContext(reader, { limit, budget, receipt: "", now });
  return [];
}

function damagedLines(subject: string, text = ""): Finding[] {
  const written = text.split("\n").filter((line) => line.trim() !== "").length;
  const damaged = written - parseRows(text).length;
  if (damaged === 0) return [];
  const reason = `${damaged} of its ${written} lines are no JSON objects and are passed over`;
  return [{ level: "warning", subject, reason, remedy: "Mend or remove those lines." }];
}

function examineSignals(reader: Contained): Finding[] {
  const files = (reader.list("memory/signals", shelves.signals) ?? []).filter(({ name }) =>
    name.endsWith(".jsonl"),
  );
  return files.flatMap(({ name }) => {
    const path = `memory/signals/${name}`;
    return damagedLines(shown(path), reader.read(path, shelves.signalFile)?.text);
  });
}

function examineProjects(reader: Contained): Finding[] {
  return readCatalog(reader).unusable.map((slug) => ({
    level: "warning",
    subject: shown(`projects/${slug}`),
    reason:
      "It is passed over: its folder's name is no slug, it is a link, or its README's front matter is no valid and unique identity",
    remedy:
      "Name the folder in small letters, digits and hyphens, and give the README valid YAML with an id that no other has.",
  }));
}

function examineSkills(reader: Contained): Finding[] {
  return readInstalled(reader).unusable.map((folder) => ({
    level: "warning",
    subject: shown(`skills/${folder}`),
    reason: "It is passed over: its name or its SKILL.md's front matter cannot be used",
    remedy:
      "Name it in small letters, digits and hyphens; save SKILL.md as UTF-8 with front matter of name, description and triggers.",
  }));
}

function findingsOfState(state: MigrationState): Finding[] {
  switch (state.status) {
    case "current":
      return [];
    case "schema_outdated":
      return [
        {
          level: "notice",
          subject: "aios.json",
          reason: `The folder has schema ${state.folderVersion}, this program knows ${state.supportedVersion}`,
          remedy: `Migrate it with the program that wrote it: ${MIGRATOR}`,
        },
      ];
    case "transaction_present":
      return [
        {
          level: "warning",
          subject: ".dotaios/migrations/transactions",
          reason: "A migration left its transaction behind, or is at work now",
          remedy:
            "Make sure that none is at work, then let the program that wrote the folder look at it.",
        },
      ];
    case "inspection_failed":
      return [STATE_FINDINGS[state.code]];
  }
}

const config = (level: Finding["level"], reason: string, remedy: string): Finding => ({
  level,
  subject: "aios.json",
  reason,
  remedy,
});
const metadata = (reason: string, remedy: string): Finding => ({
  level: "warning",
  subject: ".dotaios/migrations",
  reason,
  remedy,
});
const AGAIN = "Run this command again once nothing writes to the folder.";
const SAVE_AGAIN = "Restore it from a backup, or mend it by hand.";
const UNKNOWN_TO_US = "Leave it as it is, and ask the program that wrote the folder.";

const STATE_FINDINGS: Readonly<Record<InspectionCode, Finding>> = Object.freeze({
  MISSING_FILE: config("error", "It is missing", "Start with --path and the right folder."),
  UNSAFE_FILE: config("error", "It is a link or no regular file", "Replace it by a real file."),
  CONFIG_TOO_LARGE: config("error", "It is larger than 1 MiB", SAVE_AGAIN),
  CONFIG_CHANGED: config("warning", "It changed while it was read", AGAIN),
  INVALID_CONFIG_ENCODING: config("error", "Its bytes are not UTF-8", "Save it as UTF-8."),
  INVALID_CONFIG: config("error", "It is no JSON object", SAVE_AGAIN),
  INVALID_SCHEMA: config("warning", "Its schema_version is no x.y.z", SAVE_AGAIN),
  FUTURE_SCHEMA: config(
    "warning",
    "Its schema is newer than this program knows",
    "Use a newer version of dotaios-mcp.",
  ),
  UNSUPPORTED_SCHEMA: config("warning", "This program does not know its schema", UNKNOWN_TO_US),
  UNOWNED_METADATA: metadata("It has no valid owner record", UNKNOWN_TO_US),
  UNSAFE_METADATA: metadata("It holds links, or what is no transaction", UNKNOWN_TO_US),
  TOO_MANY_TRANSACTIONS: metadata("It holds more transactions than are looked at", UNKNOWN_TO_US),
  STATE_CHANGED: metadata("It changed while it was read", AGAIN),
  INSPECTION_FAILED: metadata("It could not be read", "Check its permissions."),
});

/** A path out of the folder, safe to print. */
function shown(path: string): string {
  return path.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?").slice(0, 200);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
