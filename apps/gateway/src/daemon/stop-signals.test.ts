import { expect, it } from "vitest";
import { endingSignal, stopSignals } from "./stop-signals.ts";

it("[G26] hears on Windows what consoles send, and leaves SIGHUP elsewhere to the reload", () => {
  expect(stopSignals("win32")).toEqual(["SIGTERM", "SIGINT", "SIGBREAK", "SIGHUP"]);
  for (const platform of ["linux", "darwin"] as const)
    expect(stopSignals(platform)).toEqual(["SIGTERM", "SIGINT"]);
});

it.each([
  ["SIGINT", "linux", "SIGINT"],
  ["SIGTERM", "win32", "SIGTERM"],
  ["SIGINT", "win32", "SIGINT"],
  ["SIGBREAK", "win32", "SIGTERM"],
  ["SIGHUP", "win32", "SIGTERM"],
] as const)("[G26] ends by a signal that can be sent: %s on %s by %s", (signal, platform, by) => {
  expect(endingSignal(signal, platform)).toBe(by);
});
