import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToolResult } from "../host.ts";
import { createDoor, encode } from "./door.ts";

interface Call {
  readonly request: unknown;
  readonly signal: AbortSignal;
  answer(text: string): void;
}

/** A door before an adapter that answers when the test says so, or as cancelled when it is. */
function openDoor() {
  const lines: string[] = [];
  const calls: Call[] = [];
  const environments: object[] = [];
  const door = createDoor({
    adapter: {
      execute: (request, { signal } = {}) =>
        new Promise((resolve) => {
          const answer = (text: string) => resolve(resultOf(text));
          signal?.addEventListener("abort", () => answer("cancelled"));
          calls.push({ request, signal: signal as AbortSignal, answer });
        }),
    },
    setEnvironment: (env) => environments.push(env),
    write: (line) => lines.push(line),
  });
  return {
    ...door,
    calls,
    environments,
    send: (frame: object) => door.receive(Buffer.from(JSON.stringify(frame))),
    execute: (id: unknown, env = {}) =>
      door.receive(
        Buffer.from(JSON.stringify({ id, method: "execute", params: { request: { id }, env } })),
      ),
    /** The answers so far, once what has settled is written. */
    async answers() {
      await new Promise(setImmediate);
      return lines.map((line) => JSON.parse(line));
    },
  };
}

function resultOf(text: string): ToolResult {
  const details = { travis234Mcp: { operation: "call", isError: false } };
  return { content: [{ type: "text", text }], details, isError: false };
}

describe("the door for JSON lines", () => {
  it("[A4] answers requests by their ids, in whatever order they end", async () => {
    const door = openDoor();
    door.execute(1);
    door.execute("1");
    door.calls[1]?.answer("second");
    door.calls[0]?.answer("first");
    expect(await door.answers()).toEqual([
      { id: "1", result: resultOf("second") },
      { id: 1, result: resultOf("first") },
    ]);
  });

  it("[A4] answers a cancelled id once, and hurts no other", async () => {
    const door = openDoor();
    door.execute(0);
    door.execute(1);
    door.send({ method: "cancel", params: { id: 0 } });
    door.send({ method: "cancel", params: { id: 0 } });
    door.calls[0]?.answer("late");
    expect(await door.answers()).toEqual([{ id: 0, result: resultOf("cancelled") }]);
    expect(door.calls[1]?.signal.aborted).toBe(false);
    door.send({ method: "cancel", params: { id: 0 } });
    door.send({ method: "cancel", params: { id: "never seen" } });
    expect(await door.answers()).toHaveLength(1);
  });

  it("[A4] takes the host's environment anew with each request", () => {
    const door = openDoor();
    door.execute(1, { TOKEN: "old" });
    door.execute(2, { TOKEN: "new" });
    expect(door.environments).toEqual([{ TOKEN: "old" }, { TOKEN: "new" }]);
  });

  it("[A4] refuses an id that still runs, and takes it again later", async () => {
    const door = openDoor();
    door.execute(1);
    door.execute(1);
    expect(await door.answers()).toMatchObject([{ id: 1, error: { code: "ID_IN_USE" } }]);
    door.calls[0]?.answer("first");
    await door.answers();
    door.execute(1);
    door.calls[1]?.answer("again");
    expect(await door.answers()).toHaveLength(3);
  });

  it("[A4] refuses a line over the limit by its id, wherever it stands", async () => {
    const door = openDoor();
    const head = Buffer.from('{"id":"long","method":"execute","params":{"request":"');
    door.refuse({ head, tail: Buffer.from('"}}'), bytes: 99 });
    expect(await door.answers()).toMatchObject([{ id: "long", error: { code: "FRAME_TOO_LONG" } }]);
  });

  it("[A4] when closed has answered all that ran, and passes over what still comes", async () => {
    const door = openDoor();
    door.execute(1);
    door.execute(2);
    await door.close();
    door.execute(3);
    door.send({ id: 4, method: "nonsense" });
    expect((await door.answers()).map(({ id }) => id)).toEqual([1, 2]);
  });

  it("[A4] tells who asks for the end", async () => {
    const door = openDoor();
    door.send({ id: "bye", method: "shutdown" });
    expect(await door.shutdown).toBe("bye");
  });
});

describe("encode", () => {
  it("[A4] gives text that every language can keep, whatever the server sent", () => {
    const unit = fc.oneof(fc.constantFrom(0x5c, 0x75, 0xd83d, 0xde00), fc.nat(0xffff));
    fc.assert(
      fc.property(fc.array(unit), (units) => {
        const text = String.fromCharCode(...units);
        const kept = JSON.parse(encode({ text })).text as string;
        expect(kept).toBe(Buffer.from(text, "utf8").toString("utf8"));
      }),
    );
    expect(JSON.parse(encode({ text: "a\ud800\\ud800\\\ud800😀" })).text).toBe(
      "a\ufffd\\ud800\\\ufffd😀",
    );
  });
});
