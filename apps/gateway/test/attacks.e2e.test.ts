import { chmodSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import {
  createTempFolder,
  type Door,
  modern,
  openSession,
  openStream,
  rpc,
  run,
  send,
} from "test-fixtures";
import { describe, expect, it, vi } from "vitest";
import { bin, fixture, startGateway } from "./gateway-process.ts";

const TOKEN = "a-token-of-some-length";

interface Status {
  readonly sessions: number;
  readonly connections: number;
  readonly in_flight: number;
  readonly subscriptions: number;
  readonly servers: readonly object[];
}
const statusOf = async (door: Door, headers = {}) =>
  (await send(door, { path: "/status", headers })).json as Status;

describe.concurrent("a web page that attacks by DNS rebinding", () => {
  it("[G6] is refused by its Host although it sends no Origin, on every path of TCP", async () => {
    await using gateway = await startGateway({ server: { transport: ["sse", "unix"] } });
    const paths = ["/mcp", "/sse", "/messages?sessionId=x", "/healthz", "/status", "/metrics", "/"];
    for (const path of paths)
      for (const host of [
        "evil.example",
        "evil.example:80",
        "127.0.0.1.evil.example",
        "a@localhost",
      ]) {
        const answer = await send(gateway.url, { path, headers: { host } });
        expect([path, host, answer.status]).toEqual([path, host, 403]);
      }
    const sandboxed = await send(gateway.url, { headers: { origin: "null" } });
    expect([sandboxed.status, sandboxed.headers["access-control-allow-origin"]]).toEqual([
      403,
      undefined,
    ]);
    // No page reaches the socket, and clients of it send whatever Host they like.
    const headers = { host: "evil.example", origin: "https://evil.example" };
    expect((await send(gateway.socket, { path: "/healthz", headers })).status).toBe(200);
  });
});

describe.concurrent("a client without the token", () => {
  it.each(["sse", "unix"])(
    "[G5] gets nothing over %s but health, however it asks",
    async (transport) => {
      await using folder = createTempFolder();
      const tokenFile = join(folder.path, "token");
      writeFileSync(tokenFile, TOKEN, { mode: 0o600 });
      await using gateway = await startGateway({
        server: { transport, auth_token_file: tokenFile },
      });
      const door = transport === "unix" ? gateway.socket : gateway.url;
      expect((await send(door, { path: "/healthz" })).status).toBe(200);
      const guess = (path: string, authorization?: string) =>
        send(door, { path, headers: authorization === undefined ? {} : { authorization } });
      for (const path of ["/mcp", "/sse", "/messages", "/status", "/metrics", "/readyz", "/x"]) {
        const { status, headers } = await guess(path);
        expect([path, status, headers["www-authenticate"]]).toEqual([
          path,
          401,
          'Bearer realm="wraptool"',
        ]);
      }
      const call = modern(1, "tools/list");
      expect((await send(door, call)).status).toBe(401);
      const guesses = Array.from({ length: 100 }, (_, index) =>
        TOKEN.slice(0, index % TOKEN.length),
      );
      const answers = await Promise.all(guesses.map((one) => guess("/status", `Bearer ${one}`)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
      expect((await guess("/status", `BEARER ${TOKEN}`)).status).toBe(200);
      expect(gateway.printed()).not.toContain(TOKEN);
    },
  );
});

describe.concurrent("a gateway without a token", () => {
  it("[G5] serves whoever reaches it, and says so in one line", async () => {
    await using gateway = await startGateway({ server: { transport: ["sse", "unix"] } });
    for (const door of [gateway.url, gateway.socket])
      expect((await send(door, modern(1, "tools/list"))).status).toBe(200);
    expect(gateway.printed().match(/whoever reaches the listener may call/g)).toHaveLength(1);
  });
});

describe.concurrent("many streams and sessions", () => {
  it("[G9] take the place of the longest idle ones, and never block a new client", async () => {
    await using gateway = await startGateway({ mcp: { max_sessions: 5 } });
    const streams = [];
    for (let opened = 0; opened < 20; opened++)
      streams.push(await openStream(gateway.url, { path: "/sse" }));
    await Promise.all(streams.slice(0, 15).map(({ ended }) => ended));
    const headers = await openSession(gateway.url);
    expect((await send(gateway.url, { headers, body: rpc(1, "ping") })).status).toBe(200);
    expect(await statusOf(gateway.url)).toMatchObject({ sessions: 5 });
    for (const stream of streams) stream[Symbol.dispose]();
    await vi.waitFor(async () =>
      expect(await statusOf(gateway.url)).toMatchObject({ sessions: 1 }),
    );
  });

  it("[G4] are refused with 429 and Retry-After while a call is in flight in each session", async () => {
    await using gateway = await startGateway({
      mcp: { max_sessions: 1 },
      mcp_servers: { silent: fixture("silent", ["wait"]) },
    });
    const headers = await openSession(gateway.url);
    using _waiting = await openStream(gateway.url, {
      headers,
      body: rpc(1, "tools/call", { name: "wait" }),
    });
    const initialize = rpc(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {} });
    const answers = [
      await send(gateway.url, { body: initialize }),
      await send(gateway.url, modern(1, "tools/list")),
      await send(gateway.url, { path: "/sse", headers: { accept: "text/event-stream" } }),
    ];
    for (const { status, headers } of answers)
      expect([status, headers["retry-after"]]).toEqual([429, "5"]);
  });

  it("[G9] leave nothing behind: everything counts back to where it began", async () => {
    await using gateway = await startGateway({
      server: { transport: ["sse", "unix"] },
      mcp: { max_sessions: 30 },
      mcp_servers: { echo: fixture("echo", ["echo"]), silent: fixture("silent", ["wait"]) },
    });
    const wait = (id: unknown) => modern(id, "tools/call", { name: "wait" });
    const notifications = { toolsListChanged: true };
    const echo = { name: "echo", arguments: { text: "hi" } };
    const visit = async (door: Door, saysGoodbye: boolean) => {
      const headers = await openSession(door);
      using stream = await openStream(door, { headers });
      const calls = [1, 1, "1", 2].map((id) =>
        send(door, { headers, body: rpc(id, "tools/call", echo) }),
      );
      for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
      await send(door, modern(1, "tools/call", echo));
      using sse = await openStream(door, { path: "/sse" });
      using listening = await openStream(
        door,
        modern(2, "subscriptions/listen", { notifications }),
      );
      // Left while it is in flight; the answer is a stream at once, because nothing else is accepted.
      using left = await openStream(door, wait(3));
      await vi.waitFor(() => expect(sse.data()).toHaveLength(1));
      await send(door, { path: sse.data()[0] ?? "", body: rpc(4, "tools/call", { name: "wait" }) });
      expect([stream.status, listening.status, left.status]).toEqual([200, 200, 200]);
      if (saysGoodbye) await send(door, { method: "DELETE", headers });
    };
    for (let round = 0; round < 25; round++)
      await Promise.all([
        visit(gateway.url, true),
        visit(gateway.socket, round % 2 === 0),
        visit(gateway.url, false),
      ]);
    await vi.waitFor(async () => {
      const status = await statusOf(gateway.url);
      // The one connection is the one that asks.
      expect(status).toMatchObject({ connections: 1, in_flight: 0, subscriptions: 0 });
      expect(status.sessions).toBeLessThanOrEqual(30);
      expect(status.servers).toMatchObject([
        { state: "up", restarts: 0 },
        { state: "up", restarts: 0 },
      ]);
    });
  });
});

const STREAM = "GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n";

/** Opens a stream and never reads on. Resolves with the connection once it is answered, or undefined if it is refused. */
function openHalf(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => resolve(undefined));
    socket.on("close", () => resolve(undefined));
    socket.once("data", () => resolve(socket.pause()));
    socket.write(STREAM);
  });
}

