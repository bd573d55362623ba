import { edges } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { limits } from "../limits.ts";
import {
  carryOvers,
  currentWork,
  focusOf,
  noteText,
  oneLine,
  planItems,
  recentDecisions,
} from "./notes.ts";

describe("noteText", () => {
  it("[S1] drops front matter and outer blanks", () => {
    expect(noteText("---\nupdated: today\n---\n\n# Who\n\ntext\n\n")).toBe("# Who\n\ntext");
  });

  it("cuts at 800 UTF-16 units, the ellipsis included", () => {
    const [under, on, over] = edges(limits.maxNoteUnits).map((length) =>
      noteText("x".repeat(length)),
    );
    expect([under?.length, on?.length, over?.length]).toEqual([799, 800, 800]);
    expect([on?.endsWith("…"), over?.endsWith("…")]).toEqual([false, true]);
  });
});

describe("currentWork", () => {
  it("[S1] is the section of that name, else the whole note", () => {
    expect(
      currentWork("# Work\n\n## Current Work\n\n- one\n### Sub\n- two\n\n## Later\n- three"),
    ).toBe("- one\n### Sub\n- two");
    expect(currentWork("---\na: 1\n---\n# Work\n- one")).toBe("# Work\n- one");
  });
});

describe("recentDecisions", () => {
  it("shows the titles of the last three, the newest first", () => {
    const log = "# Decisions\n\n## one\ntext\n## two\n### detail\n## three\n## four\ntext";
    expect(recentDecisions(log)).toEqual(["four", "three", "two"]);
    expect(recentDecisions("")).toEqual([]);
  });
});

describe("today's note", () => {
  const daily = [
    "# Monday",
    "## Focus",
    "",
    "  One thing.  ",
    "Another.",
    "## Plan",
    "<!-- four at most -->",
    "- [ ] open",
    "- [x] done",
    "* starred",
    "plain",
    "",
    "- fifth (Carried over from 2026-11-29)",
    "## Close",
    "- not a plan",
  ].join("\n");

  it("[S1] gives its first line of focus", () => {
    expect(focusOf(daily)).toBe("One thing.");
    expect(focusOf("## Focus of mine\ntext")).toBe("");
  });

  it("[S1] gives four plan items without bullets and boxes", () => {
    expect(planItems(daily)).toEqual(["open", "done", "starred", "plain"]);
  });

  it("[S1] gives what is carried over, also behind the fourth item, each once, at most five", () => {
    const yesterday = [
      "### Carry-over",
      "- outside of Close",
      "## Close",
      "### Carry-over",
      "- FIFTH (carried over from 2026-11-29)",
      "- b",
      "- B",
      "- c",
      "- d",
      "- e",
      "- f",
      "### Mood",
      "- fine",
    ].join("\n");
    expect(carryOvers({ today: daily, yesterday })).toEqual([
      "fifth (Carried over from 2026-11-29)",
      "b",
      "c",
      "d",
      "e",
    ]);
  });
});

describe("oneLine", () => {
  it("joins lines and blanks, however many blanks stand in front", () => {
    expect(oneLine(" a\n\n\t b\u00a0c ")).toBe("a b c");
    expect(oneLine(`${" ".repeat(200_000)}end`)).toBe("end");
  });

  it("[S6] keeps of a text that fits no budget as much as fits none", () => {
    const budget = limits.maxContextBudget;
    for (const length of edges(budget)) expect(oneLine("x".repeat(length))).toHaveLength(length);
    expect(oneLine("x ".repeat(budget)).length).toBeGreaterThan(budget);
    expect(oneLine("x".repeat(40 * budget)).length).toBe(2 * budget);
  });
});
