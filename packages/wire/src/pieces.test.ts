import fc from "fast-check";
import { expect, it } from "vitest";
import { createPieces } from "./pieces.ts";

it("[W8] [P3] gives back all bytes in order, whatever the sizes of the pieces", () => {
  const sizes = fc.oneof(
    fc.integer({ min: 0, max: 40 }),
    fc.constantFrom(1023, 1024, 1025, 16_384),
  );
  fc.assert(
    fc.property(fc.array(fc.array(sizes, { maxLength: 40 }), { maxLength: 3 }), (takes) => {
      const pieces = createPieces();
      let next = 0;
      for (const lengths of takes) {
        const parts = lengths.map((length) => Buffer.alloc(length, next++));
        for (const part of parts) pieces.add(part);
        expect(pieces.bytes).toBe(lengths.reduce((sum, length) => sum + length, 0));
        expect(pieces.take().equals(Buffer.concat(parts))).toBe(true);
        expect(pieces.bytes).toBe(0);
      }
    }),
  );
});

it("[W8] gives one large piece back as itself, without a copy", () => {
  const pieces = createPieces();
  const only = Buffer.alloc(1024, "x");
  pieces.add(only);
  expect(pieces.take()).toBe(only);
});

it("[W8] gives a last piece that nothing stands before back as itself, and else behind the others", () => {
  const pieces = createPieces();
  const last = Buffer.from("last");
  expect(pieces.end(last)).toBe(last);
  pieces.add(Buffer.from("first "));
  expect(pieces.end(last).toString()).toBe("first last");
  expect(pieces.bytes).toBe(0);
});

it("[W8] never writes into bytes that it has given away", () => {
  const pieces = createPieces();
  pieces.add(Buffer.from("first"));
  const first = pieces.take();
  pieces.add(Buffer.from("second"));
  pieces.take();
  expect(first.toString()).toBe("first");
});
