import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createTempFolder,
  modern,
  openSession,
  openStream,
  rpc,
  run,
  send,
  startProcess,
} from "test-fixtures";
import { describe, expect, it, vi } from "vitest";
import { bin, fixture, type GatewayProcess, startGateway } from "./gateway-process.ts";

const TOKEN = "a-token-of-some-length";

/** Runs `wraptool status` for a gateway as its owner would. */
async function status({ folder }: Pick<GatewayProcess, "folder">, ...flags: string[]) {
  const file = join(folder, "gateway.yaml");
  const env = { PATH: process.env.PATH, HOME: folder, NO_COLOR: "1" };
  const ran = await run(process.execPath, [bin, "status", "--config", file, ...flags], { env });
  return { ...ran, json: flags.includes("--json") ? JSON.parse(ran.stdout) : undefined };
}

const stateOf = (folder: string) => join(folder, ".local", "state", "wraptool");
const recordsOf = (folder: string) =>
  readdirSync(stateOf(folder)).filter((name) => name.startsWith("daemon-"));

describe.concurrent("the daemon's record and status", () => {
  it.each(["sse", "unix"])("[G28] tell what runs, over %s and with a token", async (transport) => {
    await using secrets = createTempFolder();
    const tokenFile = join(secrets.path, "token");
    writeFileSync(tokenFile, `${TOKEN}\n`, { mode: 0o600 });
    const gateway = await startGateway({
      server: { transport, auth_token_file: tokenFile },
      mcp_servers: {
        echo: fixture("echo", ["echo", "add", "missing"]),
        broken: fixture("exits-at-start", ["any"]),
      },
    });
    const { folder } = gateway;
    try {
      const door = transport === "unix" ? gateway.socket : gateway.url;
      const headers = await openSession(door, { headers: { authorization: `Bearer ${TOKEN}` } });
      await send(door, { headers, body: rpc(1, "tools/list") });

      const [name = ""] = recordsOf(folder);
      expect(statSync(join(stateOf(folder), name)).mode & 0o777).toBe(0o600);
      const told = await status(gateway, "--json");
      expect(told.status).toBe(0);
      expect(told.json).toEqual({
        running: true,
        pid: gateway.process.child.pid,
        version: expect.any(String),
        uptime_s: expect.any(Number),
        listeners: [transport === "unix" ? gateway.socket : gateway.url.origin],
        sessions: 1,
        servers: [
          { name: "echo", state: "up", exposed: 2, restarts: 0, last_error: null },
          {
            name: "broken",
            state: "idle",
            exposed: 0,
            restarts: 0,
            last_error: "Server broken ended with exit code 3 before it was ready",
          },
        ],
      });
      const text = await status(gateway);
      expect(text.stdout).toContain("echo: up, 2 tools exposed");
      expect(told.stdout + text.stdout + readFileSync(join(stateOf(folder), name))).not.toContain(
        TOKEN,
      );
    } finally {
      gateway.process.child.kill("SIGTERM");
      await gateway.process.exited;
    }
    expect(recordsOf(folder)).toEqual([]);
    expect(existsSync(gateway.socket)).toBe(false);
    const stopped = await status(gateway, "--json");
    expect([stopped.status, stopped.json]).toEqual([1, { running: false }]);
    expect((await status(gateway)).stdout).toBe("not running\n");
    await gateway[Symbol.asyncDispose]();
  });

  it("[G28] see through the record of a daemon that was killed, which the next one replaces", async () => {
    const killed = await startGateway({ server: { transport: "unix" } });
    killed.process.child.kill("SIGKILL");
    await killed.process.exited;
    expect(recordsOf(killed.folder)).toHaveLength(1);
    expect((await status(killed, "--json")).json).toEqual({ running: false });
    const file = join(killed.folder, "gateway.yaml");
    const env = { ...process.env, HOME: killed.folder };
    await using next = startProcess(process.execPath, [bin, "serve", "--config", file], { env });
    await next.waitFor(/listening on/, "stderr");
    expect((await status(killed, "--json")).json).toMatchObject({ running: true });
    next.child.kill("SIGTERM");
    await next.exited;
    expect(recordsOf(killed.folder)).toEqual([]);
    await killed[Symbol.asyncDispose]();
  });

  it("[G26] refuse a record of a newer version", async () => {
    await using folder = createTempFolder();
    writeFileSync(join(folder.path, "gateway.yaml"), "{}");
    const gateway = await startGateway({});
    const [name = ""] = recordsOf(gateway.folder);
    expect(name).toMatch(/^daemon-[0-9a-f]{16}\.json$/);
    await gateway[Symbol.asyncDispose]();
    const { createHash } = await import("node:crypto");
    const hash = createHash("sha256").update(join(folder.path, "gateway.yaml")).digest("hex");
    mkdirSync(stateOf(folder.path), { recursive: true });
    const path = join(stateOf(folder.path), name.replace(/-.*\./, `-${hash.slice(0, 16)}.`));
    writeFileSync(path, '{"version":2}');
    const refused = await status({ folder: folder.path }, "--json");
    expect([refused.status, refused.json]).toMatchObject([1, { error: { code: "BAD_RECORD" } }]);
  });
});

