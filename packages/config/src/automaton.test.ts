import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAutomaton } from "./automaton.ts";

/** By definition: at each end the longest pattern that ends there. */
function matchesOf(patterns: readonly string[], text: string): [number, number][] {
  const found: [number, number][] = [];
  for (let end = 1; end <= text.length; end++) {
    const lengths = patterns.filter((each) => text.endsWith(each, end)).map((each) => each.length);
    if (lengths.length > 0) found.push([end - Math.max(...lengths), end]);
  }
  return found;
}

function scan(patterns: readonly string[], parts: readonly string[]): [number, number][] {
  const automaton = createAutomaton(patterns);
  const found: [number, number][] = [];
  let state = 0;
  let offset = 0;
  for (const part of parts) {
    const base = offset;
    state = automaton.scan(part, state, (start, end) => found.push([base + start, base + end]));
    offset += part.length;
  }
  return found;
}

const letters = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength, maxLength });

describe("createAutomaton", () => {
  it("[C4] finds patterns inside of each other, at the borders and next to each other", () => {
    expect(scan(["he", "she", "hers", "his"], ["ushers his"])).toEqual([
      [1, 4],
      [2, 6],
      [7, 10],
    ]);
    expect(scan(["abc"], ["abcabc"])).toEqual([
      [0, 3],
      [3, 6],
    ]);
    expect(scan(["abc"], [""])).toEqual([]);
  });

  it.each([
    [1, 4],
    [4, 12],
    [6, 9],
    [12, 40],
  ])(
    "[P3] finds just what there is, for patterns of %d to %d units and texts in any parts",
    (least, most) => {
      const patterns = fc.uniqueArray(letters(least, most), { minLength: 1, maxLength: 8 });
      fc.assert(
        fc.property(
          patterns,
          fc.array(letters(0, 60), { maxLength: 5 }),
          fc.nat(),
          (set, noise, seed) => {
            const text = noise
              .map((part, index) => part + set[(seed + index) % set.length]!)
              .join("");
            const parts = cutAt(
              text,
              noise.map(({ length }) => length),
            );
            expect(scan(set, parts)).toEqual(matchesOf(set, text));
            expect(scan(set, [...text])).toEqual(matchesOf(set, text));
          },
        ),
      );
    },
  );

  it("[C4] never holds more of a text than a pattern's start is long", () => {
    const automaton = createAutomaton(["aaab", "ab"]);
    const depthAfter = (text: string) => automaton.depthOf(automaton.scan(text, 0, () => {}));
    expect(["", "b", "a", "aa", "aaa", "aaaa", "aaab"].map(depthAfter)).toEqual([
      0, 0, 1, 2, 3, 3, 4,
    ]);
  });

  it("[C4] finds a pattern at each place around the end of a long text's blocks", () => {
    const pattern = "needle-0123456789";
    for (let start = 16_384 - pattern.length; start <= 16_384; start++) {
      const text = `${"n".repeat(start)}${pattern}${"-".repeat(20_000)}`;
      expect(scan([pattern], [text])).toEqual([[start, start + pattern.length]]);
    }
  });

  it("[C4] reads units of any script", () => {
    expect(scan(["ключ-к", "鍵鍵鍵鍵鍵鍵"], ["мой ключ-ключ-к 鍵鍵鍵鍵鍵鍵"])).toEqual([
      [4, 10],
      [9, 15],
      [16, 22],
    ]);
  });
});

function cutAt(text: string, lengths: readonly number[]): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const length of lengths) {
    parts.push(text.slice(from, from + length));
    from += length;
  }
  return [...parts, text.slice(from)];
}
