import fc from "fast-check";
import { expect, it } from "vitest";
import { createMeter } from "./meter.ts";

it("[B2] grants takes up to a maximum and not one more", () => {
  const meter = createMeter({ bytes: 10 });
  expect(meter.take({ bytes: 9 })).toEqual({ ok: true });
  expect(meter.take({ bytes: 1 })).toEqual({ ok: true });
  expect(meter.take({ bytes: 1 })).toEqual({ ok: false, limit: "bytes", maximum: 10, actual: 11 });
  expect(meter.take({ bytes: 0 })).toEqual({ ok: true });
});

it("[B2] takes from all budgets or from none", () => {
  const meter = createMeter({ files: 2, bytes: 100 });
  expect(meter.take({ files: 1, bytes: 101 })).toEqual({
    ok: false,
    limit: "bytes",
    maximum: 100,
    actual: 101,
  });
  expect(meter.used("files")).toBe(0);
  expect(meter.take({ files: 1, bytes: 100 })).toEqual({ ok: true });
  expect([meter.used("files"), meter.left("files")]).toEqual([1, 1]);
  expect([meter.used("bytes"), meter.left("bytes")]).toEqual([100, 0]);
});

it("[B2] a budget that is not named in a take is left alone, and an endless one never ends", () => {
  const meter = createMeter({ files: 0, bytes: Number.POSITIVE_INFINITY });
  expect(meter.take({ bytes: Number.MAX_SAFE_INTEGER })).toEqual({ ok: true });
  expect(meter.left("bytes")).toBe(Number.POSITIVE_INFINITY);
  expect(meter.take({ files: 1 })).toMatchObject({ ok: false, limit: "files" });
});

it("[B4] refuses an unfit maximum, an unfit amount and an unknown name", () => {
  expect(() => createMeter({ bytes: Number.NaN })).toThrow(RangeError);
  const meter = createMeter({ bytes: 10 });
  expect(() => meter.take({ bytes: -1 })).toThrow(RangeError);
  expect(() => meter.take({ lines: 1 } as object)).toThrow(RangeError);
  expect(() => meter.left("toString" as "bytes")).toThrow(RangeError);
  expect(meter.used("bytes")).toBe(0);
});

it("[B2] [P3] never gives out more than there is, and what is used and left is always the whole", () => {
  const amounts = fc.array(fc.record({ a: fc.nat(20), b: fc.nat(20) }));
  fc.assert(
    fc.property(fc.nat(50), fc.nat(50), amounts, (a, b, takes) => {
      const meter = createMeter({ a, b });
      for (const take of takes) {
        const before = [meter.left("a"), meter.left("b")];
        const fits = take.a <= before[0]! && take.b <= before[1]!;
        expect(meter.take(take).ok).toBe(fits);
        expect(meter.left("a")).toBe(before[0]! - (fits ? take.a : 0));
        expect(meter.used("a") + meter.left("a")).toBe(a);
        expect(meter.used("b") + meter.left("b")).toBe(b);
      }
    }),
  );
});
