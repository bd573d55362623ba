import { describe, expect, it } from "vitest";
import { renderSearch, renderSkills, searchNotices, skillNotices } from "./terminal.ts";

const answer = { receipt: "Memory: Shared", notice: null };

describe("renderSkills", () => {
  it("gives each skill a heading, its description and where it is", () => {
    const match = {
      name: "plan",
      description: "Plan\nthe day.",
      score: 1.5,
      reason: "exact name",
      resource: "skills/plan/SKILL.md",
    };
    expect(renderSkills({ ...answer, matches: [match, { ...match, description: "" }] })).toBe(
      "Memory: Shared\n\nplan (1.5, exact name)\n  Plan the day.\n  skills/plan/SKILL.md\n\nplan (1.5, exact name)\n  skills/plan/SKILL.md",
    );
  });

  it("says that there is none, or why", () => {
    expect(renderSkills({ ...answer, matches: [] })).toMatch(/\n\nNo installed skill fits\.$/);
    expect(renderSkills({ receipt: "Memory: Off", notice: "off", matches: [] })).toBe(
      "Memory: Off\n\noff",
    );
  });
});

describe("skillNotices", () => {
  it("tells a skill that nobody can read and one that the budget left out", () => {
    const over = { ...answer, matches: [], skipped: { skills: 2 }, budget: { truncated: true } };
    expect(renderSkills(over)).toMatch(/No skill can be shown\.$/);
    expect(skillNotices(over)).toEqual([
      "2 skill(s) that nobody can read were passed over",
      "Not all that was found fits the budget; raise --budget",
    ]);
    expect(skillNotices({ ...answer, matches: [] })).toEqual([]);
  });
});

describe("renderSearch", () => {
  const empty = { ...answer, results: [], omissions: [] };

  it("gives notes, sessions and records a heading and what they say", () => {
    const results = [
      { source: "vault/a.md", title: "A", matches: [{ line: 3, content: "one / two" }] },
      { source: "sessions/x.md", title: null, matches: [] },
      {
        source: "memory/events.jsonl",
        ts: "2026-11-30T07:00:00Z",
        match: { field: "summary", value: "said\u001b[2J" },
      },
    ];
    expect(renderSearch({ ...empty, results })).toBe(
      "Memory: Shared\n\nvault/a.md · A\n  3: one / two\n\nsessions/x.md\n\nmemory/events.jsonl · 2026-11-30T07:00:00Z\n  summary: said?[2J",
    );
    expect(renderSearch(empty)).toMatch(/\n\nNothing was found\.$/);
  });

  it("tells what was not searched and what did not fit", () => {
    const omission = { scope: "vault", recovery: { message: "Make it smaller." } };
    expect(searchNotices({ ...empty, omissions: [omission], budget: { truncated: true } })).toEqual(
      [
        "vault was not searched: Make it smaller.",
        "Not all that was found fits the budget; raise --budget",
      ],
    );
    expect(searchNotices(empty)).toEqual([]);
  });
});
