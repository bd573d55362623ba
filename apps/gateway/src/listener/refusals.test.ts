import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { REFUSALS_WARN_MS } from "../limits.ts";
import { createRefusals } from "./refusals.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("createRefusals", () => {
  it("[G9] warns at once, then once in a while with the count, and is quiet when it is over", () => {
    const warn = vi.fn();
    const refusals = createRefusals(warn);
    for (let connection = 0; connection < 5; connection++) refusals.add("full");
    expect(warn.mock.calls).toEqual([["a connection was refused: full"]]);
    vi.advanceTimersByTime(REFUSALS_WARN_MS);
    expect(warn.mock.calls.slice(1)).toEqual([["4 connections were refused: full"]]);
    vi.advanceTimersByTime(REFUSALS_WARN_MS);
    expect(warn).toHaveBeenCalledTimes(2);
    expect(vi.getTimerCount()).toBe(0);
    refusals.add("full again");
    expect(warn).toHaveBeenLastCalledWith("a connection was refused: full again");
  });
});
