import { describe, expect, it } from "vitest";
import { run, startProcess } from "../src/index.ts";

const leaky = ["-e", "console.error(process.env)"];

describe("a process that prints a secret of its environment", () => {
  it("[P3] fails the test that has run it", async () => {
    await expect(run(process.execPath, leaky)).rejects.toThrow("printed a secret");
  });

  it("[P3] fails the test that has started it, also with an environment of its own", async () => {
    const started = startProcess(process.execPath, leaky, { env: {} });
    await started.exited;
    await expect(started[Symbol.asyncDispose]()).rejects.toThrow("printed a secret");
  });
});
