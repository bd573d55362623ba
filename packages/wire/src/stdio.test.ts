import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { LoggingMessageNotificationSchema, ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, describe, expect, it, vi } from "vitest";
import { isRunning, serverCommand } from "../test/started.ts";
import { discoverResult, parseDiscover } from "./discover.ts";
import { afterInitialize, MODERN_VERSION, UNSUPPORTED_VERSION, withEnvelope } from "./era.ts";
import { createPeer, type RpcError } from "./peer.ts";
import {
  ANSWER_OVER_LIMIT,
  createStdioTransport,
  type StdioTransport,
  type StdioTransportOptions,
} from "./stdio.ts";

const SHORT = { inputMs: 100, termMs: 100, killMs: 5_000 };
const transports: StdioTransport[] = [];
afterEach(async () => {
  for (const transport of transports.splice(0)) {
    transport.child?.kill();
    await transport.close();
    if (transport.child) expect(isRunning(transport.child.pid)).toBe(false);
  }
});

function transportTo(name: string, options: Partial<StdioTransportOptions> = {}): StdioTransport {
  const transport = createStdioTransport({ ...serverCommand(name), delays: SHORT, ...options });
  transports.push(transport);
  return transport;
}

async function connect(name: string, options?: Partial<StdioTransportOptions>) {
  const transport = transportTo(name, options);
  const client = new Client({ name: "test", version: "1" });
  const errors: Error[] = [];
  client.onerror = (error) => void errors.push(error);
  await client.connect(transport);
  const ask = (method: string, params: Record<string, unknown> = {}) =>
    client.request({ method, params }, ResultSchema, { timeout: 10_000 });
  return { client, transport, errors, ask };
}

describe("with the v1 SDK's client and server", () => {
  it("[W7] [W8] connects, lists and calls", async () => {
    const { client } = await connect("sdk");
    expect(client.getServerVersion()).toMatchObject({ name: "sdk" });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["echo", "wait"]);
    expect(await client.callTool({ name: "echo" })).toMatchObject({ content: [{ text: "hello" }] });
  });

  it("[W8] a cancelled call settles at once, the server hears of it, and siblings go on", async () => {
    const { client } = await connect("sdk");
    const told = new Promise((resolve) =>
      client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) =>
        resolve(params.data),
      ),
    );
    const controller = new AbortController();
    const waiting = client.callTool({ name: "wait" }, undefined, { signal: controller.signal });
    await client.callTool({ name: "echo" });
    controller.abort("enough");
    await expect(waiting).rejects.toThrow("enough");
    expect(await told).toBe("cancelled");
    expect(await client.callTool({ name: "echo" })).toMatchObject({ content: [{ text: "hello" }] });
  });

  it("[W8] closing settles what is pending at once and ends the process", async () => {
    const { client, transport } = await connect("sdk");
    const onclose = vi.fn();
    client.onclose = onclose;
    const waiting = client.callTool({ name: "wait" });
    const closing = client.close();
    await expect(waiting).rejects.toThrow("Connection closed");
    await closing;
    await transport.close();
    expect(onclose).toHaveBeenCalledOnce();
    expect(isRunning(transport.child!.pid)).toBe(false);
    await expect(transport.send({ jsonrpc: "2.0", method: "n" })).rejects.toMatchObject({
      code: "CHILD_GONE",
    });
  });
});

