import { describe, expect, it } from "vitest";
import * as z from "zod";
import { choiceOf, expectationOf, fieldsOf } from "./expectation.ts";

describe("expectationOf", () => {
  it.each([
    ["a string", () => z.string()],
    ["a number", () => z.number()],
    ["an integer", () => z.int()],
    ["an integer from 1 to 3", () => z.number().int().min(1).max(3)],
    ["an integer of at least 0", () => z.int().min(0)],
    ["a number of at most 9", () => z.number().max(9)],
    ["a number of more than 0 and less than 1", () => z.number().gt(0).lt(1)],
    ["true or false", () => z.boolean()],
    ["null", () => z.null()],
    ["an array", () => z.array(z.string())],
    ["an array", () => z.tuple([z.string()])],
    ["an object", () => z.strictObject({})],
    ["an object", () => z.record(z.string(), z.string())],
    ['"lazy"', () => z.literal("lazy")],
    ['one of "a", 1', () => z.literal(["a", 1])],
    ['one of "a", "b"', () => z.enum(["a", "b"])],
    ["a string or null", () => z.string().nullable()],
    ["a string", () => z.string().optional()],
    ["a string", () => z.string().default("x").readonly()],
    ["a string", () => z.string().prefault("x")],
    ["a string", () => z.string().catch("x")],
    ["a string", () => z.nonoptional(z.string().optional())],
    ["a string", () => z.string().transform(Number)],
    ["an integer", () => z.lazy(() => z.int())],
    ["a string or an integer", () => z.union([z.string(), z.int(), z.string()])],
    [
      "an object with a or an object",
      () => z.union([z.strictObject({ a: z.int(), b: z.int().optional() }), z.strictObject({})]),
    ],
    ["absent", () => z.never()],
    ["another kind of value", () => z.date()],
  ] as const)("[C2] puts a schema into words: %s", (words, make) => {
    expect(expectationOf(make())).toBe(words);
  });
});

describe("choiceOf", () => {
  it("[C2] shows twelve choices at most", () => {
    const letters = (count: number) => Array.from({ length: count }, (_, index) => index);
    expect(choiceOf(letters(12))).not.toContain("…");
    expect(choiceOf(letters(13))).toBe("one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …");
  });
});

describe("fieldsOf", () => {
  it("[C2] names an object's fields, and none of anything else", () => {
    expect(fieldsOf(z.strictObject({ a: z.string(), b: z.string() }))).toEqual(["a", "b"]);
    expect(fieldsOf(z.string())).toEqual([]);
    expect(fieldsOf(undefined)).toEqual([]);
  });
});
