import { limits } from "../limits.ts";
import { integerField, type RawArguments, readArguments, schemaOf } from "./fields.ts";
import { type MemoryMode, memoryField } from "./memory-mode.ts";
import { projectField } from "./project.ts";

const fields = {
  memory: memoryField,
  project: projectField,
  limit: integerField("How many recent sessions to show at most.", {
    minimum: limits.minContextSessions,
    maximum: limits.maxContextSessions,
    absent: limits.defaultContextSessions,
  }),
  budget: integerField("How many characters (UTF-16 units) the markdown may have.", {
    minimum: limits.minContextBudget,
    maximum: limits.maxContextBudget,
    absent: limits.defaultContextBudget,
  }),
};

/** What read_working_context is asked for. `limit` counts sessions, `budget` UTF-16 units of Markdown. */
export interface WorkingContextRequest {
  readonly memory: MemoryMode | undefined;
  readonly project: string | undefined;
  readonly limit: number;
  readonly budget: number;
}

/** The JSON Schema that tools/list shows for read_working_context. */
export const workingContextSchema = schemaOf(fields);

/** Admits the arguments of read_working_context; throws `AiosError` of kind input. */
export function parseWorkingContext(given: RawArguments): WorkingContextRequest {
  const read = readArguments(fields, given);
  return { ...read, project: read.project?.trim() };
}
