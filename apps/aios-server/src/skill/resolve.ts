import type { SkillRequest } from "../arguments/skill.ts";
import { readCatalog } from "../reader/catalog.ts";
import type { Contained } from "../reader/contained.ts";
import { readInstalled } from "./installed.ts";
import { matchSkills, type SkillMatch } from "./match.ts";

/** The skills that an intent may mean, and how many could not be asked. */
export interface Resolved {
  readonly matches: readonly SkillMatch[];
  readonly skipped: number;
}

/**
 * Finds the skills of a folder that an intent may mean, the best first. Skills are nobody's project: a project only has
 * to exist. Nothing that was read may have changed by the end.
 */
export function resolveSkills(
  reader: Contained,
  { intent, limit }: Pick<SkillRequest, "intent" | "limit">,
): Resolved {
  const { project } = reader.access;
  if (project !== null) readCatalog(reader).select(project);
  const { skills, unusable } = readInstalled(reader);
  reader.verify();
  return { matches: matchSkills(intent, skills).slice(0, limit), skipped: unusable.length };
}
