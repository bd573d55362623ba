import { expect, it } from "vitest";
import { createInFlight } from "./in-flight.ts";

it("[G15] cancels the one call of an id, and none where several have it or none has", () => {
  const cancelled: string[] = [];
  const inFlight = createInFlight();
  inFlight.add("n1", () => cancelled.push("first"));
  inFlight.add("s1", () => cancelled.push("text"));
  const endSecond = inFlight.add("n1", () => cancelled.push("second"));
  inFlight.cancel("n1");
  inFlight.cancel("n2");
  expect(cancelled).toEqual([]);
  inFlight.cancel("s1");
  expect(cancelled).toEqual(["text"]);
  endSecond();
  inFlight.cancel("n1");
  expect(cancelled).toEqual(["text", "first"]);
});

it("counts the calls and cancels them all", () => {
  const inFlight = createInFlight();
  let cancelled = 0;
  const over = inFlight.add("n1", () => cancelled++);
  inFlight.add("n2", () => cancelled++);
  expect(inFlight.size).toBe(2);
  inFlight.cancelAll();
  expect(cancelled).toBe(2);
  over();
  over();
  expect(inFlight.size).toBe(1);
});
