import type { MemoryMode } from "../arguments/memory-mode.ts";
import { AiosError } from "../errors.ts";

declare const granted: unique symbol;

/** The right to look at the folder. Only {@link decideMemory} makes one, and memory "off" has none. */
export interface Access {
  readonly [granted]: true;
  /** The selector of the one project that may be shown; null when all may. */
  readonly project: string | null;
}

/** What the memory policy says of a call, with the receipt that the caller gets to see. */
export type MemoryDecision =
  | { readonly mode: "off"; readonly receipt: string; readonly notice: string }
  | { readonly mode: "shared" | "project"; readonly receipt: string; readonly access: Access };

const RECEIPTS = Object.freeze({
  shared: "Memory: Shared",
  project: "Memory: This project",
  off: "Memory: Off",
}) satisfies Record<MemoryMode, string>;

const OFF_NOTICE =
  "Memory is off: nothing was looked at or kept. The app itself may still keep its own history.";

/**
 * Decides what a call may see (S2). Off wins over everything; else an explicit mode, else `project` when a project is
 * named, else `shared`. Pure: touches no disk. Throws `AiosError` of kind input when mode and project contradict.
 */
export function decideMemory(asked: {
  memory: MemoryMode | undefined;
  project: string | undefined;
}): MemoryDecision {
  const { memory, project } = asked;
  if (memory === "off") return { mode: "off", receipt: RECEIPTS.off, notice: OFF_NOTICE };
  if (memory === "shared" && project !== undefined) throw new AiosError("MEMORY_EXCLUDES_PROJECT");
  if (memory === "project" && project === undefined) throw new AiosError("MEMORY_NEEDS_PROJECT");
  const mode = project === undefined ? "shared" : "project";
  return { mode, receipt: RECEIPTS[mode], access: grant(project ?? null) };
}

function grant(project: string | null): Access {
  return Object.freeze({ project }) as Access;
}
