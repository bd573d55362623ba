import { describe, expect, it, vi } from "vitest";
import type { JsonObject } from "./message.ts";
import { type Clock, createPeer, type Peer, type PeerOptions, RpcError } from "./peer.ts";

/** A clock that stands until it is told to go on. */
function createClock() {
  let time = 0;
  const timers = new Map<number, { at: number; run: () => void }>();
  let next = 0;
  const clock: Clock = {
    now: () => time,
    setTimeout(run, ms) {
      timers.set(++next, { at: time + ms, run });
      return next;
    },
    clearTimeout: (timer) => void timers.delete(timer as number),
  };
  return {
    clock,
    timers,
    advance(ms: number) {
      time += ms;
      for (const [id, { at, run }] of [...timers]) {
        if (at <= time && timers.delete(id)) run();
      }
    },
  };
}

/** A peer whose messages go to a list. */
function createLonePeer(options: Partial<PeerOptions> = {}) {
  const sent: JsonObject[] = [];
  const errors: Error[] = [];
  const time = createClock();
  const peer = createPeer({
    send: (message) => void sent.push(message),
    onError: (error) => void errors.push(error),
    clock: time.clock,
    ...options,
  });
  return { peer, sent, errors, ...time };
}

/** Two peers that hear each other through JSON, one turn later. */
function createPair(left: Partial<PeerOptions>, right: Partial<PeerOptions>): [Peer, Peer] {
  const carry = (to: () => Peer) => (message: JsonObject) => {
    const text = JSON.stringify(message);
    queueMicrotask(() => to().receive(JSON.parse(text)));
  };
  const a: Peer = createPeer({ send: carry(() => b), ...left });
  const b: Peer = createPeer({ send: carry(() => a), ...right });
  return [a, b];
}

const cancelled = (requestId: number, reason: string) => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId, reason },
});

describe("request", () => {
  it("[W8] resolves each of many with its own result, unchecked, in any order", async () => {
    const { peer, sent } = createLonePeer();
    const answers = [peer.request("a"), peer.request("b", { x: 1 }), peer.request("c")];
    expect(sent).toEqual([
      { jsonrpc: "2.0", id: 1, method: "a", params: { _meta: { progressToken: 1 } } },
      { jsonrpc: "2.0", id: 2, method: "b", params: { x: 1, _meta: { progressToken: 2 } } },
      { jsonrpc: "2.0", id: 3, method: "c", params: { _meta: { progressToken: 3 } } },
    ]);
    expect(peer.pending).toBe(3);
    for (const id of [3, 1, 2]) peer.receive({ jsonrpc: "2.0", id, result: [{ odd: id }] });
    expect(await Promise.all(answers)).toEqual([[{ odd: 1 }], [{ odd: 2 }], [{ odd: 3 }]]);
    expect(peer.pending).toBe(0);
  });

  it("[W8] rejects with the other side's error, data and all, and lives on", async () => {
    const { peer } = createLonePeer();
    const failing = peer.request("a");
    const error = { code: -32602, message: "no such tool", data: { tool: "x" } };
    peer.receive({ jsonrpc: "2.0", id: 1, error });
    await expect(failing).rejects.toMatchObject({ name: "RpcError", ...error });
    const next = peer.request("b");
    peer.receive({ jsonrpc: "2.0", id: 2, result: {} });
    expect(await next).toEqual({});
  });

  it('[W8] keeps the ids 1 and "1" apart', async () => {
    const { peer } = createLonePeer();
    const answer = peer.request("a");
    peer.receive({ jsonrpc: "2.0", id: "1", result: "wrong" });
    peer.receive({ jsonrpc: "2.0", id: 1, result: "right" });
    expect(await answer).toBe("right");
  });

  it("[W8] fails at once with an answer that is no JSON-RPC", async () => {
    const { peer } = createLonePeer();
    const answer = peer.request("a");
    peer.receive({ jsonrpc: "2.0", id: 1 });
    await expect(answer).rejects.toThrow("no JSON-RPC message");
  });

  it("[W8] fails with its send, and no other does", async () => {
    const send = vi.fn().mockRejectedValueOnce(new Error("gone")).mockResolvedValue(undefined);
    const { peer } = createLonePeer({ send });
    const [first, second] = [peer.request("a"), peer.request("b")];
    await expect(first).rejects.toThrow("gone");
    peer.receive({ jsonrpc: "2.0", id: 2, result: 0 });
    expect(await second).toBe(0);
  });
});

