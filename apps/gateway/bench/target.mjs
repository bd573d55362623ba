// What is measured: the floor, the gateway, and two other gateways, each in front of a raw echo server of its own.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const file = (name) => fileURLToPath(new URL(name, import.meta.url));
const node = process.execPath;
const START_MS = 20_000;
const ANSWER_MS = 5_000;

/** Installs the peers and returns their names and commands. */
export function installPeers(folder) {
  const peers = { "mcp-proxy": "6.7.19", supergateway: "4.0.0" };
  const home = join(folder, "peers");
  mkdirSync(home);
  const packages = Object.entries(peers).map(([name, version]) => `${name}@${version}`);
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefix", home];
  const { status } = spawnSync("npm", ["install", ...flags, ...packages], { stdio: "ignore" });
  if (status !== 0) throw new Error("npm could not install the peers");
  const bin = (name) => {
    const root = join(home, "node_modules", name);
    const { bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    return join(root, typeof bin === "string" ? bin : bin[name]);
  };
  return {
    "mcp-proxy": (port) => [
      bin("mcp-proxy"),
      "--port",
      port,
      "--host",
      "127.0.0.1",
      "--",
      node,
      file("echo.mjs"),
    ],
    supergateway: (port) => [
      bin("supergateway"),
      ...["--stdio", `${node} ${file("echo.mjs")}`, "--outputTransport", "streamableHttp"],
      ...["--stateful", "--port", port],
    ],
  };
}

export const floor = (port) => [file("floor.mjs"), port];

/** The gateway with a configuration of its own in the folder, and with these flags of node. */
export function gateway(folder, { mcp = {}, env = {}, flags = [] } = {}) {
  return (port) => {
    const config = join(folder, `gateway-${port}.json`);
    const echo = {
      command: node,
      args: [file("echo.mjs")],
      env,
      allow: [{ tool: "echo" }, { tool: "large" }],
    };
    const settings = { server: { listen: `127.0.0.1:${port}` }, mcp, mcp_servers: { echo } };
    // JSON is YAML.
    writeFileSync(config, JSON.stringify(settings));
    return [...flags, file("../dist/cli.js"), "serve", "--config", config];
  };
}

/** Starts a target, waits until it answers, and opens one session. */
export async function start(argsOf, { home, heapFile = "" }) {
  const port = await freePort();
  const begun = performance.now();
  const child = spawn(node, argsOf(String(port)), {
    stdio: "ignore",
    env: { ...process.env, HOME: home, XDG_STATE_HOME: home, BENCH_HEAP: heapFile },
    detached: true,
  });
  const target = { port, pid: child.pid, headers: {} };
  const agent = new Agent({ keepAlive: true });
  target.headers = await untilAnswers(() => openSession(agent, target));
  target.startMs = performance.now() - begun;
  agent.destroy();
  return {
    ...target,
    async stop() {
      const exited = new Promise((resolve) => child.once("exit", resolve));
      process.kill(-child.pid, "SIGTERM");
      const timer = setTimeout(() => process.kill(-child.pid, "SIGKILL"), 8_000);
      await exited;
      clearTimeout(timer);
    },
  };
}

async function untilAnswers(ask) {
  const deadline = performance.now() + START_MS;
  for (;;)
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Sends `initialize`; resolves with the headers of the session, if there is one. */
export async function openSession(agent, target) {
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  };
  const { response } = await post(
    agent,
    { ...target, headers: {} },
    { id: 0, method: "initialize", params },
  );
  if (response.statusCode !== 200) throw new Error(`initialize: ${response.statusCode}`);
  const id = response.headers["mcp-session-id"];
  const headers = id === undefined ? {} : { "mcp-session-id": id };
  await post(agent, { ...target, headers }, { method: "notifications/initialized" }).catch(
    () => {},
  );
  return headers;
}

/** One POST, read to its end; the floor answers no notification, so those are not waited for. */
export function post(agent, { port, headers }, message) {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  const options = {
    ...{ agent, port, host: "127.0.0.1", path: "/mcp", method: "POST" },
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "content-length": Buffer.byteLength(body),
      ...headers,
    },
  };
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => resolve({ response, body: Buffer.concat(chunks) }));
      response.on("error", reject);
    });
    const waitMs = message.id === undefined ? 200 : ANSWER_MS;
    sent.setTimeout(waitMs, () => sent.destroy(new Error(`no answer on port ${port}`)));
    sent.on("error", reject);
    sent.end(body);
  });
}

/** The flags of node with which a daemon tells what its heap holds. */
export const heapFlags = ["--expose-gc", "--import", file("heap-probe.mjs")];

/** What the heap of such a daemon holds after a full collection, in bytes. */
export async function liveHeap(pid, heapFile) {
  const lines = () => (existsSync(heapFile) ? readFileSync(heapFile, "utf8").split("\n") : [""]);
  const before = lines().length;
  process.kill(pid, "SIGUSR2");
  while (lines().length === before) await new Promise((resolve) => setTimeout(resolve, 10));
  return Number(lines().at(-2));
}

/** Resident memory of a process in MB. */
export function residentMb(pid) {
  const kib = readFileSync(`/proc/${pid}/status`, "utf8").match(/VmRSS:\s+(\d+)/)[1];
  return (Number(kib) * 1024) / 1e6;
}
