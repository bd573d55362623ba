import type { Projection } from "../context/projection.ts";
import type { MemoryDecision } from "../memory/gate.ts";
import type { InspectionCode, MigrationState } from "../reader/migration.ts";

/** What is to be done about the folder, in the same folder that this server is configured for. */
interface Action {
  readonly command: "dotaios migrate" | "dotaios doctor";
  readonly path_scope: "configured_aios";
}

/** The migration state as a caller sees it (S8). No path and no transaction's name is in it. */
export type MigrationReport = (
  | {
      readonly status: "current" | "schema_outdated" | "transaction_present";
      readonly folder_schema_version: string;
      readonly supported_schema_version: string;
    }
  | { readonly status: "inspection_failed"; readonly code: InspectionCode }
) & { readonly severity: "none" | "notice" | "warning"; readonly action: Action | null };

type Off = Extract<MemoryDecision, { mode: "off" }>;
type On = Exclude<MemoryDecision, Off>;

/** The answer of read_working_context while memory is off: the receipt, and that nothing was looked at. */
export function offContext({ receipt, notice }: Off) {
  return {
    markdown: `${receipt}\n\n${notice}`,
    scope: { project: null },
    memory: "off" as const,
    receipt,
    notice,
    complete: true,
  };
}

/**
 * The answer of read_working_context. `budget` describes the markdown alone; everything else is bounded by
 * construction and stays within 1,024 characters (S8).
 */
export function contextAnswer(made: {
  memory: On;
  projection: Projection;
  migration: MigrationState;
  budget: number;
  now: Date;
}) {
  const { memory, projection, migration, budget, now } = made;
  const { markdown, truncated, project, skippedProjects } = projection;
  const used = markdown.length;
  return {
    markdown,
    memory: memory.mode,
    receipt: memory.receipt,
    notice: null,
    complete: true,
    scope: { project },
    generated_at: now.toISOString(),
    budget: { limit: budget, used, remaining: budget - used, truncated },
    ...(skippedProjects > 0 ? { skipped: { projects: skippedProjects } } : {}),
    operational: { migration: migrationReport(migration) },
  };
}

/** Any answer of read_working_context. */
export type ContextAnswer = ReturnType<typeof offContext> | ReturnType<typeof contextAnswer>;

function migrationReport(state: MigrationState): MigrationReport {
  if (state.status === "inspection_failed")
    return { ...state, severity: "warning", action: action("dotaios doctor") };
  const versions = {
    status: state.status,
    folder_schema_version: state.folderVersion,
    supported_schema_version: state.supportedVersion,
  };
  switch (state.status) {
    case "current":
      return { ...versions, severity: "none", action: null };
    case "schema_outdated":
      return { ...versions, severity: "notice", action: action("dotaios migrate") };
    case "transaction_present":
      return { ...versions, severity: "warning", action: action("dotaios doctor") };
  }
}

function action(command: Action["command"]): Action {
  return { command, path_scope: "configured_aios" };
}
