import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createDeadline } from "./deadline.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("[A23] ends after silence, and progress resets it up to the total", () => {
  const deadline = createDeadline({ silenceMs: 100, totalMs: 250 });
  for (const _ of [1, 2]) {
    vi.advanceTimersByTime(99);
    deadline.extend();
  }
  expect(deadline.ended).toBeUndefined();
  vi.advanceTimersByTime(52);
  expect([deadline.ended, deadline.signal.aborted]).toEqual(["timeout", true]);
});

it("tells cancellation, closing and timeout apart, and keeps the first", () => {
  const [outer, closing] = [new AbortController(), new AbortController()];
  const make = () =>
    createDeadline({ silenceMs: 1, totalMs: 1, outer: outer.signal, closing: closing.signal });
  const [timed, cancelled] = [make(), make()];
  timed.release();
  outer.abort();
  closing.abort();
  vi.advanceTimersByTime(5);
  expect([timed.ended, cancelled.ended, make().ended]).toEqual([
    undefined,
    "cancelled",
    "cancelled",
  ]);
});
