import fc from "fast-check";
import { expect, it } from "vitest";
import { createBlock } from "./block.ts";

it("[W8] [P3] gives back all bytes in order, whatever the sizes of the pieces", () => {
  const sizes = fc.oneof(
    fc.integer({ min: 0, max: 40 }),
    fc.constantFrom(65_535, 65_536, 65_537, 200_000),
  );
  fc.assert(
    fc.property(fc.array(fc.array(sizes, { maxLength: 10 }), { maxLength: 4 }), (takes) => {
      const block = createBlock();
      let next = 0;
      for (const lengths of takes) {
        const parts = lengths.map((length) => Buffer.alloc(length, next++));
        for (const part of parts) block.add(part);
        expect(block.bytes).toBe(lengths.reduce((sum, length) => sum + length, 0));
        expect(block.take().equals(Buffer.concat(parts))).toBe(true);
        expect(block.bytes).toBe(0);
      }
    }),
  );
});

it("[W8] uses its memory again for what fits", () => {
  const block = createBlock();
  block.add(Buffer.alloc(100_000, "a"));
  const first = block.take();
  block.add(Buffer.alloc(100_000, "b"));
  const second = block.take();
  expect(second.buffer).toBe(first.buffer);
  expect(second.every((byte) => byte === 0x62)).toBe(true);
});

it("[W8] gives a last piece that nothing stands before back as itself, and else behind the others", () => {
  const block = createBlock();
  const last = Buffer.from("last");
  expect(block.end(last)).toBe(last);
  block.add(Buffer.from("first "));
  expect(block.end(last).toString()).toBe("first last");
  expect(block.bytes).toBe(0);
});

it.each([
  [49_999, false],
  [50_000, true],
])(
  "[W8] lets memory go that is more than four times what comes next: %i bytes, kept: %s",
  (length, kept) => {
    const block = createBlock();
    block.add(Buffer.alloc(100_000));
    const { buffer } = block.take();
    block.end(Buffer.alloc(length));
    block.add(Buffer.alloc(1));
    expect(block.take().buffer === buffer).toBe(kept);
  },
);

it("[W8] does not touch the memory of pieces that it was given", () => {
  const block = createBlock();
  const piece = Buffer.alloc(100_000, "a");
  block.add(piece);
  block.take().fill("b");
  expect(piece.every((byte) => byte === 0x61)).toBe(true);
});
