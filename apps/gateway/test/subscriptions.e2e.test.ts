import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import {
  CANARY,
  createTempFolder,
  type DaemonConfig,
  edges,
  findCanary,
  modern,
  openSession,
  openStream,
  rpc,
  run,
  type Stream,
  send,
} from "test-fixtures";
import { describe, expect, it, vi } from "vitest";
import { type GatewayProcess, script, startGateway } from "./gateway-process.ts";

const place = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const SERVERS = {
  "with sessions": place("servers/telling.mjs"),
  "of revision 2026-07-28": place("servers/telling-v2.mjs"),
};
type ServerKind = keyof typeof SERVERS;
const kinds = Object.keys(SERVERS) as ServerKind[];
const v2Subscribed = place("clients/v2-subscribed.mjs");
const full = place("servers/full.mjs");
const WAIT = { timeout: 10_000 };

interface Telling extends AsyncDisposable {
  readonly gateway: GatewayProcess;
  /** What the server has noted, its starts left out. */
  marks(): string[];
  starts(): number;
}

/** A gateway in front of a server that tells of `note:…`, of which `note:hidden` is denied. */
async function startTelling(
  kind: ServerKind,
  entry: object = {},
  config: DaemonConfig = {},
  env: NodeJS.ProcessEnv = {},
): Promise<Telling> {
  const folder = createTempFolder();
  const log = join(folder.path, "log");
  writeFileSync(log, "");
  const read = () => readFileSync(log, "utf8").split("\n").slice(0, -1);
  const allow = [{ tool: "touch" }, { tool: "crash" }, { resource: "note:*" }];
  const telling = script(SERVERS[kind], [], {
    args: [SERVERS[kind], log],
    allow,
    deny: [{ resource: "note:hidden" }],
    ...entry,
  });
  const gateway = await startGateway({ ...config, mcp_servers: { telling } }, env);
  return {
    gateway,
    marks: () => read().filter((mark) => mark !== "start"),
    starts: () => read().filter((mark) => mark === "start").length,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** A session of its own that hears on its stream. */
async function openListener(gateway: GatewayProcess) {
  const session = await openSession(gateway.url);
  const ask = async (method: string, params: object) =>
    (await send(gateway.url, { headers: session, body: rpc(1, method, params) })).json;
  const stream = await openStream(gateway.url, { method: "GET", headers: session });
  return {
    session,
    stream,
    ask,
    subscribe: (uri: string) => ask("resources/subscribe", { uri }),
    unsubscribe: (uri: string) => ask("resources/unsubscribe", { uri }),
    touch: (uri: string, anyway = false) =>
      ask("tools/call", { name: "touch", arguments: { uri, anyway } }),
    uris: () => urisOn(stream),
  };
}

/** A modern client's stream about these resources, once it is acknowledged. */
async function openListening(gateway: GatewayProcess, id: unknown, uris: readonly string[]) {
  const notifications = { resourceSubscriptions: uris };
  const stream = await openStream(
    gateway.url,
    modern(id, "subscriptions/listen", { notifications }),
  );
  await vi.waitFor(() => expect(stream.data().length).toBeGreaterThan(0), WAIT);
  return stream;
}

function urisOn(stream: Stream): unknown[] {
  return notesOn(stream).map(({ params }) => params.uri);
}

function notesOn(stream: Stream) {
  const all = stream.data().map((data) => JSON.parse(data));
  return all.filter(({ method }) => method === "notifications/resources/updated");
}

/** Changes the server's entry and has it taken over. */
async function reload(
  { file, process: running, printed }: GatewayProcess,
  change: (entry: { env?: object; deny: object[] }) => void,
) {
  const count = () => printed().split("reloaded the configuration").length;
  const before = count();
  const config = JSON.parse(readFileSync(file, "utf8"));
  change(config.mcp_servers.telling);
  writeFileSync(file, JSON.stringify(config));
  running.child.kill("SIGHUP");
  await vi.waitFor(() => expect(count()).toBeGreaterThan(before), WAIT);
}

const OK = { result: {} };
const NOT_FOUND = { error: { code: -32002, message: "Resource not found" } };

describe.concurrent.each(kinds)("subscriptions to resources of a server %s", (kind) => {
  it("[G16] [G12] reach clients of the v1 SDK, and tell of nothing else", async () => {
    await using telling = await startTelling(kind);
    const client = await telling.gateway.connect();
    const heard: string[] = [];
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      heard.push(params.uri);
    });
    expect(client.getServerCapabilities()?.resources).toEqual({
      listChanged: true,
      subscribe: true,
    });
    expect(await client.subscribeResource({ uri: "note:1" })).toEqual({});
    await expect(client.subscribeResource({ uri: "note:hidden" })).rejects.toMatchObject({
      code: NOT_FOUND.error.code,
    });
    const touch = (uri: string) => client.callTool({ name: "touch", arguments: { uri } });
    for (const uri of ["note:hidden", "note:2", "note:1"]) await touch(uri);
    await vi.waitFor(() => expect(heard).toEqual(["note:1"]), WAIT);
    await client.unsubscribeResource({ uri: "note:1" });
    await touch("note:1");
    expect(telling.marks()).toEqual(["+note:1", "-note:1"]);
    expect(heard).toEqual(["note:1"]);
  });

  it.each([
    ["auto", "2026-07-28", ["note:1"]],
    ["legacy", "2025-11-25", expect.stringContaining("Resource not found")],
  ])("[G16] [G12] reach clients of the v2 SDK, mode %s", async (mode, version, refused) => {
    await using telling = await startTelling(kind);
    const args = [v2Subscribed, telling.gateway.url.href, mode, "note:1", "note:hidden"];
    const { stdout, stderr } = await run(process.execPath, args);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({ version, offered: true, refused, heard: ["note:1"] });
    await vi.waitFor(() => expect(telling.marks()).toEqual(["+note:1", "-note:1"]), WAIT);
  });

  it("[G16] are one at the server for all clients, and each client hears of its own alone", async () => {
    await using telling = await startTelling(kind);
    const { gateway, marks } = telling;
    const [a, b, c] = [
      await openListener(gateway),
      await openListener(gateway),
      await openListener(gateway),
    ];
    using listening = await openListening(gateway, "mine", ["note:1", "note:hidden"]);
    expect(await a.subscribe("note:1")).toMatchObject(OK);
    expect(await a.subscribe("note:1")).toMatchObject(OK);
    expect(await b.subscribe("note:1")).toMatchObject(OK);
    expect(await b.subscribe("note:2")).toMatchObject(OK);
    for (const uri of ["note:2", "note:1"]) await c.touch(uri);
    await vi.waitFor(() => {
      expect(a.uris()).toEqual(["note:1"]);
      expect(b.uris()).toEqual(["note:2", "note:1"]);
      expect(urisOn(listening)).toEqual(["note:1"]);
    }, WAIT);
    expect(c.uris()).toEqual([]);
    const key = "io.modelcontextprotocol/subscriptionId";
    expect(JSON.parse(listening.data()[0] ?? "")).toMatchObject({
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: { resourceSubscriptions: ["note:1"] }, _meta: { [key]: "mine" } },
    });
    expect(notesOn(listening)[0].params._meta).toEqual({ [key]: "mine" });
    expect(a.stream.text()).not.toContain(key);
    expect(marks()).toEqual(["+note:1", "+note:2"]);
    await a.unsubscribe("note:1");
    listening[Symbol.dispose]();
    await b.unsubscribe("note:2");
    await vi.waitFor(() => expect(marks()).toEqual(["+note:1", "+note:2", "-note:2"]), WAIT);
    await b.unsubscribe("note:1");
    await vi.waitFor(() => expect(marks().at(-1)).toBe("-note:1"), WAIT);
    for (const { stream } of [a, b, c]) stream[Symbol.dispose]();
  });

  it("[G16] [G13] are there again when the server has ended, with a word on what may have changed", async () => {
    await using telling = await startTelling(kind);
    const a = await openListener(telling.gateway);
    using listening = await openListening(telling.gateway, 7, ["note:2"]);
    await a.subscribe("note:1");
    await a.ask("tools/call", { name: "crash", arguments: {} });
    await vi.waitFor(() => {
      expect(a.uris()).toEqual(["note:1"]);
      expect(urisOn(listening)).toEqual(["note:2"]);
    }, WAIT);
    expect(telling.starts()).toBe(2);
    await a.touch("note:1");
    await vi.waitFor(() => expect(a.uris()).toEqual(["note:1", "note:1"]), WAIT);
    a.stream[Symbol.dispose]();
  });
});