describe("cancellation", () => {
  it("[W8] settles at once with the signal's reason, tells the other side, and drops the late answer", async () => {
    const { peer, sent, errors } = createLonePeer();
    const controller = new AbortController();
    const [stopped, sibling] = [
      peer.request("a", {}, { signal: controller.signal }),
      peer.request("b"),
    ];
    const reason = new Error("the user said so");
    controller.abort(reason);
    await expect(stopped).rejects.toBe(reason);
    expect(sent.at(-1)).toEqual(cancelled(1, "cancelled"));
    peer.receive({ jsonrpc: "2.0", id: 1, result: "late" });
    peer.receive({ jsonrpc: "2.0", id: 2, result: "unharmed" });
    expect(await sibling).toBe("unharmed");
    expect(errors).toEqual([]);
  });

  it("[W8] before the request sends nothing, and after the answer neither", async () => {
    const { peer, sent } = createLonePeer();
    await expect(peer.request("a", {}, { signal: AbortSignal.abort("no") })).rejects.toBe("no");
    expect(sent).toEqual([]);
    const controller = new AbortController();
    const answer = peer.request("b", {}, { signal: controller.signal });
    peer.receive({ jsonrpc: "2.0", id: 1, result: 1 });
    controller.abort();
    expect(await answer).toBe(1);
    expect(sent).toHaveLength(1);
  });

  it("[W8] of initialize is not sent, because the handshake has none", async () => {
    const { peer, sent } = createLonePeer();
    const controller = new AbortController();
    const answer = peer.request("initialize", {}, { signal: controller.signal });
    controller.abort("no");
    await expect(answer).rejects.toBe("no");
    expect(sent).toHaveLength(1);
  });

  it("[W8] goes through the transport's own way where it has one", async () => {
    const cancel = vi.fn();
    const { peer, sent } = createLonePeer({ cancel });
    const controller = new AbortController();
    const answer = peer.request("a", {}, { signal: controller.signal });
    controller.abort("no");
    await expect(answer).rejects.toBe("no");
    expect(cancel).toHaveBeenCalledExactlyOnceWith(1, "cancelled");
    expect(sent).toHaveLength(1);
  });

  it.each([[0], [1], ["0"], [""]])(
    "[W8] aborts the handler of the request %j, which gets no answer",
    async (id) => {
      let seen: AbortSignal | undefined;
      let finish = () => {};
      const { peer, sent } = createLonePeer({
        onRequest: (_, { signal }) => {
          seen = signal;
          return new Promise<void>((resolve) => {
            finish = resolve;
          });
        },
      });
      peer.receive({ jsonrpc: "2.0", id, method: "work" });
      peer.receive({ ...cancelled(99, "another"), params: { requestId: "99" } });
      expect(seen?.aborted).toBe(false);
      peer.receive({ ...cancelled(0, "stop"), params: { requestId: id } });
      expect(seen?.aborted).toBe(true);
      finish();
      await new Promise((resolve) => setImmediate(resolve));
      expect(sent).toEqual([]);
    },
  );

  it("[W8] does not cancel the number where the text was meant", () => {
    let seen: AbortSignal | undefined;
    const { peer } = createLonePeer({
      onRequest: (_, { signal }) => {
        seen = signal;
        return new Promise(() => {});
      },
    });
    peer.receive({ jsonrpc: "2.0", id: 1, method: "work" });
    peer.receive({ ...cancelled(1, ""), params: { requestId: "1" } });
    expect(seen?.aborted).toBe(false);
  });
});

