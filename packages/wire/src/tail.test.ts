import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTail } from "./tail.ts";

const LIMITS = { maxBytes: 40, maxLines: 3 };

function tailOf(chunks: readonly (string | Uint8Array)[], limits = LIMITS): string {
  const tail = createTail(limits);
  for (const chunk of chunks) tail.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  tail.end();
  return tail.text();
}

describe("createTail", () => {
  it.each([
    ["n-1 lines", "a\nb\n", "a\nb"],
    ["n lines", "a\nb\nc\n", "a\nb\nc"],
    ["n+1 lines", "a\nb\nc\nd\n", "b\nc\nd"],
  ])("[W8] keeps the last whole lines: %s", (_, text, expected) => {
    expect(tailOf([text])).toBe(expected);
  });

  it.each([39, 40, 41])("[W8] drops whole lines that do not fit the bytes (%i)", (bytes) => {
    const first = "x".repeat(bytes - 5);
    expect(tailOf([`${first}\nlast`])).toBe(bytes <= 40 ? `${first}\nlast` : "last");
  });

  it("[W8] cuts a single line that is too long on a code point border", () => {
    expect(tailOf(["€".repeat(100)])).toBe("€".repeat(13));
    expect(tailOf(["😀".repeat(100)])).toBe("😀".repeat(10));
  });

  it.each([
    ["colours", "\u001b[1;31mred\u001b[0m", "red"],
    ["titles and links", "\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\b", "ab"],
    ["other controls", "a\u0000b\rc\u0007d\u009be\tf", "abcde\tf"],
  ])("[W8] strips %s", (_, text, expected) => {
    expect(tailOf([text])).toBe(expected);
  });

  it("[W8] shows the same however the bytes were cut into chunks", () => {
    const bytes = Buffer.from("über \u001b[31mréd\u001b[0m 😀\n\u001b]0;t\u0007end €");
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 8 }), (cuts) => {
        const borders = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const chunks = borders.slice(1).map((end, at) => bytes.subarray(borders[at], end));
        expect(tailOf(chunks)).toBe("über réd 😀\nend €");
      }),
    );
  });

  it("[W8] strips before it scrubs, so that no escape sequence hides a secret", () => {
    let held = "";
    const tail = createTail({
      maxBytes: 100,
      maxLines: 3,
      scrub: {
        push(text) {
          held += text;
          return "";
        },
        end: () => held.replaceAll("canary", "[redacted]"),
      },
    });
    for (const piece of ["can\u001b[3", "1mary ", "is ca\u0000nary"]) tail.push(Buffer.from(piece));
    tail.end();
    expect(tail.text()).toBe("[redacted] is [redacted]");
  });

  it("[W8] keeps little, however much goes by", () => {
    const tail = createTail(LIMITS);
    const chunk = Buffer.alloc(64 * 1024, "a");
    for (let count = 0; count < 100; count++) tail.push(chunk);
    tail.end();
    expect(tail.text()).toBe("a".repeat(40));
  });
});
