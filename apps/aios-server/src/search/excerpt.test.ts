import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { excerptAround } from "./excerpt.ts";

describe("excerptAround", () => {
  it("keeps a text that fits", () => {
    expect(excerptAround("abc", 2, 3)).toBe("abc");
  });

  it("shows the place and says on which side something is left out", () => {
    const text = "0123456789".repeat(4);
    expect(excerptAround(text, 0, 12)).toBe("0123456789…");
    expect(excerptAround(text, 20, 12)).toBe("…8901234567…");
    expect(excerptAround(text, 39, 12)).toBe("…0123456789");
  });

  it("is never longer than asked, holds the place, and splits no character", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.nat(300),
        fc.integer({ min: 8, max: 60 }),
        (text, place, most) => {
          const excerpt = excerptAround(text, place, most);
          expect(excerpt.length).toBeLessThanOrEqual(most);
          expect(excerpt).not.toMatch(/\p{Cs}/u);
        },
      ),
    );
  });
});
