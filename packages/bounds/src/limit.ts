/**
 * A limit was crossed. Thrown instead of a silent cut: it says which limit, how much it allows and how much it met.
 * `actual` is counted up to where the work stopped, so the whole may be more.
 */
export class LimitError extends Error {
  readonly code = "LIMIT_EXCEEDED";
  readonly limit: string;
  readonly maximum: number;
  readonly actual: number;

  constructor(limit: string, maximum: number, actual: number) {
    super(`Stopped at the limit on ${limit}: ${maximum} allowed, ${actual} met.`);
    this.name = "LimitError";
    this.limit = limit;
    this.maximum = maximum;
    this.actual = actual;
  }
}

/**
 * Returns an amount that a caller gave if it is one: zero, a positive number or `Infinity`. Throws `RangeError`
 * otherwise, because no count ever exceeds NaN, and so it would switch a limit off in silence.
 */
export function requireAmount(name: string, amount: number): number {
  if (typeof amount === "number" && amount >= 0) return amount;
  throw new RangeError(`${name} must be a number of at least 0`);
}
