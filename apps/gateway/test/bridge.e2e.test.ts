import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  createTempFolder,
  fixtureServer,
  isAlive,
  modern,
  type RunningProcess,
  rpc,
  run,
  startProcess,
  type TempFolder,
} from "test-fixtures";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  bin,
  fixture,
  type GatewayProcess,
  script,
  startGateway,
  textOf,
} from "./gateway-process.ts";
import { createHarnessHome, TOKEN } from "./harness-home.ts";

const lively = fileURLToPath(new URL("servers/lively.mjs", import.meta.url));

let secrets: TempFolder;
let tokenFile: string;
let gateway: GatewayProcess;
beforeAll(async () => {
  secrets = createTempFolder();
  tokenFile = join(secrets.path, "token");
  writeFileSync(tokenFile, `${TOKEN}\n`, { mode: 0o600 });
  const log = join(secrets.path, "log");
  writeFileSync(log, "");
  gateway = await startGateway({
    server: { transport: ["sse", "unix"], auth_token_file: tokenFile },
    mcp_servers: {
      echo: fixture("echo", ["echo"]),
      // Longer than the bridge waits for calls in flight once its client is gone.
      slow: fixture("slow-start", ["late"], { args: [fixtureServer("slow-start"), "1500"] }),
      lively: script(lively, ["steps", "wait", "grow", "grown"], { args: [lively, log] }),
    },
  });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await secrets[Symbol.asyncDispose]();
});

const environment = (more: object = {}) => ({
  PATH: process.env.PATH ?? "",
  HOME: secrets.path,
  NO_COLOR: "1",
  ...more,
});
const url = () => gateway.url.href;

/** A client of the v1 SDK that starts the bridge. */
async function connect(flags: readonly string[], env: object = {}) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, "bridge", ...flags],
    env: environment(env),
    stderr: "pipe",
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  return { client, pid: transport.pid ?? 0, [Symbol.asyncDispose]: () => client.close() };
}

/** The bridge, spoken to line by line. */
function startBridge(flags: readonly string[]): RunningProcess & { send(message: object): void } {
  const bridge = startProcess(process.execPath, [bin, "bridge", ...flags], { env: environment() });
  return { ...bridge, send: (message) => bridge.child.stdin.write(`${JSON.stringify(message)}\n`) };
}

const echo = (client: Client, text: string) =>
  client.callTool({ name: "echo", arguments: { text } }).then(textOf);

