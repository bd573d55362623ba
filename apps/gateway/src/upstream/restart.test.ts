import { edges } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { createRestarts } from "./restart.ts";

function restarting() {
  let time = 0;
  const restarts = createRestarts(() => time);
  return {
    restarts,
    at(ms: number) {
      time = ms;
      return restarts;
    },
  };
}

describe("createRestarts", () => {
  it("starts a server at once that never ended", () => {
    expect(restarting().restarts.verdict()).toEqual({ kind: "start", delayMs: 0 });
  });

  it("[G13] delays the n-th restart within a minute by 100 ms × 2^(n−1) from the end", () => {
    const { restarts, at } = restarting();
    for (const [end, delayMs] of [
      [1000, 100],
      [2000, 200],
      [3000, 400],
      [4000, 800],
    ] as const) {
      at(end).ended();
      expect(restarts.verdict()).toEqual({ kind: "start", delayMs });
      expect(at(end + delayMs).verdict()).toEqual({ kind: "start", delayMs: 0 });
    }
  });

  it("[G13] pauses for 60 s after five ends within a minute, and starts afresh then", () => {
    const { restarts, at } = restarting();
    for (const end of [0, 10_000, 20_000, 30_000, 40_000]) at(end).ended();
    const [under, on] = edges(60_000);
    expect(at(40_000 + under).verdict()).toEqual({ kind: "paused", leftMs: 1 });
    expect(at(40_000 + on).verdict()).toEqual({ kind: "start", delayMs: 0 });
    restarts.ended();
    expect(restarts.verdict()).toEqual({ kind: "start", delayMs: 100 });
  });

  it("[G13] forgets ends that are more than a minute old", () => {
    const { restarts, at } = restarting();
    for (const end of [0, 20_000, 40_000, 59_000, 60_000]) at(end).ended();
    expect(restarts.verdict()).toMatchObject({ kind: "start" });
  });
});
