import type { ContextAnswer } from "./working-context.ts";

/**
 * What a person at a terminal should know beside the projection, one line each. Bounded by
 * construction: at most two short lines, far below the 1,024 UTF-16 units of S8.
 */
export function contextNotices(answer: ContextAnswer): string[] {
  if (!("operational" in answer)) return [];
  const { migration } = answer.operational;
  const lines: string[] = [];
  if (migration.status === "schema_outdated")
    lines.push(
      `The folder has schema ${migration.folder_schema_version}, this program knows ${migration.supported_schema_version}: run ${migration.action?.command}`,
    );
  if (migration.status === "transaction_present")
    lines.push(`A migration left its transaction behind: run ${migration.action?.command}`);
  if (migration.status === "inspection_failed")
    lines.push(
      `The folder's migration state could not be told (${migration.code}): run ${migration.action?.command}`,
    );
  if (answer.skipped)
    lines.push(`${answer.skipped.projects} project(s) with an unreadable README were passed over`);
  return lines;
}