describe.concurrent("a subscription to a resource", () => {
  it("[G16] is refused alike for a hidden resource and for none, and passes the server's refusal on", async () => {
    await using telling = await startTelling("with sessions");
    const a = await openListener(telling.gateway);
    for (const uri of ["note:hidden", "note:%68idden", "other:1", "wraptool://spill/0?page=1"])
      expect(await a.subscribe(uri)).toEqual({
        jsonrpc: "2.0",
        id: 1,
        error: { ...NOT_FOUND.error, data: { uri } },
      });
    expect(await a.ask("resources/subscribe", {})).toMatchObject(NOT_FOUND);
    expect(telling.marks()).toEqual([]);
    expect(await a.subscribe("note:silent")).toMatchObject(NOT_FOUND);
    for (const uri of ["note:hidden", "note:never"])
      expect(await a.unsubscribe(uri)).toMatchObject(OK);
    using listening = await openListening(telling.gateway, 1, ["note:hidden", "note:silent"]);
    await listening.ended;
    expect(listening.data().map((data) => JSON.parse(data))).toMatchObject([
      { params: { notifications: {} } },
      { id: 1, result: { resultType: "complete" } },
    ]);
    expect(telling.marks()).toEqual(["+note:silent", "+note:silent"]);
    a.stream[Symbol.dispose]();
  });

  it("[G16] is offered where a server with a readable resource offers it, and nowhere else", async () => {
    const offers = async (gateway: GatewayProcess) => {
      const client = await gateway.connect();
      const { json } = await send(gateway.url, modern(1, "server/discover"));
      const { result } = json as { result: { capabilities: { resources: object } } };
      const legacy = client.getServerCapabilities()?.resources;
      expect(result.capabilities.resources).toEqual(legacy);
      return legacy?.subscribe;
    };
    await using telling = await startTelling("with sessions");
    expect(await offers(telling.gateway)).toBe(true);
    await using hidden = await startTelling("with sessions", { allow: [{ tool: "touch" }] });
    expect(await offers(hidden.gateway)).toBeUndefined();
    expect(hidden.starts()).toBe(0);
    const none = await openListener(hidden.gateway);
    expect(await none.subscribe("note:1")).toMatchObject({ error: { code: -32601 } });
    none.stream[Symbol.dispose]();
    const allow = [{ resource: "note:a" }];
    await using gateway = await startGateway({
      mcp_servers: { full: script(full, [], { allow }) },
    });
    expect(await offers(gateway)).toBeUndefined();
    const a = await openListener(gateway);
    expect(await a.subscribe("note:a")).toMatchObject({ error: { code: -32601 } });
    a.stream[Symbol.dispose]();
  });

  it("[G16] is taken in any number up to the bound of a session, whatever streams it has", async () => {
    await using telling = await startTelling("with sessions");
    const uris = (count: number) => Array.from({ length: count }, (_, n) => `note:${n}`);
    for (const count of edges(128)) {
      const a = await openListener(telling.gateway);
      const answers = await Promise.all(uris(count).map(a.subscribe));
      const refused = answers.filter((answer) => "error" in (answer as object));
      expect(refused).toHaveLength(Math.max(0, count - 128));
      if (count > 128) {
        expect(refused[0]).toMatchObject({ error: { message: expect.stringContaining("128") } });
        await a.unsubscribe("note:0");
        expect(await a.subscribe("note:128")).toMatchObject(OK);
      }
      a.stream[Symbol.dispose]();
    }
    using one = await openListening(telling.gateway, 1, uris(127));
    using two = await openListening(telling.gateway, 2, ["note:a", "note:b"]);
    const honoured = [one, two].map(
      (stream) =>
        JSON.parse(stream.data()[0] ?? "").params.notifications.resourceSubscriptions.length,
    );
    expect(honoured).toEqual([127, 1]);
  });

  it("[G16] [G18] is told of without secrets, and otherwise in the server's own words", async () => {
    await using telling = await startTelling(
      "with sessions",
      { env: { CANARY: "${CANARY}" } },
      {},
      { CANARY },
    );
    const a = await openListener(telling.gateway);
    await a.subscribe("note:1");
    await a.touch("note:1");
    await vi.waitFor(() => expect(a.uris()).toEqual(["note:1"]), WAIT);
    expect(findCanary(a.stream.text())).toEqual([]);
    expect(notesOn(a.stream)[0].params).toMatchObject({ x_kept: 1 });
    a.stream[Symbol.dispose]();
  });

  it("[G16] leaks nothing from a server that tells of what nobody has asked for", async () => {
    await using telling = await startTelling("with sessions");
    const a = await openListener(telling.gateway);
    await a.subscribe("note:1");
    for (const uri of ["note:hidden", "note:2", "other:1", "note:1/hidden/../x"])
      await a.touch(uri, true);
    await a.touch("note:1/part", true);
    await vi.waitFor(() => expect(a.uris()).toEqual(["note:1/part"]), WAIT);
    a.stream[Symbol.dispose]();
  });

  it("[G16] tells a client without a stream of what changed once it has one", async () => {
    await using telling = await startTelling("with sessions");
    const a = await openListener(telling.gateway);
    await Promise.all(["note:1", "note:2"].map(a.subscribe));
    a.stream[Symbol.dispose]();
    await vi.waitFor(async () => {
      await a.touch("note:1");
      await a.touch("note:2");
      await a.unsubscribe("note:2");
      using later = await openStream(telling.gateway.url, { method: "GET", headers: a.session });
      await vi.waitFor(() => expect(urisOn(later)).toEqual(["note:1"]), { timeout: 500 });
    }, WAIT);
  });

  it("[G16] [G13] with a process for each session is that session's own", async () => {
    await using telling = await startTelling("with sessions", { isolation: "session" });
    const [a, b] = [await openListener(telling.gateway), await openListener(telling.gateway)];
    await a.subscribe("note:1");
    await b.subscribe("note:1");
    expect(telling.marks()).toEqual(["+note:1", "+note:1"]);
    await b.touch("note:1");
    await vi.waitFor(() => expect(b.uris()).toEqual(["note:1"]), WAIT);
    expect(a.uris()).toEqual([]);
    for (const { stream } of [a, b]) stream[Symbol.dispose]();
  });

  it("[G16] [G1] goes to the server that a reload puts in the place of its own, and ends where that hides it", async () => {
    await using telling = await startTelling("with sessions");
    const { gateway, marks } = telling;
    const a = await openListener(gateway);
    await Promise.all(["note:1", "note:2"].map(a.subscribe));
    await reload(gateway, (entry) => {
      entry.env = { OTHER: "1" };
    });
    await vi.waitFor(
      () => expect(marks().filter((mark) => mark === "+note:1")).toHaveLength(2),
      WAIT,
    );
    await vi.waitFor(async () => {
      await a.touch("note:1");
      expect(a.uris()).toContain("note:1");
    }, WAIT);
    await reload(gateway, (entry) => {
      entry.deny.push({ resource: "note:2" });
    });
    await vi.waitFor(() => expect(marks().at(-1)).toBe("-note:2"), WAIT);
    await a.touch("note:2", true);
    await a.touch("note:1");
    expect(a.uris()).not.toContain("note:2");
    a.stream[Symbol.dispose]();
  });

  it("[G16] [G14] that a server does not answer delays no other, and a cancelled one is not kept", async () => {
    await using telling = await startTelling("with sessions", { timeout: "1s" });
    const a = await openListener(telling.gateway);
    const stuck = a.subscribe("note:stuck");
    expect(await a.subscribe("note:1")).toMatchObject(OK);
    expect(await stuck).toMatchObject({ error: { code: -32001 } });
    const headers = a.session;
    const body = rpc("late", "resources/subscribe", { uri: "note:stuck" });
    const cancelled = send(telling.gateway.url, { headers, body });
    await vi.waitFor(() =>
      expect(telling.marks()).toEqual(["+note:stuck", "+note:1", "+note:stuck"]),
    );
    const cancel = { method: "notifications/cancelled", params: { requestId: "late" } };
    await send(telling.gateway.url, { headers, body: { jsonrpc: "2.0", ...cancel } });
    await cancelled;
    a.stream[Symbol.dispose]();
  });
});