describe("timeouts", () => {
  const limits = { timeoutMs: 100, maxTotalMs: 250 };
  const progress = (value: number) => ({
    jsonrpc: "2.0",
    method: "notifications/progress",
    params: { progressToken: 1, progress: value, message: "on it" },
  });

  it("[W8] end a silent request at its timeout, not before, and cancel it", async () => {
    const { peer, sent, advance, timers } = createLonePeer();
    const answer = peer.request("tools/call", {}, limits);
    advance(99);
    expect(peer.pending).toBe(1);
    advance(1);
    await expect(answer).rejects.toMatchObject({
      code: "REQUEST_TIMEOUT",
      limit: "silence",
      ms: 100,
      message: "tools/call had neither an answer nor progress within 100 ms",
    });
    expect(sent.at(-1)).toEqual(cancelled(1, "timeout"));
    expect(timers.size).toBe(0);
  });

  it("[W8] start anew with progress, up to the total", async () => {
    const onProgress = vi.fn();
    const { peer, advance } = createLonePeer();
    const answer = peer.request("a", {}, { ...limits, onProgress });
    for (const value of [1, 2]) {
      advance(99);
      peer.receive(progress(value));
    }
    expect(onProgress.mock.calls).toEqual([
      [{ progress: 1, message: "on it" }],
      [{ progress: 2, message: "on it" }],
    ]);
    advance(51);
    expect(peer.pending).toBe(1);
    advance(1);
    await expect(answer).rejects.toMatchObject({ limit: "total", ms: 250 });
  });

  it("[W8] are 60 s and ten times that unless said otherwise, with or without a progress handler", async () => {
    const { peer, advance } = createLonePeer();
    const answer = peer.request("a");
    for (let minute = 0; minute < 10; minute++) {
      advance(59_999);
      peer.receive(progress(minute));
    }
    advance(9);
    expect(peer.pending).toBe(1);
    advance(1);
    await expect(answer).rejects.toMatchObject({ limit: "total", ms: 600_000 });
  });

  it("[W8] can be none, and the longest one does not fire at once", () => {
    const { peer, timers } = createLonePeer();
    void peer.request("a", {}, { timeoutMs: Number.POSITIVE_INFINITY });
    expect(timers.size).toBe(0);
    void peer.request("b", {}, { timeoutMs: 2_147_483_647 });
    void peer.request("c", {}, { timeoutMs: Number.POSITIVE_INFINITY, maxTotalMs: 2 ** 40 });
    expect([...timers.values()].map(({ at }) => at)).toEqual([2_147_483_647, 2_147_483_647]);
  });

  it("[W8] leave no timer behind an answer", async () => {
    const { peer, timers } = createLonePeer();
    const answer = peer.request("a");
    peer.receive({ jsonrpc: "2.0", id: 1, result: 1 });
    await answer;
    expect(timers.size).toBe(0);
  });
});