describe("10,000 half-open streams", () => {
  const CAP = 500;
  it("[G9] are held up to the caps and refused above them, and a new client is served at once when they go", async () => {
    await using gateway = await startGateway({
      server: { max_connections: CAP },
      mcp: { max_sessions: 100 },
    });
    const port = Number(gateway.url.port);
    const held: Socket[] = [];
    let refused = 0;
    const pages = { before: await statusOf(gateway.url) };
    for (let wave = 0; wave < 20; wave++) {
      const opened = await Promise.all(Array.from({ length: 500 }, () => openHalf(port)));
      for (const socket of opened)
        if (socket === undefined) refused++;
        else held.push(socket);
    }
    const open = held.filter(({ destroyed }) => !destroyed);
    // A stream that had to make room for the next session has ended, and its connection may stay for the next request.
    expect(open.length).toBeLessThanOrEqual(CAP);
    expect(refused).toBeGreaterThan(0);
    expect(held.length + refused).toBe(10_000);
    for (const socket of held) socket.destroy();
    await vi.waitFor(async () => {
      const status = await statusOf(gateway.url);
      expect(status).toMatchObject({ sessions: 0, connections: pages.before.connections });
    });
    const headers = await openSession(gateway.url);
    expect((await send(gateway.url, { headers, body: rpc(1, "ping") })).status).toBe(200);
    expect(gateway.printed()).toMatch(/connections? w(as|ere) refused/);
  }, 120_000);
});

describe.concurrent("a flood", () => {
  it("[G9] of headers is refused with 431, one of a body with 413, and the gateway goes on", async () => {
    await using gateway = await startGateway({ server: { max_body: "64KiB" } });
    const headers = await openSession(gateway.url);
    const flood = { ...headers, "x-flood": "a".repeat(20_000) };
    expect((await send(gateway.url, { headers: flood, body: rpc(1, "ping") })).status).toBe(431);
    const body = JSON.stringify(rpc(1, "ping", { pad: "x".repeat(1024 * 1024) }));
    const floods = Array.from({ length: 50 }, () => send(gateway.url, { headers, body }));
    for (const one of await Promise.all(floods)) expect(one.status).toBe(413);
    // Depth is refused as size is: no reader of ours recurses.
    const deep = `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(8000)}1${"}".repeat(8000)}}`;
    expect((await send(gateway.url, { headers, body: deep })).status).toBeLessThan(500);
    expect((await send(gateway.url, { headers, body: rpc(1, "ping") })).status).toBe(200);
  });
});

