import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
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
import { parse, stringify } from "yaml";
import { bin, fixture, type GatewayProcess, startGateway, textOf } from "./gateway-process.ts";

// biome-ignore lint/suspicious/noExplicitAny: configurations and answers of any form, which the tests change and compare
type Any = any;

/** Changes the configuration and has it read again; resolves with what the command says. */
async function reload(gateway: GatewayProcess, change: (config: Any) => void): Promise<string> {
  const config = parse(readFileSync(gateway.file, "utf8"));
  change(config);
  writeFileSync(gateway.file, stringify(config));
  const { status, stdout, stderr } = await wraptool(gateway, "reload");
  return status === 0 ? stdout.trim() : stderr;
}
const DONE = "Reloaded the configuration";

function wraptool(gateway: GatewayProcess, ...args: string[]) {
  const env = { PATH: process.env.PATH, HOME: gateway.folder };
  return run(process.execPath, [bin, ...args, "--config", gateway.file], { env });
}

async function listenersOf(gateway: GatewayProcess): Promise<string[]> {
  return JSON.parse((await wraptool(gateway, "status", "--json")).stdout).listeners;
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = await occupy(0);
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function occupy(port: number): Promise<Server> {
  const server = createServer();
  return new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(server)));
}

const at = (port: number) => new URL(`http://127.0.0.1:${port}`);
const isHealthy = (door: Door) =>
  send(door, { path: "/healthz" }).then(
    ({ status }) => status === 200,
    () => false,
  );
const rebindable = process.platform === "linux" || process.platform === "darwin";

