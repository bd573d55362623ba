import { PassThrough, Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { createReport } from "./index.ts";

/** A stream that the system takes nothing from. */
function failing(code: string): Writable {
  const error = Object.assign(new Error("write"), { code });
  return new Writable({ autoDestroy: false, write: (_chunk, _encoding, done) => done(error) });
}

const environment = {};

describe("a stream that cannot be written", () => {
  it("[W9] ends no program that logs to it", async () => {
    const stderr = failing("ENOSPC");
    const report = createReport({ stdout: new PassThrough(), stderr, environment });
    const seen = new Promise((resolve) => stderr.once("error", resolve));
    report.warn("the disk is full");
    expect(await seen).toMatchObject({ code: "ENOSPC" });
    await report.settle();
  });

  it("[W9] fails the command whose result it does not take", async () => {
    const stdout = failing("ENOSPC");
    const report = createReport({ stdout, stderr: new PassThrough(), environment });
    report.result("the result", {});
    await expect(report.settle()).rejects.toMatchObject({
      code: "NOT_PRINTED",
      message: "Cannot print the result: stdout does not take it (ENOSPC)",
    });
  });

  it("[W9] is no fault where its reader has left", async () => {
    const stdout = failing("EPIPE");
    const report = createReport({ stdout, stderr: new PassThrough(), environment });
    report.result("the result", {});
    await report.settle();
  });
});
