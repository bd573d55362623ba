import fc from "fast-check";
import { edges } from "test-fixtures";
import { expect, it } from "vitest";
import { writeOwnLength } from "./own-length.ts";

it("[S9] writes the length that the text has, also where one more digit makes it longer", () => {
  const write = (padding: number) =>
    writeOwnLength((length) => JSON.stringify({ used: length, text: "x".repeat(padding) }));
  const paddings = [10, 100, 1_000, 10_000].flatMap((round) => edges(round - 20));
  fc.assert(
    fc.property(fc.oneof(fc.nat(12_000), fc.constantFrom(...paddings)), (padding) => {
      const text = write(Math.max(0, padding));
      expect(JSON.parse(text).used).toBe(text.length);
    }),
  );
});
