import { Ajv } from "ajv";
import fc from "fast-check";
import { edges } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { AiosError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { RawArguments } from "./fields.ts";
import { parseSearch, searchSchema } from "./search.ts";
import { parseSkillRequest } from "./skill.ts";
import { parseWorkingContext } from "./working-context.ts";

function refusal(given: RawArguments): string {
  try {
    parseSearch({ query: "tide", ...given });
    return "accepted";
  } catch (error) {
    if (error instanceof AiosError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

describe("parseSearch", () => {
  it("fills in what is absent and keeps the query as it is", () => {
    expect(parseSearch({ query: "  Tide  " })).toEqual({
      memory: undefined,
      query: "  Tide  ",
      scope: "all",
      project: undefined,
      limit: 10,
      budget: 6_000,
    });
  });

  it.each([
    ["limit", limits.minSearchResults, limits.maxSearchResults],
    ["budget", limits.minSearchBudget, limits.maxSearchBudget],
  ])("accepts %s from %i to %i and nothing beside", (name, minimum, maximum) => {
    const verdicts = (around: number) => edges(around).map((value) => refusal({ [name]: value }));
    const sentence = `ARGUMENT_RANGE: "${name}" must be from ${minimum} to ${maximum}`;
    expect(verdicts(minimum)).toEqual([sentence, "accepted", "accepted"]);
    expect(verdicts(maximum)).toEqual(["accepted", "accepted", sentence]);
  });

  it("[S11] refuses a budget of 3,529, which the other tools accept down to 256", () => {
    expect([refusal({ budget: 3_529 }), refusal({ budget: 3_530 })]).toEqual([
      'ARGUMENT_RANGE: "budget" must be from 3530 to 32000',
      "accepted",
    ]);
    expect(parseWorkingContext({ budget: 256 }).budget).toBe(256);
    expect(parseSkillRequest({ intent: "x", budget: 256 }).budget).toBe(256);
  });

  it("counts the query in code points, from 1 to 500, not all of them blank", () => {
    const query = (text: string) => refusal({ query: text }).split(":")[0];
    expect(edges(500).map((length) => query("\u{1f30a}".repeat(length)))).toEqual([
      "accepted",
      "accepted",
      "ARGUMENT_RANGE",
    ]);
    expect([query(""), query(" \n")]).toEqual(["ARGUMENT_RANGE", "ARGUMENT_RANGE"]);
  });

  it.each([
    "tidewater",
    "prj-tidewater-4f2",
    "café:client.01",
    "a b",
    "x".repeat(200),
    "\u{1f30a}".repeat(200),
    "..x",
  ])("[S5] accepts a folder name or id: %j", (project) => {
    expect(refusal({ project })).toBe("accepted");
  });

  it.each([
    " tide",
    "tide ",
    "\u00a0tide",
    "a/b",
    "a\\b",
    "/tide",
    ".",
    "..",
    "a\u0000",
    "a\u0085b",
    "a\nb",
    "\ud800",
    "a\udc00b",
  ])(
    "[S5] refuses what could be a path, a control, half a character or has an outer blank: %j",
    (project) => {
      expect(refusal({ project })).toBe(
        'SELECTOR_MALFORMED: "project" must be a folder name or id, without slashes, control characters and outer blanks',
      );
    },
  );

  it("[S5] refuses a selector of the wrong type or length", () => {
    expect([refusal({ project: 7 }), refusal({ project: null })]).toEqual([
      'ARGUMENT_TYPE: "project" must be a string',
      'ARGUMENT_TYPE: "project" must be a string',
    ]);
    expect([refusal({ project: "" }), refusal({ project: "x".repeat(201) })]).toEqual([
      'ARGUMENT_RANGE: "project" must be 1 to 200 characters long',
      'ARGUMENT_RANGE: "project" must be 1 to 200 characters long',
    ]);
  });

  it("[S14] accepts exactly what its schema does", () => {
    const validate = new Ajv({ strict: true }).compile(searchSchema);
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 4 }),
      fc.constantFrom("..", ".", " a", "a/b", "tide", "\ud800", "a\u2028b", "x".repeat(501)),
    );
    const value = fc.oneof(
      text,
      fc.constantFrom("all", "vault", "shared", "off", 1, 20, 21, 3_530, 3_529, 1.5, null, true),
      fc.constant([]),
    );
    const given = fc.dictionary(
      fc.constantFrom("memory", "query", "scope", "project", "limit", "budget", "extra"),
      value,
    );
    fc.assert(
      fc.property(given, (candidate) => {
        let isAccepted = true;
        try {
          parseSearch(candidate);
        } catch {
          isAccepted = false;
        }
        expect(isAccepted).toBe(validate(candidate));
      }),
      { numRuns: 3_000 },
    );
  });
});