describe.concurrent("a reload of the listeners", () => {
  it("[G1] opens what is new and closes what is gone, and every other stream, session and call goes on", async () => {
    await using gateway = await startGateway({
      mcp_servers: {
        echo: fixture("echo", ["echo", "folder"]),
        silent: fixture("silent", ["wait"]),
      },
    });
    const headers = await openSession(gateway.url);
    const call = async (door: Door, session: Record<string, string>) =>
      textOf(
        (
          (await send(door, { headers: session, body: rpc(1, "tools/call", { name: "folder" }) }))
            .json as Any
        ).result,
      );
    const process = await call(gateway.url, headers);
    using stream = await openStream(gateway.url, { headers });
    using waiting = await openStream(gateway.url, modern(2, "tools/call", { name: "wait" }));
    let ended = 0;
    for (const open of [stream, waiting]) open.ended.then(() => ended++);

    const port = await freePort();
    const added = await reload(gateway, ({ server }) => {
      server.listen = [server.listen, `127.0.0.1:${port}`];
      server.transport = ["sse", "unix"];
    });
    expect(added).toBe(DONE);
    const { origin } = gateway.url;
    expect(await listenersOf(gateway)).toEqual([
      origin,
      `http://127.0.0.1:${port}`,
      gateway.socket,
    ]);
    expect(statSync(gateway.socket).mode & 0o777).toBe(0o600);
    const doors: Door[] = [gateway.url, at(port), gateway.socket];
    // One daemon behind them all: a session opened at one is known at the others, and no server was started again.
    for (const door of doors) expect(await call(door, headers)).toBe(process);

    using leaving = await openStream(at(port), { headers: await openSession(at(port)) });
    const removed = await reload(gateway, ({ server }) => {
      server.listen = server.listen[0];
      server.transport = "sse";
    });
    expect(removed).toBe(DONE);
    expect(await listenersOf(gateway)).toEqual([origin]);
    expect(await isHealthy(at(port))).toBe(false);
    await leaving.ended;
    await vi.waitFor(() => expect(existsSync(gateway.socket)).toBe(false));
    expect(await call(gateway.url, headers)).toBe(process);
    expect(ended).toBe(0);
    expect(gateway.printed()).toContain(`no longer listening on http://127.0.0.1:${port}/mcp`);
  });

  it.runIf(rebindable)(
    "[G1] moves a port between one address and all of them, and back",
    async () => {
      const port = await freePort();
      await using gateway = await startGateway({ server: { listen: `127.0.0.1:${port}` } });
      const headers = await openSession(gateway.url);
      const ping = () => send(gateway.url, { headers, body: rpc(1, "ping") });
      for (const host of ["0.0.0.0", "127.0.0.1"]) {
        const said = await reload(gateway, ({ server }) => {
          server.listen = `${host}:${port}`;
          server.insecure_no_auth = true;
        });
        expect([said, await listenersOf(gateway)]).toEqual([DONE, [`http://${host}:${port}`]]);
        expect((await ping()).status).toBe(200);
      }
    },
  );

  it("[G1] that cannot bind changes nothing at all, and leaves nothing open", async () => {
    const port = await freePort();
    const taken = await occupy(0);
    const { port: other } = taken.address() as { port: number };
    const free = await freePort();
    await using gateway = await startGateway({
      server: { listen: `127.0.0.1:${port}` },
      mcp_servers: { echo: fixture("echo", ["echo"]) },
    });
    try {
      const headers = await openSession(gateway.url);
      using stream = await openStream(gateway.url, { headers });
      let ended = false;
      stream.ended.then(() => {
        ended = true;
      });
      const before = readFileSync(gateway.file, "utf8");
      // Moving the port to all addresses succeeds before the last one fails, and has to be taken back.
      const said = await reload(gateway, ({ server, mcp_servers }) => {
        server.listen = [`127.0.0.1:${free}`, `0.0.0.0:${port}`, `127.0.0.1:${other}`];
        server.insecure_no_auth = true;
        server.max_body = 10;
        mcp_servers.echo.allow = [];
      });
      expect(said).toContain(`Cannot listen on 127.0.0.1:${other}: another process uses this port`);
      expect(await listenersOf(gateway)).toEqual([`http://127.0.0.1:${port}`]);
      expect(await isHealthy(at(free))).toBe(false);
      const list = await send(gateway.url, { headers, body: rpc(1, "tools/list") });
      expect(list.json).toMatchObject({ result: { tools: [{ name: "echo" }] } });
      expect(ended).toBe(false);
      writeFileSync(gateway.file, before);
      expect(await reload(gateway, () => {})).toBe(DONE);
      expect((await send(gateway.url, { headers, body: rpc(1, "ping") })).status).toBe(200);
    } finally {
      taken.close();
    }
  });

  it("[G1] [G26] that a stop comes upon leaves nothing open, and the stop ends as ever", async () => {
    const ports = await Promise.all([freePort(), freePort(), freePort()]);
    const gateway = await startGateway({ mcp_servers: { echo: fixture("echo", ["echo"]) } });
    const config = parse(readFileSync(gateway.file, "utf8"));
    config.server.listen = ports.map((port) => `127.0.0.1:${port}`);
    writeFileSync(gateway.file, stringify(config));
    gateway.process.child.kill("SIGHUP");
    gateway.process.child.kill("SIGTERM");
    expect(await gateway.process.exited).toEqual({ status: 0, signal: null });
    await gateway[Symbol.asyncDispose]();
    for (const port of ports) expect(await isHealthy(at(port))).toBe(false);
  });

  it("[G1] [G7] that finds another file at the socket's path leaves the file and the listeners alone", async () => {
    await using gateway = await startGateway({ server: { transport: ["sse", "unix"] } });
    const path = join(gateway.folder, "file");
    writeFileSync(path, "mine");
    const said = await reload(gateway, ({ server }) => {
      server.socket = path;
      server.allowed_hosts = ["gateway.example"];
    });
    expect(said).toContain("something that is no socket stands there");
    expect(readFileSync(path, "utf8")).toBe("mine");
    expect(await isHealthy(gateway.socket)).toBe(true);
    const headers = { host: "gateway.example" };
    expect((await send(gateway.url, { path: "/healthz", headers })).status).toBe(403);
  });
});

