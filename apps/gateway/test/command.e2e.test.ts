import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import {
  createTempFolder,
  fixtureServer,
  openSession,
  type Ran,
  rpc,
  run,
  send,
  startProcess,
} from "test-fixtures";
import { describe, expect, it } from "vitest";
import { bin, fixture, startGateway } from "./gateway-process.ts";

/** Runs the bin with a home folder of its own and, if given, a configuration file in it. */
async function wraptool(args: readonly string[], config?: string, token?: string) {
  await using folder = createTempFolder();
  const file = join(folder.path, "gateway.yaml");
  if (config !== undefined) writeFileSync(file, config);
  if (token !== undefined) writeFileSync(join(folder.path, "token"), token, { mode: 0o600 });
  const named = config === undefined ? [] : ["--config", file];
  const ran = await run(process.execPath, [bin, ...args, ...named], {
    env: { PATH: process.env.PATH, HOME: folder.path, NO_COLOR: "1" },
  });
  const short = (text: string) => text.replaceAll(folder.path, "HOME");
  return { status: ran.status, stdout: short(ran.stdout), stderr: short(ran.stderr) };
}

const lines = ({ stderr }: Pick<Ran, "stderr">) => stderr.trimEnd().split("\n");

describe("wraptool serve", () => {
  it("refuses a missing configuration, a faulty one and a missing token in one line each", async () => {
    const missing = await wraptool(["serve", "--config", "/nowhere/gateway.yaml"]);
    expect(missing).toMatchObject({
      status: 1,
      stderr: "error: /nowhere/gateway.yaml: does not exist\n",
    });
    const faulty = await wraptool(["serve"], "server: {lisen: localhost}");
    expect(lines(faulty)).toEqual([
      'error: HOME/gateway.yaml:1:10 server.lisen: unknown field; did you mean "listen"?',
    ]);
    const token = await wraptool(["serve"], "server: {auth_token_file: token}");
    expect(lines(token)).toEqual(["error: HOME/token: does not exist; run wraptool token new"]);
    expect([faulty.status, token.status]).toEqual([1, 1]);
  });

  it("[G5] refuses to listen beyond loopback without a token, unless the file insists", async () => {
    const open = 'server: {listen: "0.0.0.0:0"}';
    const refused = await wraptool(["serve"], open);
    expect(refused.status).toBe(1);
    expect(lines(refused)).toEqual([
      "error: HOME/gateway.yaml:1:18 server.listen: 0.0.0.0:0 can be reached by others: set server.auth_token_file, or insecure_no_auth: true",
    ]);
    const insisting = 'server: {listen: "0.0.0.0:0", insecure_no_auth: true}';
    expect((await wraptool(["serve", "--check"], insisting)).status).toBe(0);
    const guarded = 'server: {listen: "0.0.0.0:0", auth_token_file: token}';
    const checked = await wraptool(["serve", "--check"], guarded, "a-token-of-some-length\n");
    expect(checked).toMatchObject({ status: 0, stdout: "HOME/gateway.yaml is valid\n" });
  });

  it("refuses a busy port in one line that says what to do", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as { port: number };
    try {
      const busy = await wraptool(["serve"], `server: {listen: "127.0.0.1:${port}"}`);
      expect(busy.status).toBe(1);
      expect(busy.stderr).toContain(
        `error: Cannot listen on 127.0.0.1:${port}: another process uses this port\n`,
      );
    } finally {
      other.close();
    }
  });

  it("[G1] starts although a command is missing, which --check refuses with its place", async () => {
    const config = `mcp_servers:
  gone: {command: no-such-command-anywhere, allow: [{tool: a}]}
  here: {command: node, working_dir: /no/such/folder}
`;
    const checked = await wraptool(["serve", "--check"], config);
    expect(checked.status).toBe(1);
    expect(lines(checked)).toEqual([
      "error: HOME/gateway.yaml:2:19 mcp_servers.gone.command: was not found or is not executable",
      "error: HOME/gateway.yaml:3:38 mcp_servers.here.working_dir: is not an existing folder",
    ]);
    await using gateway = await startGateway({
      mcp_servers: { gone: { command: "no-such-command-anywhere", allow: [{ tool: "a" }] } },
    });
    expect(gateway.printed()).toMatch(/a server is unavailable: .*mcp_servers.gone.command/);
    const unavailable = { name: "gone", state: "unavailable", exposed: 0, restarts: 0 };
    const status = async () => (await send(gateway.url, { path: "/status" })).json;
    expect(await status()).toMatchObject({
      servers: [{ ...unavailable, last_error: "its command was not found or is not executable" }],
    });
    expect((await send(gateway.url, { path: "/readyz" })).status).toBe(503);
    const client = await gateway.connect();
    await expect(client.callTool({ name: "a" })).rejects.toThrow(/command was not found/);
    expect(await status()).toMatchObject({ servers: [{ state: "unavailable" }] });
  });

  it("[G10] refuses names that collide, at the rule that makes the collision", async () => {
    const config = `mcp_servers:
  one: {command: node, name_prefix: a, allow: [{tool: b_c}]}
  two: {command: node, name_prefix: a_b, allow: [{tool: c}]}
`;
    expect(lines(await wraptool(["serve"], config))).toEqual([
      "error: HOME/gateway.yaml:3:57 mcp_servers.two.allow[0].tool: the exposed name a_b_c is taken by one.b_c: choose another name_prefix",
    ]);
  });

  it("[W9] prints one JSON object for a failure, and exits 2 for an unknown flag", async () => {
    const faulty = await wraptool(["serve", "--json"], "server: {lisen: localhost}");
    expect([faulty.status, JSON.parse(faulty.stdout)]).toMatchObject([
      1,
      { error: { code: "UNKNOWN_FIELD", message: expect.stringContaining("server.lisen") } },
    ]);
    expect((await wraptool(["serve", "--chek"])).status).toBe(2);
  });

  it("[G2] serves a built-in default without a file, with a fresh token, and says what to do next", async () => {
    await using folder = createTempFolder();
    const env = { PATH: process.env.PATH, HOME: folder.path };
    await using gateway = startProcess(process.execPath, [bin, "serve"], { env });
    const started = await Promise.race([
      gateway.waitFor(/listening on (http:\/\/127\.0\.0\.1:8717\/mcp)/, "stderr"),
      gateway.waitFor(/Cannot listen on 127\.0\.0\.1:8717/, "stderr"),
    ]);
    const token = join(folder.path, ".config", "wraptool", "token");
    expect(statSync(token).mode & 0o777).toBe(0o600);
    expect(gateway.printed().stderr).toContain("No configuration at");
    expect(gateway.printed().stderr).not.toContain(readFileSync(token, "utf8").trim());
    if (started[1] === undefined) return; // the usual port is taken on this machine
    const answer = await send(new URL(started[1]), { body: rpc(1, "ping") });
    expect(answer.status).toBe(401);
    gateway.child.kill("SIGTERM");
    expect(await gateway.exited).toEqual({ status: 0, signal: null });
  });
});