describe.concurrent("another user of the machine", () => {
  const serve = (folder: string, file: string) =>
    run(process.execPath, [bin, "serve", "--config", file], {
      env: { PATH: process.env.PATH, HOME: folder, NO_COLOR: "1" },
    });

  it("[G7] who puts a link at the socket's path gets nothing removed, followed or served", async () => {
    await using folder = createTempFolder();
    await using victim = await startGateway({ server: { transport: "unix" } });
    const socket = join(folder.path, "run", "s");
    mkdirSync(join(folder.path, "run"), { mode: 0o700 });
    symlinkSync(victim.socket, socket);
    const file = join(folder.path, "gateway.yaml");
    writeFileSync(file, JSON.stringify({ server: { transport: "unix", socket } }));
    const ran = await serve(folder.path, file);
    expect([ran.status, ran.stderr]).toEqual([
      1,
      expect.stringContaining("no socket stands there"),
    ]);
    expect(lstatSync(socket).isSymbolicLink()).toBe(true);
    expect((await send(victim.socket, { path: "/healthz" })).status).toBe(200);
  });

  it("[G5] who could read the token, or write the configuration, keeps the gateway from starting", async () => {
    await using folder = createTempFolder();
    const token = join(folder.path, "token");
    writeFileSync(token, TOKEN, { mode: 0o600 });
    const file = join(folder.path, "gateway.yaml");
    writeFileSync(file, JSON.stringify({ server: { auth_token_file: token } }));
    for (const [path, mode, reason] of [
      [token, 0o644, `${token}: `],
      [file, 0o666, `${file}: can be written by everyone`],
    ] as const) {
      chmodSync(path, mode);
      const ran = await serve(folder.path, file);
      expect([ran.status, ran.stdout]).toEqual([1, ""]);
      expect(ran.stderr).toContain(reason);
      expect(ran.stderr).toContain("run chmod 600 on it");
      expect(ran.stderr).not.toContain(TOKEN);
      chmodSync(path, 0o600);
    }
  });

  it("[G5] who can read a configuration with a credential is warned of, without the credential", async () => {
    const secret = "hunter22-and-more";
    await using gateway = await startGateway({
      mcp_servers: { echo: fixture("echo", ["echo"], { env: { API_TOKEN: secret } }) },
    });
    chmodSync(gateway.file, 0o644);
    gateway.process.child.kill("SIGHUP");
    const [line] = await gateway.process.waitFor(/holds a credential of server echo.*/, "stderr");
    expect(line).toContain(`chmod 600 ${gateway.file}`);
    expect(gateway.printed()).not.toContain(secret);
  });
});

describe.concurrent("the pages for watching", () => {
  it("[G20] show counts and states, and no command, path or hidden tool, and take no orders", async () => {
    await using folder = createTempFolder();
    await using gateway = await startGateway({
      mcp_servers: {
        echo: fixture("echo", ["echo"]),
        broken: fixture("exits-at-start", ["any"], { env: { PLACE: folder.path } }),
      },
    });
    expect((await send(gateway.url, { path: "/readyz" })).json).toEqual({
      status: "ready",
      failing: [],
    });
    const headers = await openSession(gateway.url);
    await send(gateway.url, { headers, body: rpc(1, "tools/list") });
    const ready = await send(gateway.url, { path: "/readyz" });
    expect([ready.status, ready.json]).toEqual([503, { status: "failing", failing: ["broken"] }]);
    const metrics = await send(gateway.url, { path: "/metrics" });
    expect(metrics.headers["content-type"]).toMatch(/^text\/plain; version=0.0.4/);
    for (const line of [
      "wraptool_sessions 1",
      "wraptool_requests_total 1",
      'wraptool_server_up{server="echo"} 1',
      'wraptool_server_up{server="broken"} 0',
      'wraptool_server_exposed_tools{server="echo"} 1',
    ])
      expect(metrics.text.split("\n")).toContain(line);
    const status = await send(gateway.url, { path: "/status" });
    const shown = metrics.text + status.text + ready.text;
    for (const hidden of [
      process.execPath,
      gateway.folder,
      folder.path,
      ".mjs",
      "environment",
      "out of luck",
    ])
      expect(shown).not.toContain(hidden);
    for (const path of ["/status", "/metrics", "/readyz", "/healthz"])
      for (const method of ["POST", "PUT", "DELETE"]) {
        const refused = await send(gateway.url, { path, method });
        expect([refused.status, refused.headers.allow]).toEqual([405, "GET, HEAD"]);
      }
  });
});
