import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  createTempFolder,
  type Door,
  forwardTo,
  modern,
  openSession,
  openStream,
  rpc,
  run,
  send,
} from "test-fixtures";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { fixture, type GatewayProcess, script, startGateway, textOf } from "./gateway-process.ts";

const lively = fileURLToPath(new URL("servers/lively.mjs", import.meta.url));
const v2 = fileURLToPath(new URL("clients/v2.mjs", import.meta.url));
const folder = createTempFolder();
const log = join(folder.path, "log");
writeFileSync(log, "");

let gateway: GatewayProcess;
let forwarder: Awaited<ReturnType<typeof forwardTo>>;
beforeAll(async () => {
  gateway = await startGateway({
    server: { transport: ["sse", "unix"] },
    mcp_servers: {
      echo: fixture("echo", ["echo"]),
      lively: script(lively, ["steps", "wait", "grow", "grown", "echo_id"], {
        args: [lively, log],
      }),
    },
  });
  forwarder = await forwardTo(gateway.socket);
});
afterAll(async () => {
  await forwarder[Symbol.asyncDispose]();
  await gateway[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const doors = ["TCP", "the socket"] as const;
const doorOf = (name: (typeof doors)[number]): Door =>
  name === "TCP" ? gateway.url : gateway.socket;
const urlOf = (name: (typeof doors)[number], path: string) =>
  new URL(path, name === "TCP" ? gateway.url : forwarder.url);

describe.each(doors)("over %s", (door) => {
  it.each([
    ["Streamable HTTP", "/mcp", StreamableHTTPClientTransport],
    ["Streamable HTTP at /sse", "/sse", StreamableHTTPClientTransport],
    ["SSE", "/sse", SSEClientTransport],
  ] as const)("[G3] serves a client of the v1 SDK by %s", async (_name, path, Transport) => {
    const client = new Client({ name: "test", version: "1" });
    const transport = new Transport(urlOf(door, path));
    await client.connect(transport as Parameters<Client["connect"]>[0]);
    try {
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain("steps");
      const progress: number[] = [];
      const result = await client.callTool({ name: "steps", arguments: {} }, undefined, {
        onprogress: (note) => progress.push(note.progress),
      });
      expect(textOf(result)).toBe("token number");
      // The SDK's SSE client forgets the call before it looks at notifications that came in the same chunk.
      if (Transport !== SSEClientTransport) expect(progress).toEqual([1, 2, 3]);
    } finally {
      await client.close();
    }
  });

  it("[G3] serves clients of the v2 SDK in both eras, at both paths and by SSE", async () => {
    const looks = [
      ["auto", "/mcp", "2026-07-28"],
      ["auto", "/sse", "2026-07-28"],
      ["legacy", "/mcp", "2025-11-25"],
      ["sse", "/sse", "2025-11-25"],
    ] as const;
    const args = looks.flatMap(([mode, path]) => [mode, urlOf(door, path).href]);
    const { stdout, stderr } = await run(process.execPath, [v2, ...args]);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toMatchObject(
      looks.map(([, , version]) => ({
        version,
        tools: expect.arrayContaining(["echo", "steps"]),
        result: { content: [{ text: expect.stringMatching(/^token/) }] },
      })),
    );
  });
});

describe.each(doors)("a modern request over %s", (door) => {
  const ask = (request: ReturnType<typeof modern>, headers: Record<string, string> = {}) =>
    send(doorOf(door), { ...request, headers: { ...request.headers, ...headers } });

  it("[G3] needs no session, wins over one, and is completed without a change to the rest", async () => {
    const session = await openSession(doorOf(door));
    for (const headers of [{}, session]) {
      const discovered = await ask(modern("d", "server/discover"), headers);
      expect(discovered.json).toMatchObject({
        id: "d",
        result: {
          resultType: "complete",
          supportedVersions: ["2026-07-28"],
          capabilities: { tools: { listChanged: true } },
          ttlMs: 0,
          cacheScope: "private",
          _meta: { "io.modelcontextprotocol/serverInfo": { name: "wraptool" } },
        },
      });
      expect(discovered.headers["mcp-session-id"]).toBeUndefined();
      const list = await ask(modern(2, "tools/list"), headers);
      expect(list.json).toMatchObject({ result: { resultType: "complete", ttlMs: 0 } });
      const call = modern(3, "tools/call", { name: "echo", arguments: { text: "hi" } });
      const called = await ask(call, headers);
      expect(called.json).toMatchObject({
        id: 3,
        result: { resultType: "complete", content: [{ type: "text", text: "hi" }] },
      });
    }
  });

  it("[G4] is refused with 400 -32020 if a header is missing or differs from the body", async () => {
    const call = modern(1, "tools/call", { name: "echo", arguments: { text: "hi" } });
    const without = (name: string) => {
      const { [name]: _, ...headers } = call.headers;
      return send(doorOf(door), { body: call.body, headers });
    };
    const answers = [
      ...["mcp-protocol-version", "mcp-method", "mcp-name"].map(without),
      ask(call, { "mcp-protocol-version": "2025-11-25" }),
      ask(call, { "mcp-method": "tools/list" }),
      ask(call, { "mcp-name": "grow" }),
    ];
    for (const { status, json } of await Promise.all(answers))
      expect([status, json]).toMatchObject([400, { id: 1, error: { code: -32020 } }]);
  });

  it("[G4] is refused with -32022 for an unknown revision, 404 for an unknown method, 405 for GET", async () => {
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
    const version = await ask(modern(1, "tools/list", { _meta }), {
      "mcp-protocol-version": "2099-01-01",
    });
    expect([version.status, version.json]).toMatchObject([
      400,
      { error: { code: -32022, data: { supported: ["2026-07-28"], requested: "2099-01-01" } } },
    ]);
    for (const method of ["no/such", "initialize", "ping", "constructor"]) {
      const unknown = await ask(modern(1, method));
      expect([unknown.status, unknown.json]).toMatchObject([404, { error: { code: -32601 } }]);
    }
    for (const method of ["GET", "DELETE"]) {
      const headers = { "mcp-protocol-version": "2026-07-28" };
      const refused = await send(doorOf(door), { method, headers });
      expect([refused.status, refused.headers.allow]).toEqual([405, "POST"]);
    }
  });

  it("[G3] subscribes to changes on a stream of its own, which says when it begins", async () => {
    const listen = (id: unknown, notifications?: object) =>
      openStream(doorOf(door), modern(id, "subscriptions/listen", { notifications }));
    using stream = await listen("s", { toolsListChanged: true, promptsListChanged: true });
    expect(stream.headers).toMatchObject({
      "content-type": "text/event-stream",
      "x-accel-buffering": "no",
    });
    await vi.waitFor(() => expect(stream.data()).toHaveLength(1));
    expect(JSON.parse(stream.data()[0] ?? "")).toMatchObject({
      method: "notifications/subscriptions/acknowledged",
      params: {
        notifications: { toolsListChanged: true },
        _meta: { "io.modelcontextprotocol/subscriptionId": "s" },
      },
    });
    expect((await listen(1)).status).toBe(400);
    const nothing = await listen(2, { toolsListChanged: false });
    await nothing.ended;
    expect(JSON.parse(nothing.data()[1] ?? "")).toMatchObject({ id: 2, result: {} });
  });

  it("[G15] is cancelled when its response is closed, at the server too, and no other is", async () => {
    const marks = () => readFileSync(log, "utf8").split("\n");
    const before = marks().length;
    const wait = await openStreamOf("wait");
    const other = ask(modern(1, "tools/call", { name: "echo", arguments: { text: "unharmed" } }));
    await vi.waitFor(() => expect(marks().length).toBe(before + 1));
    wait[Symbol.dispose]();
    await vi.waitFor(() =>
      expect(marks().slice(before - 1)).toEqual(["waiting", "cancelled a number", ""]),
    );
    expect((await other).json).toMatchObject({ result: { content: [{ text: "unharmed" }] } });

    function openStreamOf(name: string) {
      return openStream(doorOf(door), modern(1, "tools/call", { name }));
    }
  });
});

describe.each(doors)("a legacy stream over %s", (door) => {
  it("[G3] announces a relative endpoint, answers there, and ends its session with it", async () => {
    const stream = await openStream(doorOf(door), { path: "/sse" });
    await vi.waitFor(() => expect(stream.data()).toHaveLength(1));
    expect(stream.text()).toMatch(/^event: endpoint\ndata: \/messages\?sessionId=[\w-]{43}\n\n/);
    const [path = ""] = stream.data();
    const post = (body: object) => send(doorOf(door), { path, body });
    const params = { protocolVersion: "2024-11-05", capabilities: {} };
    const accepted = await post(rpc("i", "initialize", params));
    expect([accepted.status, accepted.text]).toEqual([202, ""]);
    await post({ jsonrpc: "2.0", method: "notifications/initialized" });
    await post(rpc(7, "tools/call", { name: "echo", arguments: { text: "hi" } }));
    await vi.waitFor(() => expect(stream.data()).toHaveLength(3));
    expect(
      stream
        .data()
        .slice(1)
        .map((data) => JSON.parse(data)),
    ).toMatchObject([
      { id: "i", result: { protocolVersion: "2024-11-05" } },
      { id: 7, result: { content: [{ text: "hi" }] } },
    ]);
    stream[Symbol.dispose]();
    await vi.waitFor(async () => expect((await post(rpc(8, "ping"))).status).toBe(404));
  });

  it("[G4] refuses posts without a session, to an unknown one, and to one of another transport", async () => {
    const status = async (path: string, method = "POST") =>
      (await send(doorOf(door), { path, method, body: rpc(1, "ping") })).status;
    const { "mcp-session-id": id } = await openSession(doorOf(door));
    expect(await status("/messages")).toBe(400);
    expect(await status("/messages?sessionId=unknown")).toBe(404);
    expect(await status(`/messages?sessionId=${id}`)).toBe(404);
    expect(await status("/messages?sessionId=x", "PUT")).toBe(405);
    using stream = await openStream(doorOf(door), { path: "/sse" });
    await vi.waitFor(() => expect(stream.data()).toHaveLength(1));
    const own = stream.data()[0]?.split("=")[1] ?? "";
    const headers = { "mcp-session-id": own };
    expect((await send(doorOf(door), { headers, body: rpc(1, "ping") })).status).toBe(404);
  });

  it("[G15] takes a cancellation to the server, and a closed stream as one", async () => {
    const marks = () => readFileSync(log, "utf8").split("\n").slice(0, -1);
    const before = marks().length;
    const stream = await openStream(doorOf(door), { path: "/sse" });
    await vi.waitFor(() => expect(stream.data()).toHaveLength(1));
    const post = (body: object) => send(doorOf(door), { path: stream.data()[0] ?? "", body });
    await post(rpc(1, "tools/call", { name: "wait" }));
    const params = { requestId: 1 };
    await post({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    await vi.waitFor(() => expect(marks()).toHaveLength(before + 2));
    await post(rpc(2, "tools/call", { name: "wait" }));
    await vi.waitFor(() => expect(marks()).toHaveLength(before + 3));
    stream[Symbol.dispose]();
    await vi.waitFor(() => expect(marks()).toHaveLength(before + 4));
    expect(marks().slice(before)).toEqual([
      "waiting",
      "cancelled a number",
      "waiting",
      "cancelled a number",
    ]);
  });
});

describe.each(doors)("equal ids over %s", (door) => {
  const IDS = [1, "1", 1];
  const paramsOf = (index: number) => ({
    name: "echo_id",
    arguments: { mark: `mark ${index}`, ms: 60 - 20 * index },
  });

  it("[G15] are kept apart on one legacy stream, in type too", async () => {
    using stream = await openStream(doorOf(door), { path: "/sse" });
    await vi.waitFor(() => expect(stream.data()).toHaveLength(1));
    const path = stream.data()[0] ?? "";
    for (const [index, id] of IDS.entries())
      await send(doorOf(door), { path, body: rpc(id, "tools/call", paramsOf(index)) });
    await vi.waitFor(() => expect(stream.data()).toHaveLength(1 + IDS.length));
    const answers = stream.data().slice(1);
    for (const [index, id] of IDS.entries()) {
      const own = answers.filter((answer) => answer.includes(`mark ${index}`));
      expect(own.map((answer) => JSON.parse(answer).id)).toEqual([id]);
    }
  });

  it("[G15] are kept apart among modern requests", async () => {
    const calls = IDS.map(async (id, index) => {
      const { json } = await send(doorOf(door), modern(id, "tools/call", paramsOf(index)));
      expect(json).toMatchObject({ id, result: { content: [{ text: `mark ${index}` }] } });
    });
    await Promise.all(calls);
  });
});