describe("inbound", () => {
  it("[W8] requests are answered by the handler, with its result or its error", async () => {
    const [client] = createPair(
      {},
      {
        onRequest({ method, params }) {
          if (method === "add") return { sum: (params?.a as number) + 1 };
          if (method === "nothing") return undefined;
          if (method === "refuse") throw new RpcError(-32602, "no", { why: 1 });
          throw new Error("secret detail");
        },
      },
    );
    expect(await client.request("add", { a: 1 })).toEqual({ sum: 2 });
    expect(await client.request("nothing")).toEqual({});
    await expect(client.request("refuse")).rejects.toMatchObject({
      code: -32602,
      data: { why: 1 },
    });
    await expect(client.request("crash")).rejects.toMatchObject({
      code: -32603,
      message: "Internal error",
    });
  });

  it("[W8] requests without a handler get -32601 at once, and ping an answer", async () => {
    const [client] = createPair({}, {});
    await expect(client.request("roots/list")).rejects.toMatchObject({ code: -32601 });
    expect(await client.request("ping")).toEqual({});
  });

  it("[W8] progress of a handler reaches the caller that asked, with its token", async () => {
    const seen: unknown[] = [];
    const [client] = createPair(
      {},
      {
        async onRequest(_, { progress }) {
          progress({ progress: 1, total: 2 });
          return {};
        },
      },
    );
    await client.request("work", {}, { onProgress: (progress) => void seen.push(progress) });
    expect(seen).toEqual([{ progress: 1, total: 2 }]);
  });

  it("[W8] a request that asked for no progress gets none, nor does one that is answered", async () => {
    let late = () => {};
    const { peer, sent } = createLonePeer({
      onRequest(_, { progress }) {
        progress({ progress: 1 });
        late = () => progress({ progress: 2 });
        return {};
      },
    });
    peer.receive({ jsonrpc: "2.0", id: 1, method: "a" });
    peer.receive({ jsonrpc: "2.0", id: 2, method: "b", params: { _meta: { progressToken: "t" } } });
    await new Promise((resolve) => setImmediate(resolve));
    late();
    expect(sent.filter(({ method }) => method)).toMatchObject([{ params: { progressToken: "t" } }]);
  });

  it("[W8] a second request under an id in flight is refused, and hurts the first one not", async () => {
    let finish = (_: unknown) => {};
    const { peer, sent } = createLonePeer({
      onRequest: () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    });
    for (const id of [7, "7", 7]) peer.receive({ jsonrpc: "2.0", id, method: "work" });
    expect(sent).toMatchObject([{ id: 7, error: { code: -32600 } }]);
    finish({ of: "7" });
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent[1]).toEqual({ jsonrpc: "2.0", id: "7", result: { of: "7" } });
  });

  it("[W8] notifications reach their handler, also progress of nobody", () => {
    const onNotification = vi.fn();
    const { peer } = createLonePeer({ onNotification });
    const params = { progressToken: "other", progress: 1 };
    peer.receive({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    peer.receive({ jsonrpc: "2.0", method: "notifications/progress", params });
    expect(onNotification.mock.calls).toEqual([
      [{ method: "notifications/tools/list_changed" }],
      [{ method: "notifications/progress", params }],
    ]);
  });

  it("[W8] a batch is taken one by one", async () => {
    const { peer, errors } = createLonePeer();
    const answers = [peer.request("a"), peer.request("b")];
    peer.receive([
      { jsonrpc: "2.0", id: 2, result: "b" },
      [],
      { jsonrpc: "2.0", id: 1, result: "a" },
    ]);
    expect(await Promise.all(answers)).toEqual(["a", "b"]);
    expect(errors).toHaveLength(1);
  });

  it.each([
    [null, []],
    ["text", []],
    [{}, []],
    [{ jsonrpc: "2.0", id: 5, method: 1 }, [{ id: 5, error: { code: -32600 } }]],
    [{ jsonrpc: "1.0", id: "x", method: "a" }, [{ id: "x", error: { code: -32600 } }]],
    [{ jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } }, []],
  ])("[W8] %j is reported, and refused where it can be", (message, answers) => {
    const { peer, sent, errors } = createLonePeer();
    peer.receive(message);
    expect(sent).toMatchObject(answers);
    expect(errors).toHaveLength(1);
  });

  it("[W8] a handler that throws harms neither the peer nor the messages behind", async () => {
    const { peer, errors } = createLonePeer({
      onNotification() {
        throw new Error("careless");
      },
    });
    const answer = peer.request("a");
    peer.receive([
      { jsonrpc: "2.0", method: "n" },
      { jsonrpc: "2.0", id: 1, result: 1 },
    ]);
    expect(await answer).toBe(1);
    expect(errors).toMatchObject([{ message: "careless" }]);
  });
});

describe("close", () => {
  it("[W8] rejects all that is pending with the reason, aborts handlers, and lets nothing in or out", async () => {
    let seen: AbortSignal | undefined;
    const { peer, sent, timers } = createLonePeer({
      onRequest: (_, { signal }) => {
        seen = signal;
        return new Promise(() => {});
      },
    });
    peer.receive({ jsonrpc: "2.0", id: 1, method: "work" });
    const waiting = [peer.request("a"), peer.request("b")];
    const reason = new Error("exit code 7");
    peer.close(reason);
    peer.close(new Error("too late"));
    expect(await Promise.allSettled(waiting)).toEqual([
      { status: "rejected", reason },
      { status: "rejected", reason },
    ]);
    expect(seen?.aborted).toBe(true);
    expect(peer.pending).toBe(0);
    expect(timers.size).toBe(0);
    await expect(peer.request("c")).rejects.toBe(reason);
    await expect(peer.notify("n")).rejects.toBe(reason);
    peer.receive({ jsonrpc: "2.0", id: 5, method: "ping" });
    expect(sent).toHaveLength(2);
  });
});