describe("faults of a server", () => {
  it("[W8] a death settles every pending send, and the exit and stderr say why", async () => {
    const transport = transportTo("dies");
    const client = new Client({ name: "test", version: "1" });
    await expect(client.connect(transport)).rejects.toThrow("Connection closed");
    expect(await transport.child?.exited).toEqual({ code: 7, signal: null });
    expect(transport.child?.stderrTail()).toBe("fatal: token is canary-secret-value");
  });

  it("[W8] a start that fails rejects, and nothing is left to close", async () => {
    const transport = transportTo("echo", { command: "/no/such/command" });
    const client = new Client({ name: "test", version: "1" });
    await expect(client.connect(transport)).rejects.toMatchObject({ code: "COMMAND_NOT_FOUND" });
    await transport.close();
    expect(transport.child).toBeUndefined();
  });

  it("[W8] noise is counted and reaches nobody", async () => {
    const transport = transportTo("noisy");
    const received: JSONRPCMessage[] = [];
    const last = new Promise<void>((resolve) => {
      transport.onmessage = (message) => {
        received.push(message);
        if ("method" in message && message.method === "notifications/last") resolve();
      };
    });
    await transport.start();
    await last;
    expect(received).toEqual([
      { jsonrpc: "2.0", method: "notifications/first" },
      { jsonrpc: "2.0", method: "notifications/last" },
    ]);
    expect(transport.child?.noise).toBe(4);
  });

  it.each(["extra", "both", "unversioned", "batch", "deep"])(
    "[W8] an odd envelope (%s) is an answer, where the SDK's own transport would hang",
    async (method) => {
      const { ask } = await connect("odd-answers");
      expect(await ask(method)).toEqual({ ok: true });
    },
  );

  it.each([
    ["fractional", "odd"],
    ["list", "a result that is not an object"],
    ["empty", "no JSON-RPC answer"],
  ])("[W8] an answer that is none (%s) fails its request at once", async (method, message) => {
    const { ask } = await connect("odd-answers");
    await expect(ask(method)).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining(message),
    });
  });

  it("[W8] a malformed request of the server is refused, and fails no request of ours with its id", async () => {
    const { ask } = await connect("odd-answers");
    // The server asks under the id of our request, and answers that once it has our refusal.
    expect(await ask("request")).toEqual({ refused: -32600 });
  });

  it("[W8] a handler that throws is reported, and the lines behind are taken", async () => {
    const transport = transportTo("noisy");
    const errors: Error[] = [];
    transport.onerror = (error) => void errors.push(error);
    transport.onmessage = () => {
      throw new Error("careless");
    };
    await transport.start();
    await vi.waitFor(() => expect(errors).toHaveLength(2));
  });

  it("[W8] an error that names no request is reported and fails none", async () => {
    const { ask, errors } = await connect("odd-answers");
    const answered = ask("extra");
    void ask("nobody").catch(() => {});
    await answered;
    await vi.waitFor(() =>
      expect(errors).toMatchObject([{ message: expect.stringContaining("-32700") }]),
    );
  });
});

describe("an answer over the cap", () => {
  const cap = { maxMessageBytes: 20_000 };

  it.each(["id-first", "id-last", "id-hidden"])(
    "[W8] fails its own request, and the connection lives: %s",
    async (method) => {
      const { ask } = await connect("big", cap);
      await expect(ask(method, { bytes: 20_000 })).rejects.toMatchObject({
        code: ANSWER_OVER_LIMIT,
        message: expect.stringContaining("too long"),
        data: { limit: "message", maximum: 20_000, actual: expect.any(Number) },
      });
      expect(await ask("id-last", { bytes: 10_000 })).toMatchObject({ text: expect.any(String) });
    },
  );

  it("[W8] fails no neighbour, whichever of several requests it answers", async () => {
    const { ask } = await connect("big", cap);
    const settled = await Promise.allSettled([
      ask("id-last", { bytes: 10 }),
      ask("id-last", { bytes: 30_000 }),
      ask("id-first", { bytes: 30_000 }),
      ask("id-first", { bytes: 10 }),
    ]);
    expect(settled.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
      "fulfilled",
    ]);
  });

  it("[W8] is reported as a LimitError where nothing tells whose it is", async () => {
    const { errors, ask } = await connect("big", cap);
    void ask("id-hidden", { bytes: 30_000 }).catch(() => {});
    void ask("id-hidden", { bytes: 30_000 }).catch(() => {});
    await vi.waitFor(() =>
      expect(errors).toContainEqual(expect.objectContaining({ code: "LIMIT_EXCEEDED" })),
    );
    expect(await ask("id-first", { bytes: 1 })).toEqual({ text: "x" });
  });

  it("[W8] as a request of the server is refused, so that the server does not wait", async () => {
    const { client, ask } = await connect("big", cap);
    const refused = new Promise((resolve) => {
      client.fallbackNotificationHandler = async ({ params }) => resolve(params);
    });
    void ask("call", { bytes: 30_000 }).catch(() => {});
    expect(await refused).toEqual({ id: "mine", code: -32600 });
  });
});

