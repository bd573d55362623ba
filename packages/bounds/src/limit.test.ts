import { expect, it } from "vitest";
import { LimitError, requireAmount } from "./limit.ts";

it("[B4] a crossed limit names itself, what it allows and what it met", () => {
  const error = new LimitError("pages", 100, 101);
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({
    name: "LimitError",
    code: "LIMIT_EXCEEDED",
    limit: "pages",
    maximum: 100,
    actual: 101,
    message: "Stopped at the limit on pages: 100 allowed, 101 met.",
  });
});

it.each([0, 1, 0.5, Number.POSITIVE_INFINITY])("[B4] %d is an amount", (amount) => {
  expect(requireAmount("maximum", amount)).toBe(amount);
});

it.each([-1, Number.NaN, "5", null])(
  "[B4] %s is no amount, since it would switch a limit off in silence",
  (amount) => {
    expect(() => requireAmount("maximum", amount as number)).toThrow(
      new RangeError("maximum must be a number of at least 0"),
    );
  },
);
