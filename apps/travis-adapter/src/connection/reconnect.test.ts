import { expect, it } from "vitest";
import { delayBefore } from "./reconnect.ts";

it("[A26] waits between half and the whole of baseDelayMs, doubled with each attempt", () => {
  const policy = { baseDelayMs: 500 };
  expect([1, 2].map((attempt) => delayBefore(attempt, policy, () => 0))).toEqual([250, 500]);
  expect([1, 2].map((attempt) => delayBefore(attempt, policy, () => 1))).toEqual([500, 1000]);
});
