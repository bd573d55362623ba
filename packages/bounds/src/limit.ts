/**
 * A limit was crossed. Thrown instead of cutting in silence: it says which limit, how much it allows and how much
 * it met. `actual` is the amount that would have been reached, counted up to where the work stopped, so the
 * true total may be larger.
 */
export class LimitError extends Error {
  readonly code = "LIMIT_EXCEEDED";
  readonly limit: string;
  readonly maximum: number;
  readonly actual: number;

  constructor(limit: string, maximum: number, actual: number) {
    super(
      `Stopped at the limit "${limit}": at most ${maximum} is allowed, and this reached ${actual}.`,
    );
    this.name = "LimitError";
    this.limit = limit;
    this.maximum = maximum;
    this.actual = actual;
  }
}

/**
 * Returns a maximum that was given as an argument if it is usable: zero, a positive number or `Infinity`.
 * Throws `RangeError` otherwise, because a NaN or negative maximum would switch a limit off in silence.
 */
export function requireMaximum(name: string, maximum: number): number {
  if (typeof maximum === "number" && maximum >= 0) return maximum;
  throw new RangeError(`${name} must be a number of at least 0`);
}
