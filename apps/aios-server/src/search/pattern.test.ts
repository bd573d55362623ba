import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPattern } from "./pattern.ts";
import { foldText } from "./word.ts";

const match = (query: string, text: string) => createPattern(query).match(foldText(text));
const textOf = (text: string) => ({
  text,
  folded: /^[\0-\x7f]*$/.test(text) ? undefined : foldText(text),
});

describe("createPattern", () => {
  it.each([
    ["pack format", "The Pack Format is frozen", "phrase", 10],
    ["pack format", "pack format, pack format, pack format", "phrase", 12],
    ["pack format", "pack format ".repeat(9), "phrase", 15],
    ["pack format", "format of the pack", "terms", 5],
    ["pack format", "pack pack format", "phrase", 10],
    ["pack format", "format pack packs", "terms", 6],
    ["pack format", "a pack", "partial", 1],
    ["plans", "planning", "inflected", 1],
    ["plans drafts", "planning a drafted thing", "inflected", 2],
  ])("[S9] matches %j in %j as %s with %i", (query, text, kind, score) => {
    expect(match(query, text)).toMatchObject({ kind, score });
  });

  it("takes a phrase over a line's end for a phrase, once all its words are there", () => {
    expect(match("pack format", "the pack\n  format")).toMatchObject({ kind: "phrase", score: 10 });
  });

  it("counts a repeated word once", () => {
    expect(createPattern("tide  Tide TIDE").terms).toEqual(["tide"]);
  });

  it("does not try other forms where some of several words stand literally", () => {
    expect(match("plans drafts", "plans and drafted")).toMatchObject({ kind: "partial", score: 1 });
    expect(match("plans xyz", "planning")).toBeUndefined();
    expect(match("plans", "airplaning")).toBeUndefined();
  });

  it.each([
    ["cafe", "CAFÉ"],
    ["STRASSE", "Straße"],
    ["naïve", "naive"],
    ["ｆｕｌｌ", "full"],
    ["σοφοσ", "ΣΟΦΟΣ"],
    ["日本", "日本語"],
  ])("[S18] finds %j in %j", (query, text) => {
    expect(match(query, text)).toMatchObject({ kind: "phrase" });
  });

  it("[S18] tells whole words of any script from parts of words", () => {
    const words = (query: string, text: string) => createPattern(query).wordsIn(foldText(text));
    expect(words("tide café", "the tide, a Café!")).toEqual([0, 1]);
    expect(words("tide café", "tides and cafés, tide_x tide-x")).toEqual([]);
    expect(words("слово", "это слово.")).toEqual([0]);
    expect(words("\u{1d41a}", "\u{1d41a}")).toEqual([0]);
  });

  it("reads a query as text, whatever it means elsewhere", () => {
    expect(match("C++ (a|b)", "about c++ (a|b) here")).toMatchObject({ kind: "phrase" });
    expect(createPattern("a.c").mayMatch(textOf("abc"))).toBe(false);
  });

  it.each(["\u0301", " \u00a8 "])(
    "matches nothing where folding leaves nothing of the query",
    (query) => {
      const pattern = createPattern(query);
      expect(pattern.match("")).toBeUndefined();
      expect(pattern.match("text")).toBeUndefined();
      expect([pattern.mayMatch(textOf("text")), pattern.next(textOf("text"), 0)]).toEqual([
        false,
        -1,
      ]);
    },
  );

  it("never says that a text cannot match which does", () => {
    const words = fc.array(fc.constantFrom("tide", "Plans", "planning", "café", "é", "x", "ß"), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(words, fc.string({ unit: "grapheme" }), words, (query, between, inside) => {
        const pattern = createPattern(query.join(" "));
        const text = inside.join(between);
        if (pattern.match(foldText(text))) expect(pattern.mayMatch(textOf(text))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
