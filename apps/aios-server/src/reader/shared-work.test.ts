import { once } from "node:events";
import { MessageChannel } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import {
  createHelper,
  type Helper,
  help,
  inPieces,
  sharedNumbers,
  startHelper,
} from "./shared-work.ts";

const entry = new URL("../../test/helper-worker.mjs", import.meta.url);
const LARGE = 10_000;

type Answer = { readonly by: string; readonly piece: number };

/** Shares pieces with a helper, and after the first waits a moment for it to begin. */
function shareWith(helper: Helper, act: string, { size = LARGE, count = 50 } = {}) {
  const begun = sharedNumbers(1);
  return helper.share<number, Answer>({
    actor: "any",
    given: { act, begun },
    pieces: Array.from({ length: count }, (_, at) => at),
    size,
    act: (piece) => {
      if (piece === 1) Atomics.wait(begun, 0, 0, 50);
      return { by: "here", piece };
    },
  });
}

const piecesOf = (answers: readonly Answer[]) => answers.map(({ piece }) => piece);
const all = Array.from({ length: 50 }, (_, at) => at);

/** A helper whose thread listens. */
async function startReady(): Promise<Helper> {
  const helper = startHelper(entry);
  for (;;) {
    const answers = shareWith(helper, "work");
    if (answers.some(({ by }) => by === "helper")) return helper;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("inPieces", () => {
  it("cuts into pieces of 256 at most, in order and without an empty one", () => {
    const sizes = [0, 1, 256, 257, 600].map((count) =>
      inPieces(Array.from({ length: count }, (_, at) => at)).map(({ length }) => length),
    );
    expect(sizes).toEqual([[], [1], [256], [256, 1], [256, 256, 88]]);
    const items = Array.from({ length: 600 }, (_, at) => at);
    expect(inPieces(items).flat()).toEqual(items);
  });
});

describe("createHelper", () => {
  it("gives each piece's answer in the pieces' order, whoever made it", async () => {
    const helper = await startReady();
    for (let round = 0; round < 5; round++)
      expect(piecesOf(shareWith(helper, "work"))).toEqual(all);
  });

  it("does alone what is small, and everything until the other thread listens", async () => {
    const made = shareWith(startHelper(entry), "work");
    expect(new Set(made.map(({ by }) => by))).toEqual(new Set(["here"]));
    const small = shareWith(await startReady(), "work", { size: 511 });
    expect(new Set(small.map(({ by }) => by))).toEqual(new Set(["here"]));
  });

  it("does itself what the helper took up and did not finish", async () => {
    const helper = await startReady();
    expect(piecesOf(shareWith(helper, "stop early"))).toEqual(all);
  });

  it("passes on what goes wrong on its own side, and goes on with the next work", async () => {
    const helper = await startReady();
    const fail = () => {
      throw new Error("cancelled");
    };
    const given = { act: "stop early", begun: sharedNumbers(1) };
    const work = { actor: "any", given, pieces: all, size: LARGE, act: fail };
    expect(() => helper.share(work)).toThrow("cancelled");
    expect(piecesOf(shareWith(helper, "work"))).toEqual(all);
  });

  it("asks nothing more of a helper that is gone", async () => {
    const { port1 } = new MessageChannel();
    const ready = sharedNumbers(1);
    const helper = createHelper(port1, ready);
    Atomics.store(ready, 0, 1);
    // Nobody listens: the offer is withdrawn without waiting.
    const answers = shareWith(helper, "work", { count: 1 });
    expect(answers).toEqual([{ by: "here", piece: 0 }]);
    port1.close();
  });
});

describe("help", () => {
  const { port1, port2 } = new MessageChannel();
  const ready = sharedNumbers(1);
  let disposed = 0;
  help(
    { port: port2, ready },
    {
      double: (given: number) => ({
        act: (piece: unknown) => {
          if (piece === 13) throw new Error("unlucky");
          return new Uint8Array([2 * Number(piece) + given]);
        },
        transfer: (answer: object) => [(answer as Uint8Array<ArrayBuffer>).buffer],
        [Symbol.dispose]: () => void disposed++,
      }),
    },
  );

  async function ask(pieces: readonly unknown[], control = sharedNumbers(2)) {
    const answered = once(port1, "message");
    port1.postMessage({ id: 7, actor: "double", given: 1, pieces, control });
    const [message] = await answered;
    return { message, state: Atomics.load(control, 1) };
  }

  it("does the pieces that nobody else has taken, says that it is done, and cleans up", async () => {
    expect(Atomics.load(ready, 0)).toBe(1);
    const control = sharedNumbers(2);
    Atomics.store(control, 0, 1);
    const { message, state } = await ask([1, 2, 3], control);
    const answers = [
      [1, new Uint8Array([5])],
      [2, new Uint8Array([7])],
    ];
    expect([message, state]).toEqual([{ id: 7, answers }, 2]);
    expect(disposed).toBe(1);
  });

  it("leaves a piece that fails, and all after it, to the other side", async () => {
    const { message } = await ask([1, 13, 3]);
    expect(message.answers).toEqual([[0, new Uint8Array([3])]]);
    expect(disposed).toBe(2);
  });

  it("does nothing of a work that was withdrawn", async () => {
    const control = sharedNumbers(2);
    Atomics.store(control, 1, 3);
    port1.postMessage({ id: 8, actor: "double", given: 1, pieces: [1], control });
    expect((await ask([2])).message.id).toBe(7);
    expect(Atomics.load(control, 0)).toBe(0);
    port1.close();
  });
});
