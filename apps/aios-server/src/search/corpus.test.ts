import { describe, expect, it } from "vitest";
import { createCorpus, type Hit, interleave } from "./corpus.ts";
import { createPattern } from "./pattern.ts";

const NOW = Date.parse("2026-11-30T12:00:00Z");
const DAY = 86_400_000;
const pattern = createPattern("tide table");

interface Document {
  readonly name: string;
  readonly text: string;
  readonly boost?: number;
  readonly days?: number;
}

function order(documents: readonly Document[], newestFirst = false): string[] {
  const corpus = createCorpus<string>({ pattern, now: NOW, newestFirst });
  for (const { name, text, boost = 0, days = 0 } of documents) {
    corpus.count(text);
    const match = pattern.match(text);
    const hit = (found: Hit<string>["match"]): Hit<string> => ({
      match: found,
      boost,
      at: NOW - days * DAY,
      tie: name,
      make: () => name,
    });
    if (match) corpus.add(hit(match));
  }
  return corpus.ranked().map(({ make }) => make());
}

describe("createCorpus", () => {
  it("[S9] ranks phrase over all words over some, whatever else speaks for the lower", () => {
    const ranked = order([
      { name: "some", text: "tide", boost: 500 },
      { name: "all", text: "table of the tide", boost: 50 },
      { name: "phrase", text: "tide table", days: 900 },
    ]);
    expect(ranked).toEqual(["phrase", "all", "some"]);
  });

  it("[S9] weighs a rare word more than a common one", () => {
    const filler = Array.from({ length: 20 }, (_, at) => ({ name: `t${at}`, text: "a table" }));
    expect(order([...filler, { name: "rare", text: "the tide" }])[0]).toBe("rare");
  });

  it("[S9] prefers the fresh among equals, and halves a weight in thirty days", () => {
    expect(
      order([
        { name: "old", text: "tide table", days: 180 },
        { name: "new", text: "tide table" },
      ]),
    ).toEqual(["new", "old"]);
    // Half of 6 is less than 4.
    expect(
      order([
        { name: "a", text: "tide table", boost: 6, days: 30 },
        { name: "b", text: "tide table", boost: 4, days: 0 },
      ]),
    ).toEqual(["b", "a"]);
  });

  it("[S18] decides a tie by name in code units, or by time first", () => {
    const names = ["é", "b", "Z", "a"].map((name, at) => ({
      name,
      text: "tide table",
      days: at / 10,
    }));
    expect(order(names)).toEqual(["Z", "a", "b", "é"]);
    expect(order(names, true)).toEqual(["é", "b", "Z", "a"]);
  });

  it("takes a time in the future or none at all for fresh", () => {
    const corpus = createCorpus<string>({ pattern, now: NOW });
    const match = pattern.match("tide table")!;
    for (const [tie, at] of [
      ["b", undefined],
      ["a", NOW + 9 * DAY],
      ["c", NOW - 60 * DAY],
    ] as const) {
      corpus.count("tide table");
      corpus.add({ match, boost: 1, at, tie, make: () => tie });
    }
    expect(corpus.ranked().map(({ tie }) => tie)).toEqual(["a", "b", "c"]);
  });
});

describe("interleave", () => {
  it("[S17] takes from each list in turn, up to a limit", () => {
    const lists = [[1, 2, 3], [], [4], [5, 6]];
    expect(interleave(lists)).toEqual([1, 4, 5, 2, 6, 3]);
    expect(interleave(lists, 2)).toEqual([1, 4]);
    expect(interleave([])).toEqual([]);
  });
});
