import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bytesAt,
  countBytes,
  countCodePoints,
  countLines,
  KIB,
  MIB,
  positionAt,
  unitsAt,
} from "./measure.ts";

const anyText = fc.string({
  unit: fc.oneof(fc.string({ unit: "binary", maxLength: 2 }), loneSurrogate()),
});

function loneSurrogate() {
  return fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit));
}

describe("counting", () => {
  it.each([
    { text: "", bytes: 0, codePoints: 0, lines: 0 },
    { text: "a", bytes: 1, codePoints: 1, lines: 1 },
    { text: "\n", bytes: 1, codePoints: 1, lines: 2 },
    { text: "a\r\nb\n", bytes: 5, codePoints: 5, lines: 3 },
    { text: "\r", bytes: 1, codePoints: 1, lines: 1 },
    { text: "\u007f\u0080\u07ff\u0800\uffff", bytes: 1 + 2 + 2 + 3 + 3, codePoints: 5, lines: 1 },
    { text: "😀", bytes: 4, codePoints: 1, lines: 1 },
    { text: "\ud83d", bytes: 3, codePoints: 1, lines: 1 },
    { text: "\ude00\ud83d", bytes: 6, codePoints: 2, lines: 1 },
    { text: "e\u0301\u2028", bytes: 6, codePoints: 3, lines: 1 },
  ])("[B1] $text has $bytes bytes, $codePoints code points and $lines lines", (expected) => {
    const { text, bytes, codePoints, lines } = expected;
    expect(countBytes(text)).toBe(bytes);
    expect(countCodePoints(text)).toBe(codePoints);
    expect(countLines(text)).toBe(lines);
  });

  it("[B1] [P3] counts every text, lone surrogates included, as copies of it would count", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(countBytes(text)).toBe(Buffer.from(text, "utf8").length);
        expect(countCodePoints(text)).toBe(Array.from(text).length);
        expect(countLines(text)).toBe(text === "" ? 0 : text.split("\n").length);
      }),
    );
  });

  it("[B1] [P3] counts code point by code point what it counts as a whole", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let bytes = 0;
        for (let index = 0; index < text.length; ) {
          const units = unitsAt(text, index);
          bytes += bytesAt(text, index, units);
          index += units;
        }
        expect(bytes).toBe(countBytes(text));
      }),
    );
  });

  it("[B1] a mebibyte is 1,024 kibibytes of 1,024 bytes", () => {
    expect(KIB).toBe(1_024);
    expect(MIB).toBe(1_048_576);
  });
});

describe("positions", () => {
  it.each([
    { offset: 0, line: 1, column: 1 },
    { offset: 1, line: 1, column: 2 },
    { offset: 2, line: 1, column: 3 },
    { offset: 3, line: 2, column: 1 },
    { offset: 5, line: 2, column: 2 },
    { offset: 6, line: 3, column: 1 },
    { offset: 7, line: 3, column: 2 },
    { offset: 99, line: 3, column: 2 },
  ])("[B2] offset $offset of a text is line $line, column $column", ({ offset, ...position }) => {
    expect(positionAt("aé\n😀\nz", offset)).toEqual(position);
  });

  it("[B2] an offset inside a code point is the column of that code point", () => {
    expect(positionAt("a😀b", 2)).toEqual({ line: 1, column: 2 });
    expect(positionAt(Buffer.from("a😀b"), 3)).toEqual({ line: 1, column: 2 });
  });

  it("[B2] the empty text has only its first position", () => {
    expect(positionAt("", 0)).toEqual({ line: 1, column: 1 });
    expect(positionAt(new Uint8Array(), 5)).toEqual({ line: 1, column: 1 });
  });

  it("[B2] [P3] a text and its bytes have the same positions, which its lines confirm", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "\n", "é", "😀", "\r") });
    fc.assert(
      fc.property(text, fc.nat(12), (whole, codePoints) => {
        const before = Array.from(whole).slice(0, codePoints).join("");
        const lines = before.split("\n");
        const expected = { line: lines.length, column: Array.from(lines.at(-1)!).length + 1 };
        expect(positionAt(whole, before.length)).toEqual(expected);
        expect(positionAt(Buffer.from(whole), Buffer.byteLength(before))).toEqual(expected);
      }),
    );
  });
});
