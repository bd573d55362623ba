import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countBytes, countCodePoints, countLines } from "./measure.ts";
import { type CutLimits, cutBytes, cutText } from "./text.ts";

describe("cutText", () => {
  it.each([
    { limits: { maxBytes: 4 }, kept: "aé", limit: "bytes" },
    { limits: { maxBytes: 6 }, kept: "aé", limit: "bytes" },
    { limits: { maxBytes: 7 }, kept: "aé😀", limit: "bytes" },
    { limits: { maxUnits: 2 }, kept: "aé", limit: "units" },
    { limits: { maxUnits: 3 }, kept: "aé", limit: "units" },
    { limits: { maxUnits: 4 }, kept: "aé😀", limit: "units" },
    { limits: { maxCodePoints: 3 }, kept: "aé😀", limit: "codePoints" },
    { limits: { maxLines: 1 }, kept: "aé😀", limit: "lines" },
    { limits: { maxLines: 0 }, kept: "", limit: "lines" },
    { limits: { maxBytes: 0 }, kept: "", limit: "bytes" },
    { limits: { maxBytes: 2.9 }, kept: "a", limit: "bytes" },
  ])("[B1] $limits keeps whole code points and names $limit", ({ limits, kept, limit }) => {
    const cut = cutText("aé😀\nz", limits);
    expect(cut).toMatchObject({ text: kept, complete: false, limit });
  });

  it.each([
    { limits: {} },
    { limits: { maxBytes: 9, maxCodePoints: 5, maxUnits: 6, maxLines: 2 } },
    { limits: { maxBytes: 10, maxCodePoints: 6, maxUnits: 7, maxLines: 3 } },
    { limits: { maxLines: Number.POSITIVE_INFINITY } },
  ])(
    "[B1] a text that is exactly at its limits or under them is complete: $limits",
    ({ limits }) => {
      const whole = { bytes: 9, lines: 2, units: 6 };
      const nothing = { bytes: 0, lines: 0, units: 0 };
      expect(cutText("aé😀\nz", limits)).toEqual({
        text: "aé😀\nz",
        complete: true,
        kept: whole,
        left: nothing,
      });
    },
  );

  it("[B1] says how much was kept and how much is left", () => {
    expect(cutText("one\ntwo\nthree\n", { maxLines: 2 })).toEqual({
      text: "one\ntwo",
      complete: false,
      limit: "lines",
      kept: { bytes: 7, lines: 2, units: 7 },
      left: { bytes: 7, lines: 2, units: 7 },
    });
  });

  it.each([
    { limits: { maxBytes: 3, maxLines: 1 }, limit: "lines" },
    { limits: { maxBytes: 1, maxLines: 1 }, limit: "bytes" },
    { limits: { maxLines: 1, maxBytes: 2, maxUnits: 2, maxCodePoints: 2 }, limit: "bytes" },
    { limits: { maxLines: 1, maxUnits: 2, maxCodePoints: 2 }, limit: "codePoints" },
    { limits: { maxLines: 1, maxUnits: 2 }, limit: "units" },
  ])("[B1] of several limits the first that bites is named: $limits", ({ limits, limit }) => {
    expect(cutText("ab\ncd", limits).limit).toBe(limit);
  });

  it("[B1] a lone surrogate is one code point of 3 bytes, and a pair is never parted", () => {
    expect(cutText("\ud83dx", { maxBytes: 3 }).text).toBe("\ud83d");
    expect(cutText("\ud83dx", { maxBytes: 2 }).text).toBe("");
    expect(cutText("\ud83d\ud83d\ude00", { maxUnits: 2 }).text).toBe("\ud83d");
    expect(cutText("\ude00\ud83d", { maxCodePoints: 1 }).text).toBe("\ude00");
  });

  it.each([{ maxBytes: -1 }, { maxCodePoints: Number.NaN }, { maxUnits: -0.5 }, { maxLines: -1 }])(
    "[B4] refuses the unfit limit %o",
    (limits) => {
      expect(() => cutText("text", limits)).toThrow(RangeError);
    },
  );

  it("[B1] [P3] keeps the longest start within all limits, as trying every code point finds it", () => {
    const unit = fc.constantFrom("a", "\n", "é", "\u0800", "😀", "\ud83d", "\ude00");
    const limit = fc.option(fc.nat(12), { nil: undefined });
    const anyLimits = fc.record({
      maxBytes: limit,
      maxCodePoints: limit,
      maxUnits: limit,
      maxLines: limit,
    });
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), anyLimits, (text, limits) => {
        const cut = cutText(text, limits);
        const expected = longestStart(text, limits);
        expect(cut.text).toBe(expected);
        expect(cut.complete).toBe(expected === text);
        expect(cut.limit === undefined).toBe(cut.complete);
        expect(cut.kept.bytes + cut.left.bytes).toBe(countBytes(text));
        expect(cut.kept.units + cut.left.units).toBe(text.length);
        expect(cut.kept.lines + cut.left.lines).toBe(countLines(text));
      }),
      { numRuns: 2_000 },
    );
  });
});

function longestStart(text: string, limits: CutLimits): string {
  const { maxBytes, maxCodePoints, maxUnits, maxLines } = limits;
  let longest = "";
  for (const codePoint of text) {
    const next = longest + codePoint;
    if (countBytes(next) > (maxBytes ?? Number.POSITIVE_INFINITY)) return longest;
    if (countCodePoints(next) > (maxCodePoints ?? Number.POSITIVE_INFINITY)) return longest;
    if (next.length > (maxUnits ?? Number.POSITIVE_INFINITY)) return longest;
    if (countLines(next) > (maxLines ?? Number.POSITIVE_INFINITY)) return longest;
    longest = next;
  }
  return longest;
}

describe("cutBytes", () => {
  const bytes = Buffer.from("aé😀");

  it.each([
    [0, ""],
    [1, "a"],
    [2, "a"],
    [3, "aé"],
    [6, "aé"],
    [6.9, "aé"],
    [7, "aé😀"],
    [8, "aé😀"],
  ])("[B1] %d bytes end between two code points", (maxBytes, kept) => {
    expect(Buffer.from(cutBytes(bytes, maxBytes)).toString()).toBe(kept);
  });

  it("[B1] gives a view of the same memory", () => {
    expect(cutBytes(bytes, 4).buffer).toBe(bytes.buffer);
  });

  it("[B4] refuses an unfit limit", () => {
    expect(() => cutBytes(bytes, Number.NaN)).toThrow(RangeError);
  });

  it("[B1] [P3] cuts the bytes of a text where the text itself is cut", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(20), (text, maxBytes) => {
        const cut = Buffer.from(cutBytes(Buffer.from(text), maxBytes)).toString();
        expect(cut).toBe(cutText(text, { maxBytes }).text);
      }),
    );
  });
});
