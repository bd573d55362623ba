import { expect, it } from "vitest";
import { createAttempt } from "./attempt.ts";

/** An attempt whose outcome the test decides. */
function open() {
  let settle: (value: string) => void = () => {};
  let seen: AbortSignal | undefined;
  let abandoned = 0;
  const attempt = createAttempt<string>({
    run: (signal) => {
      seen = signal;
      return new Promise((resolve, reject) => {
        settle = resolve;
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    },
    onAbandon: () => abandoned++,
  });
  attempt.outcome.catch(() => {});
  return {
    attempt,
    settle: (value: string) => settle(value),
    signal: () => seen,
    abandoned: () => abandoned,
  };
}

it("gives one outcome to all who joined", async () => {
  const { attempt, settle } = open();
  const both = Promise.all([attempt.join(), attempt.join(new AbortController().signal)]);
  settle("done");
  expect(await both).toEqual(["done", "done"]);
});

it("goes on when one of two leaves, and ends when the last one does", async () => {
  const { attempt, signal, abandoned } = open();
  const [first, second] = [new AbortController(), new AbortController()];
  const [one, two] = [attempt.join(first.signal), attempt.join(second.signal)];
  first.abort(new Error("first left"));
  await expect(one).rejects.toThrow("first left");
  expect([signal()?.aborted, abandoned()]).toEqual([false, 0]);
  second.abort(new Error("second left"));
  await expect(two).rejects.toThrow("second left");
  expect([signal()?.aborted, abandoned()]).toEqual([true, 1]);
});

it("never ends while somebody waits without a signal, or nobody has joined", async () => {
  const { attempt, settle, signal } = open();
  const waiting = attempt.join();
  const controller = new AbortController();
  const leaving = attempt.join(controller.signal);
  controller.abort(new Error("left"));
  await expect(leaving).rejects.toThrow("left");
  expect(signal()?.aborted).toBe(false);
  settle("done");
  expect(await waiting).toBe("done");
});

it("abort rejects all who wait", async () => {
  const { attempt } = open();
  const waiting = attempt.join();
  attempt.abort(new Error("over"));
  await expect(waiting).rejects.toThrow("over");
});

it("refuses a signal that is aborted already", async () => {
  const { attempt } = open();
  await expect(attempt.join(AbortSignal.abort(new Error("late")))).rejects.toThrow("late");
});
