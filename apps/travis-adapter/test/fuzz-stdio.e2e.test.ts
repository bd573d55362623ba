import fc from "fast-check";
import { anyDefinition, createSubject, fuzzBatches, fuzzRuns, serverLine } from "test-fixtures";
import { afterAll, describe, expect, it } from "vitest";
import { fixture, openSession } from "./session.ts";

const subject = createSubject(() =>
  openSession({ hostile: fixture("hostile", { requestTimeoutMs: 3000 }) }),
);
afterAll(() => subject[Symbol.asyncDispose]());

const spew = fc.record({ lines: fc.array(serverLine, { maxLength: 6 }) });
const define = fc.record({ tools: fc.array(anyDefinition, { maxLength: 4 }) });
const input = fc.oneof({ weight: 5, arbitrary: spew }, { weight: 1, arbitrary: define });

describe("a stdio server that says anything", () => {
  it("[A25] [P3] spoils no more than its own answers: each request ends, and the next is served", async () => {
    await fuzzBatches(input, { inputs: fuzzRuns(300), size: 300 }, (inputs) =>
      subject.use(async ({ ask }) => {
        const server = "hostile";
        const queue = inputs.values();
        const work = async () => {
          for (const given of queue) {
            const tool = "lines" in given ? "spew" : "define";
            const answer = await ask({ server, tool, args: given });
            expect(answer.content.length).toBeGreaterThan(0);
          }
        };
        await Promise.all(Array.from({ length: 4 }, work));
        for (const operation of ["tools.list", "resources.list", "prompts.list"])
          expect((await ask({ server, operation })).isError).toBe(false);
        // What is left of the batch may still fail the first.
        await ask({ server, tool: "still" });
        const still = await ask({ server, tool: "still" });
        expect([still.isError, still.text]).toEqual([false, expect.stringMatching(/^\d+$/)]);
      }),
    );
  });
});
