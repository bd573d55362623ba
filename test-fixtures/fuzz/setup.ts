// Runs before each test file of `npm run fuzz`. Every property without a count of its own gets as many inputs as asked,
// and for each property a line of figures is kept.
import { appendFileSync } from "node:fs";
import fc from "fast-check";
import { expect } from "vitest";
import { fuzzRuns, throwIfFailed } from "../src/fuzz.ts";

const report = process.env.FUZZ_REPORT;
let since = Date.now();

fc.configureGlobal({
  numRuns: fuzzRuns(100),
  reporter(out) {
    const { testPath: file, currentTestName: test } = expect.getState();
    const { numRuns: inputs, seed, failed } = out;
    const ms = Date.now() - since;
    since = Date.now();
    if (report !== undefined)
      appendFileSync(report, `${JSON.stringify({ file, test, inputs, ms, seed, failed })}\n`);
    throwIfFailed(out);
  },
});
