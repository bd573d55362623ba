import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { UpstreamError } from "../errors.ts";
import { MAX_TIMEOUT_RESETS } from "../limits.ts";
import type { RequestClient } from "./request.ts";
import { createWaiting, type WaitingRequest } from "./waiting.ts";

const TIMEOUT_MS = 100;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function requestOf(client?: RequestClient): WaitingRequest {
  const request = { build: () => Buffer.alloc(0), timeoutMs: TIMEOUT_MS };
  return {
    request: client === undefined ? request : { ...request, client },
    resolve: () => {},
    reject: vi.fn(),
  };
}

function start() {
  const timedOut: number[] = [];
  return { timedOut, waiting: createWaiting((id) => timedOut.push(id)) };
}

/** The request has `ms` left, and not one more or less. */
function expectTimeout(id: number, ms: number, timedOut: readonly number[]) {
  vi.advanceTimersByTime(ms - 1);
  expect(timedOut).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(timedOut).toEqual([id]);
}

describe("a request that waits for its answer", () => {
  it("[G14] has its time, and not a moment more", () => {
    const { timedOut, waiting } = start();
    const id = waiting.add(requestOf());
    expectTimeout(id, TIMEOUT_MS, timedOut);
  });

  it("[G14] has its time anew with each progress, up to ten times in all", () => {
    const { timedOut, waiting } = start();
    const id = waiting.add(requestOf());
    for (let ms = 1; ms < MAX_TIMEOUT_RESETS * TIMEOUT_MS; ms++) {
      vi.advanceTimersByTime(1);
      waiting.extend(id);
    }
    expectTimeout(id, 1, timedOut);
  });

  it("[G14] has all the time of a call while its client is asked, and its own afterwards", () => {
    const { timedOut, waiting } = start();
    const client = { tell: () => true } as unknown as RequestClient;
    const id = waiting.add(requestOf(client));
    const goOn = waiting.pause(client);
    vi.advanceTimersByTime((MAX_TIMEOUT_RESETS - 2) * TIMEOUT_MS);
    goOn();
    expectTimeout(id, TIMEOUT_MS, timedOut);
  });

  it("is never late once it was taken or failed, and its end is told once", () => {
    const { timedOut, waiting } = start();
    const [taken, failed] = [requestOf(), requestOf()];
    const id = waiting.add(taken);
    expect(waiting.only()).toBe(id);
    waiting.add(failed);
    expect(waiting.only()).toBeUndefined();
    expect(waiting.take(id)).toBe(taken);
    waiting.failAll(new UpstreamError("ENDED", "gone"));
    waiting.failAll(new UpstreamError("ENDED", "gone"));
    vi.advanceTimersByTime(TIMEOUT_MS * MAX_TIMEOUT_RESETS);
    expect(timedOut).toEqual([]);
    expect(taken.reject).not.toHaveBeenCalled();
    expect(failed.reject).toHaveBeenCalledTimes(1);
  });
});
