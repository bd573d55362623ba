import fc from "fast-check";
import { expect, it } from "vitest";
import { createSlots } from "./slots.ts";

it("behaves as a map whose numbers are never given twice", () => {
  const steps = fc.array(
    fc.oneof(fc.record({ add: fc.string() }), fc.record({ take: fc.nat(30) })),
  );
  fc.assert(
    fc.property(steps, (plan) => {
      const slots = createSlots<string>();
      const model = new Map<number, string>();
      const given: number[] = [];
      for (const step of plan) {
        if ("add" in step) {
          const number = slots.add(step.add);
          expect(given).not.toContain(number);
          expect(Number.isSafeInteger(number) && number > 0).toBe(true);
          given.push(number);
          model.set(number, step.add);
        } else {
          const number = given[step.take] ?? step.take;
          expect(slots.get(number)).toBe(model.get(number));
          expect(slots.take(number)).toBe(model.get(number));
          model.delete(number);
        }
        expect(slots.size).toBe(model.size);
        expect(new Map(slots.entries())).toEqual(model);
      }
    }),
  );
});

it("finds nothing under numbers that it never gave", () => {
  const slots = createSlots<string>();
  slots.add("one");
  for (const number of [0, 1, -1, 0.5, Number.NaN, 2 ** 20 + 1, 2 ** 53]) {
    expect(slots.get(number)).toBeUndefined();
    expect(slots.take(number)).toBeUndefined();
  }
  expect(slots.size).toBe(1);
});