describe.concurrent("wraptool bridge", () => {
  it.each([
    ["the token file and TCP", () => ["--url", url(), "--token-file", tokenFile], {}],
    [
      "WRAPTOOL_TOKEN and the socket",
      () => ["--socket", gateway.socket],
      { WRAPTOOL_TOKEN: TOKEN },
    ],
    ["the configuration's token", () => ["--socket", gateway.socket, "--config", gateway.file], {}],
  ] as const)("[G24] carries a client of the v1 SDK with %s", async (_, flags, env) => {
    await using connected = await connect([...flags(), "--cwd", secrets.path], env);
    const { client, pid } = connected;
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("steps");
    expect(await echo(client, "über")).toContain("über");
    await client.close();
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false));
  });

  it.each([
    ["a URL", () => `${url()}?cwd=${secrets.path}`],
    ["a socket", () => `unix://${gateway.socket}#/mcp?cwd=${secrets.path}`],
  ])("[G24] finds the gateway by WRAPTOOL_URL alone, where it names %s", async (_, place) => {
    await using connected = await connect([], { WRAPTOOL_URL: place(), WRAPTOOL_TOKEN: TOKEN });
    expect(await echo(connected.client, "found")).toContain("found");
  });

  it("[G24] prefers its flags to WRAPTOOL_URL, and that to the configuration", async () => {
    const configure = (name: string, server: object) => {
      const file = join(secrets.path, name);
      writeFileSync(file, JSON.stringify({ server: { auth_token_file: tokenFile, ...server } }));
      return file;
    };
    const right = configure("right.yaml", { transport: "unix", socket: gateway.socket });
    const wrong = configure("wrong.yaml", { listen: "127.0.0.1:1" });
    const cases: [string[], string][] = [
      [["--url", url(), "--config", wrong], "unix:///nonexistent"],
      [["--socket", gateway.socket, "--config", wrong], "http://127.0.0.1:1/mcp"],
      [["--config", wrong], url()],
      [["--config", right], ""],
    ];
    for (const [flags, place] of cases) {
      await using connected = await connect(flags, { WRAPTOOL_URL: place });
      expect(await echo(connected.client, "found")).toContain("found");
    }
  });

  it("[G24] takes the folder of WRAPTOOL_URL unless --cwd names another", async () => {
    const place = `unix://${gateway.socket}#/mcp?cwd=/nonexistent`;
    const env = { WRAPTOOL_URL: place, WRAPTOOL_TOKEN: TOKEN };
    await expect(connect([], env)).rejects.toThrow("?cwd= not allowed");
    await using connected = await connect(["--cwd", secrets.path], env);
    expect(await echo(connected.client, "here")).toContain("here");
  });

  it.each([
    ["nonsense", "WRAPTOOL_URL must be an http://, https:// or unix:/// URL"],
    ["http://127.0.0.1:0/mcp", "another port with each start"],
  ])("[G24] refuses WRAPTOOL_URL=%s", async (place, said) => {
    const env = environment({ WRAPTOOL_URL: place });
    const ran = await run(process.execPath, [bin, "bridge"], { env });
    expect([ran.status, ran.stdout]).toEqual([1, ""]);
    expect(ran.stderr).toContain(said);
  });

  it("[G21] [G24] is what init writes for a socket, and reaches a tool as a client starts it", async () => {
    await using home = createHarnessHome({ server: { transport: "unix", socket: gateway.socket } });
    expect((await home.wraptool("init", "--harness", "cursor")).status).toBe(0);
    const { command, args } = JSON.parse(home.read("code/.cursor/mcp.json")).mcpServers.wraptool;
    const client = new Client({ name: "test", version: "1" });
    const transport = new StdioClientTransport({ command, args, env: environment() });
    await client.connect(transport as Parameters<Client["connect"]>[0]);
    expect(await echo(client, "through")).toContain("through");
    await client.close();
  });

  it("[G24] answers what was asked before the client closed its side, and then ends", async () => {
    const clientInfo = { name: "piped", version: "1" };
    const lines = [
      rpc(0, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }),
      rpc(1, "tools/call", { name: "late", arguments: {} }),
      // A stream of notices has no end of its own, and nobody waits for one.
      modern("notices", "subscriptions/listen", { notifications: { toolsListChanged: true } }).body,
    ];
    const input = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    const args = [bin, "bridge", "--url", url(), "--token-file", tokenFile];
    const ran = await run(process.execPath, args, { env: environment(), input });
    expect(ran).toMatchObject({ status: 0, stderr: "" });
    expect(ran.stdout).toContain('"text":"late"');
  });

  it("[G24] passes what the server says unasked", async () => {
    await using connected = await connect(["--url", url(), "--token-file", tokenFile]);
    const { client } = connected;
    const changed = new Promise<void>((resolve) => {
      client.fallbackNotificationHandler = async ({ method }) => {
        if (method === "notifications/tools/list_changed") resolve();
      };
    });
    await client.listTools();
    await client.callTool({ name: "grow", arguments: {} });
    await changed;
  });

  it("[G24] carries requests of revision 2026-07-28 without a session", async () => {
    const bridge = startBridge(["--socket", gateway.socket, "--token-file", tokenFile]);
    await using _ended = bridge;
    bridge.send(modern(1, "server/discover").body);
    await bridge.waitFor(/"id":1\s*[,}]/);
    bridge.send(modern("1", "tools/call", { name: "echo", arguments: { text: "modern" } }).body);
    const [line = ""] = await bridge.waitFor(/^.*"id":"1".*$/m);
    expect(line).toContain("modern");
    expect(JSON.parse(line).error).toBeUndefined();
    bridge.send(modern(2, "no/such").body);
    const [refused = ""] = await bridge.waitFor(/^.*"id":2\s*[,}].*$/m);
    expect(JSON.parse(refused).error.code).toBe(-32601);
  });

  it("[G24] keeps progress before its answer, and ids of equal look apart", async () => {
    const bridge = startBridge(["--url", url(), "--token-file", tokenFile]);
    await using _ended = bridge;
    const hello = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "raw", version: "1" },
    };
    bridge.send(rpc("1", "initialize", hello));
    bridge.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    const _meta = { progressToken: "p" };
    bridge.send(rpc(1, "tools/call", { name: "steps", arguments: {}, _meta }));
    await bridge.waitFor(/"id":1\s*[,}].*\n/);
    const messages = bridge
      .printed()
      .stdout.trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(messages.map(({ id, params }) => id ?? params.progress)).toEqual(["1", 1, 2, 3, 1]);
  });

  it("[G24] ends a cancelled modern request and answers it no more", async () => {
    const bridge = startBridge(["--url", url(), "--token-file", tokenFile]);
    await using _ended = bridge;
    bridge.send(modern(0, "tools/call", { name: "wait", arguments: {} }).body);
    bridge.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 0 } });
    bridge.send(modern(1, "tools/call", { name: "echo", arguments: { text: "after" } }).body);
    await bridge.waitFor(/"id":1\s*[,}]/);
    expect(bridge.printed().stdout).not.toMatch(/"id":0\s*[,}]/);
  });

  it("[G24] answers what is no message, and what the gateway refuses, with the request's id", async () => {
    const bridge = startBridge(["--url", url(), "--token-file", tokenFile]);
    await using _ended = bridge;
    bridge.child.stdin.write('nonsense\n[]\n{"jsonrpc":"2.0","id":7,"method":1}\n');
    bridge.send(rpc("early", "tools/list"));
    await bridge.waitFor(/early.*\n/);
    const answers = bridge
      .printed()
      .stdout.trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers.map(({ id, error }) => [id, error.code])).toEqual([
      [null, -32700],
      [null, -32600],
      [7, -32600],
      ["early", -32000],
    ]);
    expect(answers[3].error.message).toContain("start with initialize");
  });

  it("[G24] says that a wrong token was refused, and does not print it", async () => {
    const ran = await run(process.execPath, [bin, "bridge", "--url", url()], {
      env: environment({ WRAPTOOL_TOKEN: "wrong-word-of-some-length" }),
      input: `${JSON.stringify(rpc(1, "initialize"))}\n`,
    });
    expect(JSON.parse(ran.stdout).error.message).toContain("Unauthorized");
    expect(ran.stdout + ran.stderr).not.toContain("wrong-word");
  });

  it("[G24] answers calls in flight when its input ends, and then exits", async () => {
    const call = modern(1, "tools/call", { name: "echo", arguments: { text: "last" } }).body;
    const flags = ["bridge", "--url", url(), "--token-file", tokenFile];
    const ran = await run(process.execPath, [bin, ...flags], {
      env: environment(),
      input: JSON.stringify(call),
    });
    expect([ran.status, ran.stderr]).toEqual([0, ""]);
    expect(ran.stdout).toMatch(/^\{.*last.*\}\n$/);
  });

  it("[G24] exits with its parent, though another process holds its input open", async () => {
    const flags = JSON.stringify([bin, "bridge", "--url", url(), "--token-file", tokenFile]);
    // The parent's own input is the bridge's, and stays open when the parent is killed.
    const parent = startProcess(
      process.execPath,
      [
        "-e",
        `const {spawn} = require("node:child_process");
         const child = spawn(process.execPath, ${flags}, {stdio: "inherit"});
         console.log("bridge " + child.pid); setInterval(() => {}, 1000);`,
      ],
      { env: environment() },
    );
    await using _ended = parent;
    const [, pid] = await parent.waitFor(/bridge (\d+)/);
    parent.child.stdin.write(`${JSON.stringify(modern(1, "server/discover").body)}\n`);
    await parent.waitFor(/"id":1\s*[,}]/);
    process.kill(parent.pid, "SIGKILL");
    await vi.waitFor(() => expect(isAlive(Number(pid))).toBe(false), { timeout: 10_000 });
  });

  it("[G24] goes on in a new session after a restart of the gateway, and sends no call twice", async () => {
    const log = join(secrets.path, "calls");
    writeFileSync(log, "");
    const socket = join(secrets.path, "run", "s");
    const config = {
      server: { transport: "unix", socket, auth_token_file: tokenFile },
      mcp_servers: {
        echo: fixture("echo", ["echo"]),
        lively: script(lively, ["wait"], { args: [lively, log] }),
      },
    };
    const first = await startGateway(config);
    await using connected = await connect(["--socket", socket, "--token-file", tokenFile]);
    const { client } = connected;
    expect(await echo(client, "before")).toContain("before");
    const listed = new Promise<string>((resolve) => {
      client.fallbackNotificationHandler = async ({ method }) => resolve(method);
    });
    const waiting = client.callTool({ name: "wait", arguments: {} }).then(
      () => "answered",
      (error: Error) => error.message,
    );
    await echo(client, "the call is on its way");
    first.process.child.kill("SIGKILL");
    expect(await waiting).toContain("the request was not sent again");
    await first.process.exited;
    // Sent while nobody listens, so it waits for the next daemon.
    const late = echo(client, "after");
    await first[Symbol.asyncDispose]();
    const [second, answer] = await Promise.all([startGateway(config), late]);
    await using _second = second;
    expect(answer).toContain("after");
    expect(await listed).toBe("notifications/tools/list_changed");
  });

  it("[G24] answers with what to do where no gateway listens", async () => {
    const flags = ["bridge", "--socket", join(secrets.path, "nothing")];
    const bridge = startBridge(flags.slice(1).concat("--token-file", tokenFile));
    await using _ended = bridge;
    bridge.send(rpc(1, "initialize"));
    const [line = ""] = await bridge.waitFor(/^.*"id":1\s*[,}].*$/m);
    expect(JSON.parse(line).error.message).toContain("wraptool serve");
  });

  it("[G24] asks for no token where none is configured", async () => {
    await using open = await startGateway({ mcp_servers: { echo: fixture("echo", ["echo"]) } });
    await using connected = await connect(["--url", open.url.href]);
    expect(await echo(connected.client, "open")).toContain("open");
  });

  it.each([
    [["--url", "http://127.0.0.1:1", "--socket", "/s"], 2, "name two gateways"],
    [["--url", "nonsense"], 1, "--url must be a whole URL"],
    [["--url", "http://127.0.0.1:1", "--token-file", "/nonexistent"], 1, "does not exist"],
  ])("[G24] refuses %j", async (flags, status, said) => {
    const ran = await run(process.execPath, [bin, "bridge", ...flags], { env: environment() });
    expect(ran.status).toBe(status);
    expect(ran.stderr).toContain(said);
    expect(ran.stdout).toBe("");
  });
});
