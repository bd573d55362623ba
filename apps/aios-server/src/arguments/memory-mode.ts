import { choiceField } from "./fields.ts";

const MEMORY_MODES = ["shared", "project", "off"] as const;
/** What a caller wants to be read: everything, what belongs to one project, or nothing. */
export type MemoryMode = (typeof MEMORY_MODES)[number];

/** The `memory` argument, the same in every tool. */
export const memoryField = choiceField(
  "What may be read: shared (everything), project (one project's files and the records that name it; needs project) or off (nothing, the folder is not looked at). Naming a project means project.",
  MEMORY_MODES,
  "shared",
);
