import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalText, compareText, firstRecords } from "./order.ts";

describe("canonicalText", () => {
  it("does not depend on the order of keys", () => {
    expect(canonicalText({ b: [1, { d: null, c: "x" }], a: true })).toBe(
      '{"a":true,"b":[1,{"c":"x","d":null}]}',
    );
  });

  it("reads as the value it was made of", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(JSON.parse(canonicalText(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("ends at a depth, so that no record can exhaust the stack", () => {
    const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
    expect(canonicalText(deep)).toBe(`${"[".repeat(16)}…${"]".repeat(16)}`);
  });
});

describe("compareText", () => {
  it("goes by UTF-16 units whatever the locale", () => {
    expect(["ä", "Z", "a", "z", "A"].sort(compareText)).toEqual(["A", "Z", "a", "z", "ä"]);
  });
});

describe("firstRecords", () => {
  it("gives the start of what sorting everything by both orders gives", () => {
    const item = fc.record({ time: fc.integer({ min: 0, max: 3 }), row: fc.integer({ max: 9 }) });
    const byTime = (a: { time: number }, b: { time: number }) => b.time - a.time;
    fc.assert(
      fc.property(fc.array(item), fc.integer({ min: 1, max: 8 }), (items, count) => {
        const sorted = items.toSorted(
          (a, b) => byTime(a, b) || compareText(canonicalText(a.row), canonicalText(b.row)),
        );
        expect(firstRecords(items, count, byTime)).toEqual(sorted.slice(0, count));
      }),
    );
  });
});
