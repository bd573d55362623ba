import { anyOrder, callsWith, createSubject, fuzzBatches, fuzzRuns } from "test-fixtures";
import { afterAll, describe, expect, it } from "vitest";
import { fixture, openSession } from "./session.ts";

const subject = createSubject(() =>
  openSession({ hostile: fixture("hostile", { requestTimeoutMs: 3000 }) }),
);
afterAll(() => subject[Symbol.asyncDispose]());

describe("a stdio server that says anything", () => {
  it("[A25] [P3] spoils no more than its own answers: each request ends, and the next is served", async () => {
    await fuzzBatches(anyOrder, { inputs: fuzzRuns(500), size: 1000 }, (orders) =>
      subject.use(async ({ ask }) => {
        const server = "hostile";
        const queue = callsWith(orders).values();
        const work = async () => {
          for (const call of queue) {
            const answer = await ask({ server, ...call });
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