describe.concurrent("a signal", () => {
  it("[G26] ends every stream, the subscriptions with their answer, and the calls on them with an error", async () => {
    const gateway = await startGateway({
      server: { transport: ["sse", "unix"] },
      mcp_servers: { silent: fixture("silent", ["wait"]) },
    });
    const notifications = { toolsListChanged: true };
    const listening = await openStream(
      gateway.socket,
      modern("s", "subscriptions/listen", { notifications }),
    );
    const sse = await openStream(gateway.url, { path: "/sse" });
    await vi.waitFor(() => expect(sse.data()).toHaveLength(1));
    const headers = await openSession(gateway.url);
    const got = await openStream(gateway.url, { headers });
    const call = rpc(7, "tools/call", { name: "wait" });
    await send(gateway.url, { path: sse.data()[0] ?? "", body: call });
    const waiting = send(gateway.socket, modern(8, "tools/call", { name: "wait" }));
    // The list comes after the calls have reached the server.
    await send(gateway.url, { headers, body: rpc(1, "tools/list") });
    gateway.process.child.kill("SIGTERM");
    await Promise.all([listening.ended, sse.ended, got.ended]);
    expect(JSON.parse(listening.data().at(-1) ?? "")).toMatchObject({
      id: "s",
      result: {
        resultType: "complete",
        _meta: { "io.modelcontextprotocol/subscriptionId": "s" },
      },
    });
    const stopping = { error: { message: expect.stringContaining("shutting down") } };
    expect(JSON.parse(sse.data().at(-1) ?? "")).toMatchObject({ id: 7, ...stopping });
    expect((await waiting).json).toMatchObject({ id: 8, ...stopping });
    expect(await gateway.process.exited).toEqual({ status: 0, signal: null });
    expect(existsSync(gateway.socket)).toBe(false);
    await gateway[Symbol.asyncDispose]();
  });
});

describe.concurrent("a session", () => {
  it("[G9] outlives the gateway's process for its client and folder, until it is ended", async () => {
    const first = await startGateway({
      server: { transport: "unix" },
      mcp_servers: { echo: fixture("echo", ["echo"]) },
    });
    const door = first.socket;
    const path = `/mcp?cwd=${encodeURIComponent(first.folder)}`;
    const headers: Record<string, string> = {
      ...(await openSession(door, { path })),
      "mcp-protocol-version": "2025-06-18",
    };
    const bare = await openSession(door, { protocolVersion: "2025-03-26" });
    const ended = await openSession(door);
    first.process.child.kill("SIGKILL");
    await first.process.exited;
    const env = { ...process.env, HOME: first.folder };
    const args = [bin, "serve", "--config", join(first.folder, "gateway.yaml")];
    await using next = startProcess(process.execPath, args, { env });
    await next.waitFor(/listening on/, "stderr");
    const ask = (more: object) =>
      send(door, { headers, path, body: rpc(1, "tools/list"), ...more });
    const other = { ...headers, "mcp-session-id": `A${headers["mcp-session-id"]?.slice(1)}` };
    expect((await ask({ path: "/mcp" })).status).toBe(404);
    expect((await ask({ path: "/mcp?cwd=/tmp" })).status).toBe(404);
    expect((await ask({ headers: other })).status).toBe(404);
    using stream = await openStream(door, { path, headers });
    await vi.waitFor(() => expect(stream.text()).toContain("notifications/tools/list_changed"));
    expect((await ask({})).json).toMatchObject({ result: { tools: [{ name: "echo" }] } });
    expect((await ask({ headers: bare, path: "/mcp" })).status).toBe(200);
    const over = { headers: ended, path: "/mcp" };
    expect((await send(door, { ...over, method: "DELETE" })).status).toBe(204);
    expect((await ask(over)).status).toBe(404);
    next.child.kill("SIGTERM");
    await next.exited;
    await first[Symbol.asyncDispose]();
  });
});

describe.concurrent("a second daemon", () => {
  it("[G7] on a live socket is refused, and the first goes on", async () => {
    await using first = await startGateway({ server: { transport: "unix" } });
    await using folder = createTempFolder();
    const file = join(folder.path, "gateway.yaml");
    writeFileSync(file, JSON.stringify({ server: { transport: "unix", socket: first.socket } }));
    const env = { PATH: process.env.PATH, HOME: folder.path, NO_COLOR: "1" };
    const second = await run(process.execPath, [bin, "serve", "--config", file], { env });
    expect(second.status).toBe(1);
    expect(second.stderr).toContain("another process listens there");
    expect((await send(first.socket, { path: "/healthz" })).status).toBe(200);
  });
});
