import { createMeter, MIB } from "@core/bounds";
import { decideMemory } from "../src/memory/gate.ts";
import { type Contained, openContained } from "../src/reader/contained.ts";

/** Opens a folder as a tool would, for all of it or for one project. */
export function openForTest(folder: string, project?: string): Contained {
  const decision = decideMemory({ memory: undefined, project });
  if (decision.mode === "off") throw new Error("memory is not off here");
  const meter = createMeter({ bytes: 64 * MIB, files: 1_000, entries: 100_000 });
  return openContained(decision.access, { folder, meter });
}