describe.concurrent("a reload of the rules of listeners and sessions", () => {
  it("[G1] [G6] takes over hosts, origins and the size of bodies, on connections that are open too", async () => {
    await using gateway = await startGateway({});
    const session = await openSession(gateway.url);
    const status = async (headers: Record<string, string>, body: object = rpc(1, "ping")) =>
      (await send(gateway.url, { headers: { ...session, ...headers }, body })).status;
    const named = { host: "gateway.example" };
    const page = { origin: "https://app.example" };
    const large = rpc(1, "ping", { pad: "x".repeat(2000) });
    expect([await status(named), await status(page), await status({}, large)]).toEqual([
      403, 403, 200,
    ]);
    const said = await reload(gateway, ({ server }) => {
      server.allowed_hosts = ["gateway.example"];
      server.allowed_origins = ["https://app.example"];
      server.max_body = 1000;
    });
    expect(said).toBe(DONE);
    expect([await status(named), await status(page), await status({}, large)]).toEqual([
      200, 200, 413,
    ]);
    await reload(gateway, ({ server }) => delete server.allowed_hosts);
    expect(await status(named)).toBe(403);
  });

  it("[G1] [G9] takes over how many sessions there may be, and how long they may idle", async () => {
    await using gateway = await startGateway({ mcp: { max_sessions: 10 } });
    const sessions: Record<string, string>[] = [];
    for (let count = 0; count < 5; count++) sessions.push(await openSession(gateway.url));
    const alive = async () => {
      const pings = sessions.map((headers) => send(gateway.url, { headers, body: rpc(1, "ping") }));
      return (await Promise.all(pings)).map(({ status }) => status === 200);
    };
    const said = await reload(gateway, ({ mcp }) => {
      mcp.max_sessions = 2;
    });
    expect([said, await alive()]).toEqual([DONE, [false, false, false, true, true]]);
    await reload(gateway, ({ mcp }) => {
      mcp.idle_timeout = "100ms";
    });
    await vi.waitFor(async () => {
      const { json } = await send(gateway.url, { path: "/status" });
      expect(json).toMatchObject({ sessions: 0 });
    });
  });

  it("[G1] [G8] takes over the folders that clients may name, and ends the sessions outside of them", async () => {
    await using folder = createTempFolder();
    const [inside, outside] = ["inside", "outside"].map((name) => join(folder.path, name));
    for (const path of [inside, outside]) mkdirSync(path as string);
    await using gateway = await startGateway({ mcp: { allowed_cwd_roots: [folder.path] } });
    const pathOf = (cwd = "") => `/mcp?cwd=${encodeURIComponent(cwd)}`;
    const sessions = [
      await openSession(gateway.url, { path: pathOf(inside) }),
      await openSession(gateway.url, { path: pathOf(outside) }),
      await openSession(gateway.url),
    ];
    const said = await reload(gateway, ({ mcp }) => {
      mcp.allowed_cwd_roots = [inside];
    });
    const pings = sessions.map((headers) => send(gateway.url, { headers, body: rpc(1, "ping") }));
    expect([said, (await Promise.all(pings)).map(({ status }) => status)]).toEqual([
      DONE,
      [200, 404, 200],
    ]);
    await expect(openSession(gateway.url, { path: pathOf(outside) })).rejects.toThrow("403");
  });

  it("[G1] takes over level and format of the log", async () => {
    await using gateway = await startGateway({});
    const lines = () => gateway.printed().match(/^.*exposes nothing.*$/gm) ?? [];
    await reload(gateway, (config) => {
      config.log = { format: "json" };
      config.mcp_servers = { idle: { command: process.execPath } };
    });
    expect(lines().map((line) => JSON.parse(line))).toMatchObject([
      { level: "warn", message: "server idle exposes nothing: it has no allow rule" },
    ]);
    expect(gateway.printed()).toMatch(/^\{.*"message":"reloaded the configuration"\}$/m);
    await reload(gateway, (config) => {
      config.log.level = "error";
    });
    expect(lines()).toHaveLength(1);
  });

  it("[G1] changes how long starts may take and how many processes there may be, and starts nothing again", async () => {
    const more = { isolation: "session", max_children: 1 };
    await using gateway = await startGateway({
      mcp_servers: { echo: fixture("echo", ["folder"], more) },
    });
    const clients = [await openSession(gateway.url), await openSession(gateway.url)];
    const call = async (index: number) => {
      const body = rpc(1, "tools/call", { name: "folder" });
      const headers = clients[index] as Record<string, string>;
      return (await send(gateway.url, { headers, body })).json as Any;
    };
    const first = await call(0);
    expect((await call(1)).error.message).toContain("is busy");
    await reload(gateway, ({ mcp_servers: { echo } }) => {
      echo.max_children = 2;
      echo.init_timeout = "10s";
    });
    expect((await call(1)).result).toBeDefined();
    expect(await call(0)).toEqual(first);
  });
});
