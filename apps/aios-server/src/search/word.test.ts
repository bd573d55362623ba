import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldText, wordsOf } from "./word.ts";

describe("foldText", () => {
  it.each([
    ["ＣＡＦÉ", "cafe\u0301"],
    ["Straße", "STRASSE"],
    ["GROẞ", "gross"],
    ["ΣΟΦΟΣ", "σοφός"],
    ["ﬁnd №1", "Find No1"],
    ["İstanbul", "istanbul"],
    ["ČESKÝ", "cesky"],
    ["Ёлка", "елка"],
  ])("[S18] makes %s and %s one", (one, other) => {
    expect(foldText(one)).toBe(foldText(other));
  });

  it.each([
    ["किताब", "कताब"],
    ["กำ", "ก"],
    ["가나", "가"],
    ["ぱ", "は\u3099"],
  ])("[S18] keeps the vowels of %s, which is not %s", (one, other) => {
    expect(foldText(one)).not.toBe(foldText(other));
  });

  it("[S18] is done once for all", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("wordsOf", () => {
  it("[S18] takes runs of letters and digits of any script, repeated as often as they stand there", () => {
    expect(wordsOf(foldText("Plan-my day, 2x: café_müll «слово» 日本語! plan"))).toEqual([
      ...["plan", "my", "day", "2x", "cafe", "mull", "слово", "日本語", "plan"],
    ]);
    expect(wordsOf("… — !")).toEqual([]);
  });
});
