import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchSkills } from "./match.ts";
import type { Skill } from "./skill.ts";

const skill = (name: string, triggers: string[] = [], description = ""): Skill => ({
  folder: name,
  name,
  triggers,
  description,
});
const scores = (intent: string, ...skills: Skill[]) =>
  matchSkills(intent, skills).map(({ skill: { name }, score, reason }) => [name, score, reason]);

describe("matchSkills", () => {
  it("[S13] gives 100 for a skill's very name or its folder's", () => {
    const moved = { ...skill("plan"), folder: "plan-today" };
    expect(scores(" PLAN-Today ", moved)).toEqual([["plan", 100, "exact name"]]);
    expect(scores("Plan", moved)).toEqual([["plan", 100, "exact name"]]);
    expect(scores("plan today", moved)).toEqual([]);
  });

  it("[S13] scores the best trigger by shared words and adds for one that is the intent or within it", () => {
    const plan = (trigger: string) => skill("x", [trigger]);
    expect(scores("plan my day", plan("plan my day"))[0]?.[1]).toBe(1.5);
    expect(scores("plan my day", plan("Plan: my DAY!"))[0]?.[1]).toBe(1.5);
    expect(scores("plan my day now", plan("plan my day"))[0]?.[1]).toBe(1.2);
    expect(scores("day", plan("plan my day"))[0]?.[1]).toBe(0.667);
    expect(scores("plan the week", plan("plan my day"))[0]?.[1]).toBe(0.5);
  });

  it("[S13] adds at most a half for the description", () => {
    const text = "compare tides with gauges";
    expect(scores("compare tides gauges", skill("x", [], text))).toEqual([
      ["x", 0.5, "matched description"],
    ]);
    expect(
      scores("compare tides gauges", skill("x", ["compare tides"], text))[0]?.slice(1),
    ).toEqual([1.7, 'matched trigger "compare tides"']);
  });

  it("[S13] names what hardly matches, and leaves out what does not", () => {
    const words = Array.from({ length: 12 }, (_, at) => `w${at}`).join(" ");
    expect(scores("w1 other", skill("x", [], words))).toEqual([["x", 0.143, "weak overlap"]]);
    const more = Array.from({ length: 60 }, (_, at) => `w${at}`).join(" ");
    expect(scores("w1 other", skill("x", [], more))).toEqual([]);
    expect(scores("what should I do with this", skill("x", ["do this"]))).toEqual([]);
    expect(scores("…", skill("x", ["…"], "…"))).toEqual([]);
  });

  it("[S18] matches words of any script, whatever their accents and case", () => {
    expect(scores("RESUMER la réunion", skill("x", ["résumer la re\u0301union"]))[0]?.[1]).toBe(
      1.5,
    );
    expect(scores("请写会议纪要", skill("x", ["会议纪要"]))[0]?.[1]).toBe(0.4);
    expect(scores("план на ДЕНЬ", skill("x", ["план на день"]))[0]?.[1]).toBe(1.5);
  });

  it("[S18] orders equal scores by name, then folder, by code and not by locale", () => {
    const tied = ["b", "a-b", "ab", "a"].map((name) => skill(name, ["same"]));
    const twin = { ...skill("a", ["same"]), folder: "0" };
    const found = matchSkills("same", [...tied, twin]).map(({ skill: { folder } }) => folder);
    expect(found).toEqual(["0", "a", "a-b", "ab", "b"]);
  });

  it("[S13] cannot be swayed by more triggers: only the best one counts", () => {
    const text = fc.string({ unit: fc.constantFrom(..."ab c") });
    fc.assert(
      fc.property(text, fc.array(text, { minLength: 1 }), (intent, triggers) => {
        const scoreOf = (some: string[]) => matchSkills(intent, [skill("x", some)])[0]?.score ?? 0;
        expect(scoreOf(triggers)).toBe(Math.max(...triggers.map((one) => scoreOf([one]))));
      }),
    );
  });
});
