import { limits } from "../limits.ts";
import {
  integerField,
  type RawArguments,
  readArguments,
  requiredTextField,
  schemaOf,
} from "./fields.ts";
import { type MemoryMode, memoryField } from "./memory-mode.ts";
import { projectField } from "./project.ts";

const fields = {
  memory: memoryField,
  project: projectField,
  intent: requiredTextField("What the user wants to do, in their own words.", {
    maximum: limits.maxIntentCodePoints,
  }),
  limit: integerField("How many skills to name at most, the best first.", {
    minimum: limits.minSkillMatches,
    maximum: limits.maxSkillMatches,
    absent: limits.defaultSkillMatches,
  }),
  budget: integerField("How many characters (UTF-16 units) the whole answer may have.", {
    minimum: limits.minSkillBudget,
    maximum: limits.maxSkillBudget,
    absent: limits.defaultSkillBudget,
  }),
};

/** What resolve_skill is asked for. `budget` counts UTF-16 units of the whole answer. */
export interface SkillRequest {
  readonly memory: MemoryMode | undefined;
  readonly project: string | undefined;
  readonly intent: string;
  readonly limit: number;
  readonly budget: number;
}

/** The JSON Schema that tools/list shows for resolve_skill. */
export const skillSchema = schemaOf(fields);

/** Admits the arguments of resolve_skill; throws `AiosError` of kind input. */
export function parseSkillRequest(given: RawArguments): SkillRequest {
  const read = readArguments(fields, given);
  return { ...read, project: read.project?.trim() };
}
