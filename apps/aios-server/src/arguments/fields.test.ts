import { Ajv } from "ajv";
import fc from "fast-check";
import { edges } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { AiosError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { RawArguments } from "./fields.ts";
import { parseWorkingContext, workingContextSchema } from "./working-context.ts";

function refusal(given: RawArguments): string {
  try {
    parseWorkingContext(given);
    return "accepted";
  } catch (error) {
    if (error instanceof AiosError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

describe("parseWorkingContext", () => {
  it("fills in what is absent", () => {
    expect(parseWorkingContext({})).toEqual({
      memory: undefined,
      project: undefined,
      limit: 3,
      budget: 6_000,
    });
  });

  it.each([
    ["limit", limits.minContextSessions, limits.maxContextSessions],
    ["budget", limits.minContextBudget, limits.maxContextBudget],
  ])("[S6] accepts %s from %i to %i and nothing beside", (name, minimum, maximum) => {
    const verdicts = (around: number) => edges(around).map((value) => refusal({ [name]: value }));
    const sentence = `ARGUMENT_RANGE: "${name}" must be from ${minimum} to ${maximum}`;
    expect(verdicts(minimum)).toEqual([sentence, "accepted", "accepted"]);
    expect(verdicts(maximum)).toEqual(["accepted", "accepted", sentence]);
  });

  it.each([
    [{ limit: "3" }, 'ARGUMENT_TYPE: "limit" must be an integer'],
    [{ limit: 2.5 }, 'ARGUMENT_TYPE: "limit" must be an integer'],
    [{ limit: true }, 'ARGUMENT_TYPE: "limit" must be an integer'],
    [{ limit: [3] }, 'ARGUMENT_TYPE: "limit" must be an integer'],
    [{ limit: null }, 'ARGUMENT_TYPE: "limit" must be an integer'],
    [{ project: 7 }, 'ARGUMENT_TYPE: "project" must be a string'],
    [{ project: null }, 'ARGUMENT_TYPE: "project" must be a string'],
    [{ memory: ["off"] }, 'ARGUMENT_TYPE: "memory" must be a string'],
    [{ memory: "Off" }, 'ARGUMENT_RANGE: "memory" must be one of shared, project, off'],
  ])("[S14] coerces nothing: %j", (given, said) => {
    expect(refusal(given)).toBe(said);
  });

  it("[S14] refuses an unknown key without repeating it, however long it is", () => {
    const said = refusal({ ["k".repeat(100_000)]: 1 });
    expect(said).toBe(
      "ARGUMENT_UNKNOWN: The arguments hold an unknown key; allowed are memory, project, limit, budget",
    );
    for (const key of ["__proto__", "constructor", "toString"])
      expect(refusal(JSON.parse(`{"${key}": 1}`))).toBe(said);
  });

  it("[S3] asks for unknown keys, then types, then ranges, then the selector's syntax", () => {
    const wrong = { extra: 1, budget: "x", limit: 99, project: " " };
    expect(refusal(wrong)).toMatch(/^ARGUMENT_UNKNOWN/);
    const { extra: _, ...known } = wrong;
    expect(refusal(known)).toMatch(/^ARGUMENT_TYPE: "budget"/);
    expect(refusal({ ...known, budget: 300 })).toMatch(/^ARGUMENT_RANGE: "limit"/);
    expect(refusal({ project: " " })).toMatch(/^SELECTOR_MALFORMED: "project"/);
  });

  it.each(["a", "🚀"])("[S5] accepts a selector of up to 200 code points (%s)", (character) => {
    const [under, on, over] = edges(limits.maxProjectCodePoints).map((count) =>
      refusal({ project: character.repeat(count) }),
    );
    expect([under, on]).toEqual(["accepted", "accepted"]);
    expect(over).toBe('ARGUMENT_RANGE: "project" must be 1 to 200 characters long');
  });

  it("[S5] trims a selector and takes any opaque id", () => {
    expect(parseWorkingContext({ project: "  café:client/01\u00a0" }).project).toBe(
      "café:client/01",
    );
  });

  it.each(["", " ", "\u00a0\u3000", "a\tb", "a\nb", "\u0000", "x\u007f", "x\u0085"])(
    "[S5] refuses the selector %j",
    (project) => {
      expect(refusal({ project })).toMatch(/^(SELECTOR_MALFORMED|ARGUMENT_RANGE): "project"/);
    },
  );

  it("[S14] decides as the advertised schema does, for any arguments", () => {
    const validate = new Ajv({ strict: true, unicodeRegExp: true }).compile(workingContextSchema);
    const value = fc.oneof(
      fc.integer({ min: -5, max: 40_000 }),
      fc.constantFrom(1, 10, 256, 32_000, 2.5, "shared", "project", "off", "", " ", "3"),
      fc.string({ unit: "binary", maxLength: 220 }),
      fc.constantFrom(null, true, [], {}),
    );
    const given = fc.dictionary(
      fc.constantFrom("memory", "project", "limit", "budget", "other"),
      value,
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(given, (candidate) => {
        expect(refusal(candidate) === "accepted").toBe(validate(candidate));
      }),
      { numRuns: 1_000 },
    );
  });
});