describe.concurrent("a signal", () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "[G26] %s lets a call in flight finish, refuses new ones, and ends with 0",
    async (signal) => {
      await using gateway = await startGateway({
        mcp_servers: {
          late: fixture("slow-start", ["late"], { args: [fixtureServer("slow-start"), "700"] }),
        },
      });
      const headers = await openSession(gateway.url);
      const call = send(gateway.url, { headers, body: rpc(1, "tools/call", { name: "late" }) });
      await send(gateway.url, { headers, body: rpc(2, "ping") });
      gateway.process.child.kill(signal);
      await gateway.process.waitFor(/shutting down/, "stderr");
      await expect(send(gateway.url, { headers, body: rpc(3, "ping") })).rejects.toThrow();
      expect((await call).json).toMatchObject({ id: 1, result: { content: [{ text: "late" }] } });
      expect(await gateway.process.exited).toEqual({ status: 0, signal: null });
    },
  );

  it("[G26] answers a call that takes too long with an error, and a second signal ends at once", async () => {
    const gateway = await startGateway({ mcp_servers: { silent: fixture("silent", ["wait"]) } });
    const headers = await openSession(gateway.url);
    const call = send(gateway.url, { headers, body: rpc(1, "tools/call", { name: "wait" }) });
    await send(gateway.url, { headers, body: rpc(2, "tools/list") });
    gateway.process.child.kill("SIGTERM");
    // As an event where the machine was so slow that the answer had become a stream.
    expect((await call).text).toMatch(/"id":1,"error":\{[^}]*shutting down/);
    expect((await gateway.process.exited).status).toBe(0);
    await gateway[Symbol.asyncDispose]();

    const second = await startGateway({ mcp_servers: { silent: fixture("silent", ["wait"]) } });
    const session = await openSession(second.url);
    const cut = send(second.url, {
      headers: session,
      body: rpc(1, "tools/call", { name: "wait" }),
    });
    await send(second.url, { headers: session, body: rpc(2, "tools/list") });
    second.process.child.kill("SIGTERM");
    await second.process.waitFor(/shutting down/, "stderr");
    second.process.child.kill("SIGTERM");
    await expect(cut).rejects.toThrow();
    expect(await second.process.exited).toEqual({ status: null, signal: "SIGTERM" });
    await second[Symbol.asyncDispose]();
  });

  it("[G26] also ends a server that is still starting", async () => {
    await using gateway = await startGateway({ mcp_servers: { mute: fixture("mute", ["any"]) } });
    const headers = await openSession(gateway.url);
    const call = send(gateway.url, { headers, body: rpc(1, "tools/call", { name: "any" }) });
    await send(gateway.url, { headers, body: rpc(2, "ping") });
    gateway.process.child.kill("SIGTERM");
    expect((await call).json).toMatchObject({ error: { message: /shutting down/ } });
    expect(await gateway.process.exited).toEqual({ status: 0, signal: null });
  });
});

describe("wraptool token", () => {
  it("[G28] writes a token of mode 0600 that it never prints, and replaces one only by force", async () => {
    await using folder = createTempFolder();
    const env = { PATH: process.env.PATH, HOME: folder.path };
    const token = (...args: string[]) => run(process.execPath, [bin, "token", ...args], { env });
    const path = (await token("path")).stdout.trim();
    expect(path).toBe(join(folder.path, ".config", "wraptool", "token"));
    expect(existsSync(path)).toBe(false);
    const written = await token("new");
    const first = readFileSync(path, "utf8").trim();
    expect(written.status).toBe(0);
    expect(written.stdout + written.stderr).not.toContain(first);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect((await token("new")).status).toBe(1);
    expect(readFileSync(path, "utf8").trim()).toBe(first);
    expect((await token("new", "--force")).status).toBe(0);
    expect(readFileSync(path, "utf8").trim()).not.toBe(first);
  });
});