describe("with the v2 SDK's modern server", () => {
  /** Our peer over our transport, without any SDK in between. */
  async function connectPeer() {
    const transport = transportTo("modern");
    const peer = createPeer({ send: (message) => transport.send(message as JSONRPCMessage) });
    transport.onmessage = (message) => peer.receive(message);
    transport.onclose = () => peer.close(new Error("closed"));
    await transport.start();
    const envelope = {
      protocolVersion: MODERN_VERSION,
      clientInfo: { name: "test", version: "1" },
      clientCapabilities: {},
    };
    const ask = (method: string, params: object = {}, options = {}) =>
      peer.request(method, withEnvelope({ ...params }, envelope), {
        timeoutMs: 10_000,
        ...options,
      });
    return { transport, peer, ask };
  }

  it("[W6] [W7] [W8] initialize is refused with -32022, and server/discover then works in the same process", async () => {
    const { peer, ask } = await connectPeer();
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    };
    const refusal = await peer.request("initialize", params).catch((error: RpcError) => error);
    expect(refusal).toMatchObject({
      code: UNSUPPORTED_VERSION,
      data: { supported: [MODERN_VERSION] },
    });
    expect(afterInitialize({ kind: "error", code: (refusal as RpcError).code })).toBe("discover");
    const result = await ask("server/discover");
    const serverInfo = { name: "modern", version: "2.0.0" };
    expect(parseDiscover(result)).toMatchObject({
      ok: true,
      discovered: { version: MODERN_VERSION, serverInfo },
    });
    const ours = discoverResult({ serverInfo, capabilities: {} });
    expect(Object.keys(ours).sort()).toEqual(Object.keys(result as object).sort());
  });

  it("[W8] lists, calls, reports progress and cancels", async () => {
    const { transport, ask } = await connectPeer();
    expect(await ask("tools/list")).toMatchObject({
      resultType: "complete",
      tools: [{ name: "echo" }, { name: "steps" }, { name: "wait" }],
    });
    const steps: unknown[] = [];
    const onProgress = (progress: unknown) => void steps.push(progress);
    await ask("tools/call", { name: "steps", arguments: {} }, { onProgress });
    expect(steps).toMatchObject([{ progress: 1, total: 2 }, { progress: 2 }]);

    const controller = new AbortController();
    const waiting = ask(
      "tools/call",
      { name: "wait", arguments: {} },
      { signal: controller.signal },
    );
    await vi.waitFor(() => expect(transport.child?.stderrTail()).toBe("waiting"));
    controller.abort("enough");
    await expect(waiting).rejects.toBe("enough");
    await vi.waitFor(() => expect(transport.child?.stderrTail()).toBe("waiting\ncancelled"));
    expect(await ask("tools/call", { name: "echo", arguments: {} })).toMatchObject({
      content: [{ text: "hello" }],
    });
  });

  it("[W8] a death rejects what is pending with the owner's reason", async () => {
    const { transport, ask } = await connectPeer();
    const waiting = ask("tools/call", { name: "wait", arguments: {} });
    await vi.waitFor(() => expect(transport.child?.stderrTail()).toBe("waiting"));
    transport.child?.kill();
    await expect(waiting).rejects.toThrow("closed");
  });
});
