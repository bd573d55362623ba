import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { durationSchema, MAX_DURATION_MS, parseDuration } from "./duration.ts";

describe("parseDuration", () => {
  it.each([
    ["30s", 30_000],
    ["5m", 300_000],
    ["1h30m", 5_400_000],
    ["500ms", 500],
    ["0s", 0],
    ["1h2m3s4ms", 3_723_004],
    ["90m", 5_400_000],
  ])("[C3] reads %s as %d ms", (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
    expect(durationSchema.parse(text)).toBe(milliseconds);
  });

  it.each([
    "",
    "30",
    "1.5h",
    "-1s",
    "s",
    "1h 30m",
    "30m1h",
    "1s1s",
    "5M",
    "5 m",
    " 5m",
    "1d",
    "5m\n",
    "٥m",
  ])("[C3] refuses %j", (text) => {
    expect(() => parseDuration(text, { file: "f", field: "t" })).toThrow(
      "f t: must be a duration such as 500ms, 30s, 5m or 1h30m",
    );
    expect(durationSchema.safeParse(text).success).toBe(false);
  });

  it("[C3] takes the longest time that a timer keeps and refuses one more", () => {
    expect(parseDuration(`${MAX_DURATION_MS - 1}ms`)).toBe(MAX_DURATION_MS - 1);
    expect(parseDuration(`${MAX_DURATION_MS}ms`)).toBe(MAX_DURATION_MS);
    const tooLong = `${MAX_DURATION_MS + 1}ms`;
    expect(() => parseDuration(tooLong)).toThrow("must be a duration of at most 2147483647 ms");
    expect(durationSchema.safeParse(tooLong).success).toBe(false);
    expect(() => parseDuration("999999999h")).toThrow("at most");
  });

  it("[C3] adds up what it reads", () => {
    const part = fc.integer({ min: 0, max: 99 });
    fc.assert(
      fc.property(part, part, part, part, (h, m, s, ms) => {
        expect(parseDuration(`${h}h${m}m${s}s${ms}ms`)).toBe(((h * 60 + m) * 60 + s) * 1_000 + ms);
      }),
    );
  });
});
