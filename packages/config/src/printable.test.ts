import { countCodePoints } from "@core/bounds";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printable } from "./printable.ts";

describe("printable", () => {
  it("[C1] replaces control, bidirectional and lone surrogate characters", () => {
    expect(printable("a\nb\x1b[31m\u202ec\u2028d\ud800e", 64)).toBe("a�b�[31m�c�d�e");
  });

  it("[C1] keeps a text of the maximum and cuts one more in the middle, never inside a pair", () => {
    expect(printable("abc", 4)).toBe("abc");
    expect(printable("abcd", 4)).toBe("abcd");
    expect(printable("abcde", 4)).toBe("ab…e");
    expect(printable("😀😀😀😀😀", 4)).toBe("😀😀…😀");
  });

  it("[C1] never gives more than the maximum, and nothing unprintable", () => {
    const anyText = fc.string({ unit: "binary", maxLength: 80 });
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 20 }), (text, maximum) => {
        const shown = printable(text, maximum);
        expect(countCodePoints(shown)).toBeLessThanOrEqual(maximum);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});
