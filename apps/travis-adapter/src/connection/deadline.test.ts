import { expect, it } from "vitest";
import { createDeadline } from "./deadline.ts";

it("tells which ending came first, and keeps to it", async () => {
  const outer = new AbortController();
  const cancelled = createDeadline(1_000_000, outer.signal);
  expect([cancelled.ended, cancelled.signal.aborted]).toEqual([undefined, false]);
  outer.abort();
  expect([cancelled.ended, cancelled.signal.aborted]).toEqual(["cancelled", true]);
  cancelled.release();

  const late = createDeadline(1, new AbortController().signal);
  await new Promise((resolve) => late.signal.addEventListener("abort", resolve));
  expect(late.ended).toBe("timeout");
  late.release();

  const early = createDeadline(1_000_000, AbortSignal.abort());
  expect(early.ended).toBe("cancelled");
  early.release();
});
