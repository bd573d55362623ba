import { Ajv } from "ajv";
import fc from "fast-check";
import { edges } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { AiosError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { RawArguments } from "./fields.ts";
import { parseSkillRequest, skillSchema } from "./skill.ts";

function refusal(given: RawArguments): string {
  try {
    parseSkillRequest(given);
    return "accepted";
  } catch (error) {
    if (error instanceof AiosError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

describe("parseSkillRequest", () => {
  it("fills in what is absent, trims the project and keeps the intent as it is", () => {
    expect(parseSkillRequest({ intent: " plan ", project: " p " })).toEqual({
      memory: undefined,
      project: "p",
      intent: " plan ",
      limit: 1,
      budget: 6_000,
    });
  });

  it.each([
    [{}, 'ARGUMENT_TYPE: "intent" must be given as a string'],
    [{ intent: null }, 'ARGUMENT_TYPE: "intent" must be given as a string'],
    [{ intent: ["a"] }, 'ARGUMENT_TYPE: "intent" must be given as a string'],
    [{ intent: "" }, 'ARGUMENT_RANGE: "intent" must be 1 to 500 characters long and not blank'],
    [
      { intent: " \n\u3000" },
      'ARGUMENT_RANGE: "intent" must be 1 to 500 characters long and not blank',
    ],
    [{ intent: "a", limit: "1" }, 'ARGUMENT_TYPE: "limit" must be an integer'],
    [{ intent: "a", project: " " }, /^SELECTOR_MALFORMED: "project"/],
    [{ intent: "a", query: "b" }, /^ARGUMENT_UNKNOWN: .* memory, project, intent, limit, budget$/],
  ])("[S14] coerces nothing: %j", (given, said) => {
    expect(refusal(given)).toEqual(typeof said === "string" ? said : expect.stringMatching(said));
  });

  it.each(["a", "🚀"])("[S13] takes an intent of up to 500 code points (%s)", (character) => {
    const verdicts = edges(limits.maxIntentCodePoints).map((count) =>
      refusal({ intent: character.repeat(count) }),
    );
    expect(verdicts.map((said) => said === "accepted")).toEqual([true, true, false]);
  });

  it.each([
    ["limit", limits.minSkillMatches, limits.maxSkillMatches],
    ["budget", limits.minSkillBudget, limits.maxSkillBudget],
  ])("[S13] takes %s from %i to %i", (name, minimum, maximum) => {
    const verdicts = [...edges(minimum), ...edges(maximum)].map(
      (value) => refusal({ intent: "a", [name]: value }) === "accepted",
    );
    expect(verdicts).toEqual([false, true, true, true, true, false]);
  });

  it("[S14] decides as the advertised schema does, for any arguments", () => {
    const validate = new Ajv({ strict: true, unicodeRegExp: true }).compile(skillSchema);
    const value = fc.oneof(
      fc.constantFrom(1, 10, 11, 256, 32_000, 2.5, "shared", "project", "off", "", " ", "3"),
      fc.string({ unit: "binary", maxLength: 520 }),
      fc.constantFrom(null, true, [], {}),
    );
    const given = fc.dictionary(
      fc.constantFrom("memory", "project", "intent", "limit", "budget", "other"),
      value,
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(given, (candidate) => {
        expect(refusal(candidate) === "accepted").toBe(validate(candidate));
      }),
      { numRuns: 500 },
    );
  });
});
