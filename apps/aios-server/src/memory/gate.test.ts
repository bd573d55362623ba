import { describe, expect, it } from "vitest";
import { decideMemory } from "./gate.ts";

const decide = (
  memory: "shared" | "project" | "off" | undefined,
  project: string | undefined = undefined,
) => decideMemory({ memory, project });

describe("decideMemory", () => {
  it("[S2] is shared unless a project is named, and says so in the receipt", () => {
    for (const memory of ["shared", undefined] as const)
      expect(decide(memory)).toEqual({
        mode: "shared",
        receipt: "Memory: Shared",
        access: { project: null },
      });
    for (const memory of ["project", undefined] as const)
      expect(decide(memory, "tidewater")).toEqual({
        mode: "project",
        receipt: "Memory: This project",
        access: { project: "tidewater" },
      });
  });

  it("[S2] lets off win over a project, and gives no access", () => {
    for (const project of [undefined, "tidewater"]) {
      const decision = decide("off", project);
      expect(decision).toMatchObject({ mode: "off", receipt: "Memory: Off" });
      expect(decision).not.toHaveProperty("access");
    }
  });

  it("[S2] refuses shared with a project and project without one", () => {
    expect(() => decide("shared", "tidewater")).toThrow(
      expect.objectContaining({ code: "MEMORY_EXCLUDES_PROJECT", kind: "input" }),
    );
    expect(() => decide("project")).toThrow(
      expect.objectContaining({ code: "MEMORY_NEEDS_PROJECT", kind: "input" }),
    );
  });
});