describe.concurrent("a session's end releases what it has subscribed to,", () => {
  type Open = (gateway: GatewayProcess) => Promise<() => unknown>;
  const legacy =
    (end: (gateway: GatewayProcess, headers: Record<string, string>) => unknown): Open =>
    async (gateway) => {
      const headers = await openSession(gateway.url);
      const params = { uri: "note:1" };
      await send(gateway.url, { headers, body: rpc(1, "resources/subscribe", params) });
      return () => end(gateway, headers);
    };
  const ways: readonly (readonly [string, Open, DaemonConfig])[] = [
    [
      "by DELETE",
      legacy((gateway, headers) => send(gateway.url, { method: "DELETE", headers })),
      {},
    ],
    ["by eviction", legacy((gateway) => openSession(gateway.url)), { mcp: { max_sessions: 1 } }],
    ["by the idle timeout", legacy(() => {}), { mcp: { idle_timeout: "1s" } }],
    [
      "by the end of its stream of events",
      async (gateway) => {
        const stream = await openStream(gateway.url, { path: "/sse" });
        await vi.waitFor(() => expect(stream.data()).toHaveLength(1));
        const path = stream.data()[0] ?? "";
        const initialize = { protocolVersion: "2024-11-05", capabilities: {} };
        await send(gateway.url, { path, body: rpc(0, "initialize", initialize) });
        await send(gateway.url, { path, body: rpc(1, "resources/subscribe", { uri: "note:1" }) });
        return () => stream[Symbol.dispose]();
      },
      {},
    ],
    [
      "by the end of a modern stream",
      async (gateway) => {
        const stream = await openListening(gateway, 1, ["note:1"]);
        return () => stream[Symbol.dispose]();
      },
      {},
    ],
  ];

  it.each(ways)("[G16] [G9] %s", async (_name, open, config) => {
    await using telling = await startTelling("with sessions", {}, config);
    const end = await open(telling.gateway);
    await vi.waitFor(() => expect(telling.marks()).toContain("+note:1"), WAIT);
    await end();
    await vi.waitFor(() => expect(telling.marks()).toEqual(["+note:1", "-note:1"]), WAIT);
  });
});
