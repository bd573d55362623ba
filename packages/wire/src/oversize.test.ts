import fc from "fast-check";
import { expect, it } from "vitest";
import { createOversizeRecorder } from "./oversize.ts";

it("[W8] [P3] keeps both ends and the length of a message, whatever its parts", () => {
  const length = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 4000, max: 9000 }));
  fc.assert(
    fc.property(fc.array(length, { maxLength: 30 }), (lengths) => {
      const parts = lengths.map((bytes, index) =>
        Buffer.alloc(bytes, String.fromCharCode(65 + index)),
      );
      const whole = Buffer.concat(parts);
      const recorder = createOversizeRecorder();
      for (const part of parts) recorder.add(part);
      const { head, tail, bytes } = recorder.report();
      expect(bytes).toBe(whole.length);
      expect(head.equals(whole.subarray(0, 4096))).toBe(true);
      expect(tail.equals(whole.subarray(Math.max(0, whole.length - 4096)))).toBe(true);
    }),
  );
});
