import fc from "fast-check";
import { edges } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { limits } from "../limits.ts";
import { decideMemory } from "../memory/gate.ts";
import type { SkillMatch } from "../skill/match.ts";
import { skillAnswer } from "./skill.ts";

const shared = decideMemory({ memory: "shared", project: undefined });
const project = decideMemory({ memory: undefined, project: "p" });
const off = decideMemory({ memory: "off", project: undefined });

const match = (folder: string, description = "", triggers: string[] = []): SkillMatch => ({
  skill: { folder, name: folder, description, triggers },
  score: 0.5,
  reason: "matched description",
});
const answer = (given: Partial<Parameters<typeof skillAnswer>[0]> = {}) => {
  const text = skillAnswer({
    intent: "plan my day",
    budget: 6_000,
    memory: shared,
    matches: [],
    skipped: 0,
    scrubPaths: (some) => some,
    ...given,
  });
  return { text, ...JSON.parse(text) };
};

describe("skillAnswer", () => {
  it("states intent, matches, receipt and budget, and says how many skills nobody could read", () => {
    const { text, ...said } = answer({ matches: [match("a", "b", ["c"])], skipped: 2 });
    expect(said).toEqual({
      intent: "plan my day",
      matches: [
        {
          name: "a",
          description: "b",
          triggers: ["c"],
          score: 0.5,
          reason: "matched description",
          resource: "skills/a/SKILL.md",
        },
      ],
      memory: "shared",
      receipt: "Memory: Shared",
      notice: null,
      complete: true,
      skipped: { skills: 2 },
      budget: { limit: 6_000, used: text.length, truncated: false },
    });
    expect(answer()).not.toHaveProperty("skipped");
  });

  it("[S13] is indented where that fits, else compact, to the character", () => {
    const matches = [match("a", "é🌊", ["x"])];
    const pretty = answer({ matches }).text.length - 1;
    const texts = edges(pretty).map((budget) => answer({ matches, budget }));
    expect(texts.map(({ text }) => text.includes("\n"))).toEqual([false, true, true]);
    expect(texts.map(({ budget }) => budget.truncated)).toEqual([false, false, false]);
    for (const { text, budget } of texts) expect(budget.used).toBe(text.length);
  });

  it.each([
    ["letters", "x".repeat(limits.maxIntentCodePoints)],
    ["characters outside the basic plane", "🌊".repeat(limits.maxIntentCodePoints)],
    ["characters that JSON escapes", "\u0001".repeat(limits.maxIntentCodePoints)],
    ["lone surrogates", "\ud800".repeat(limits.maxIntentCodePoints)],
  ])(
    "[S13] stays within the smallest budget with an intent of 500 %s, memory off included",
    (_, intent) => {
      for (const memory of [shared, project, off]) {
        const { text, budget, matches, receipt, notice, ...said } = answer({
          intent,
          memory,
          budget: limits.minSkillBudget,
          matches: memory === off ? [] : [match("a".repeat(64), "d".repeat(900))],
          skipped: memory === off ? 0 : limits.maxSkillEntries,
        });
        expect(text.length).toBeLessThanOrEqual(limits.minSkillBudget);
        expect(budget).toEqual({ limit: 256, used: text.length, truncated: true });
        expect(said.intent).toMatch(/\[intent truncated\]$/);
        expect({ matches, receipt }).toEqual({ matches: [], receipt: memory.receipt });
        expect(notice).toBe(memory.mode === "off" ? memory.notice : null);
      }
    },
  );

  it("[S13] gives up the intent's echo before a match, and the last match before the first", () => {
    const matches = [match("first"), match("second"), match("third")];
    const intent = "i".repeat(200);
    const whole = answer({ intent, matches, budget: 900 });
    expect(whole.budget.truncated).toBe(false);
    const less = answer({ intent, matches, budget: 550 });
    expect(less.matches).toHaveLength(3);
    expect(less.intent).toMatch(/^i+\[intent truncated\]$/);
    expect(less.text).toHaveLength(550);
    const few = answer({ intent, matches, budget: 450 });
    expect(few.matches.map(({ name }: { name: string }) => name)).toEqual(["first", "second"]);
  });

  it("[S16] shows no machine path, and scrubs before it cuts", () => {
    const long = `${"x".repeat(295)} /home/ines/secret`;
    const { matches } = answer({
      matches: [
        { ...match("a", long, ["/home/ines/t"]), reason: 'matched trigger "/home/ines/t"' },
      ],
      scrubPaths: (some) => some.replaceAll(/\/home\/ines\/\w+/g, "[path]"),
    });
    expect(matches[0].description).toBe(`${"x".repeat(295)} [pa…`.slice(0, 300));
    expect(matches[0]).toMatchObject({ triggers: ["[path]"], reason: 'matched trigger "[path]"' });
  });

  it("[S13] fits any matches and intent into any budget, and says its own length", () => {
    const text = fc.string({ unit: "binary", maxLength: 400 });
    const matches = fc.array(fc.tuple(text, fc.array(text, { maxLength: 3 })), { maxLength: 10 });
    const budget = fc.integer({ min: limits.minSkillBudget, max: 4_000 });
    fc.assert(
      fc.property(text, matches, budget, (intent, found, most) => {
        const made = found.map(([description, triggers], at) =>
          match(`s${at}`, description, triggers),
        );
        const {
          text: written,
          budget: said,
          ...rest
        } = answer({ intent, matches: made, budget: most });
        expect(written.length).toBeLessThanOrEqual(most);
        expect(said.used).toBe(written.length);
        const isWhole = rest.matches.length === made.length && rest.intent === intent;
        expect(said.truncated).toBe(!isWhole);
      }),
    );
  });
});
