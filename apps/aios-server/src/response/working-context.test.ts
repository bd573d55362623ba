import { describe, expect, it } from "vitest";
import { limits } from "../limits.ts";
import { decideMemory } from "../memory/gate.ts";
import { contextNotices } from "./notices.ts";
import { contextAnswer } from "./working-context.ts";

describe("contextAnswer", () => {
  const memory = decideMemory({ memory: "project", project: "x" });
  if (memory.mode === "off") throw new Error("memory is not off here");
  const largest = contextAnswer({
    memory,
    // A folder's name has at most 255 bytes; budget and projects are at their limits.
    projection: {
      markdown: "x".repeat(limits.maxContextBudget),
      truncated: true,
      project: "p".repeat(255),
      skippedProjects: limits.maxProjectEntries,
    },
    migration: {
      status: "transaction_present",
      folderVersion: "999999.999999.999999",
      supportedVersion: "999999.999999.999999",
    },
    budget: limits.maxContextBudget,
    now: new Date(8.64e15),
  });

  it("[S8] has at most 1,024 characters beside the markdown, at its very largest", () => {
    const { markdown: _, ...metadata } = largest;
    const { length } = JSON.stringify(metadata, null, 2);
    expect(length).toBeLessThanOrEqual(limits.maxMetadataUnits);
    expect(length).toBeGreaterThan(limits.maxMetadataUnits * 0.7);
  });

  it("[S8] renders its notices within 1,024 characters", () => {
    const notices = contextNotices(largest);
    expect(notices).toEqual([
      "A migration left its transaction behind: run dotaios doctor",
      "256 project(s) with an unreadable README were passed over",
    ]);
    expect(notices.join("\n").length).toBeLessThanOrEqual(limits.maxNoticeUnits);
  });
});
