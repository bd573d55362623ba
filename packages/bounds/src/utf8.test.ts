import fc from "fast-check";
import { expect, it } from "vitest";
import { findInvalidUtf8 } from "./utf8.ts";

it.each([
  ["nothing", []],
  [
    "the border characters of every length",
    [...Buffer.from("\0\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\u{10000}\u{10ffff}")],
  ],
  ["a byte order mark", [0xef, 0xbb, 0xbf]],
])("[B2] %s is valid", (_name, bytes) => {
  expect(findInvalidUtf8(Uint8Array.from(bytes))).toBeUndefined();
});

it.each([
  ["a continuation without its lead", [0x61, 0x80], 1],
  ["an overlong form of 2 bytes", [0x61, 0xc1, 0xa1], 1],
  ["an overlong form of 3 bytes", [0xe0, 0x9f, 0xbf], 0],
  ["an overlong form of 4 bytes", [0xf0, 0x8f, 0xbf, 0xbf], 0],
  ["a surrogate", [0xed, 0xa0, 0x80], 0],
  ["a code point over U+10FFFF", [0xf4, 0x90, 0x80, 0x80], 0],
  ["a lead that no code point has", [0xf5, 0x80, 0x80, 0x80], 0],
  ["a sequence that ends too early", [0xc3, 0xa9, 0xe2, 0x82], 2],
  ["a sequence that another character breaks", [0xe2, 0x82, 0x61], 0],
  ["the byte 0xff", [0x61, 0x62, 0xff], 2],
])("[B2] %s is found where it starts", (_name, bytes, offset) => {
  expect(findInvalidUtf8(Uint8Array.from(bytes))).toBe(offset);
});

it("[B2] [P3] finds the offset up to which a strict decoder reads", () => {
  const byte = fc.constantFrom(0x61, 0x80, 0x9f, 0xa0, 0xbf, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4);
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 6 }),
      fc.array(byte, { maxLength: 8 }),
      (any, chosen) => {
        const bytes = Uint8Array.from([...chosen, ...any]);
        const invalid = findInvalidUtf8(bytes);
        expect(invalid === undefined).toBe(decodes(bytes));
        if (invalid === undefined) return;
        expect(decodes(bytes.subarray(0, invalid))).toBe(true);
        for (let end = invalid + 1; end <= Math.min(bytes.length, invalid + 4); end++)
          expect(decodes(bytes.subarray(invalid, end))).toBe(false);
      },
    ),
    { numRuns: 5_000 },
  );
});

function decodes(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    // The decoder refuses what is not UTF-8.
    return false;
  }
}
