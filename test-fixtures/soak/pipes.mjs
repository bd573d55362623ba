// The two programs that serve one client over stdin and stdout, a line a message.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtBin, fixtureServer, startProcess } from "test-fixtures";

/** The adapter as its host starts it, with these servers of its user; `ask` performs a request and gives the text that a model would see. */
export async function startHost(soak, servers, options = {}) {
  const { home = soak.folder } = options;
  const env = { ...soak.env, ...options.env };
  mkdirSync(join(home, ".config", "mcp"), { recursive: true });
  writeFileSync(join(home, ".config", "mcp", "mcp.json"), JSON.stringify({ mcpServers: servers }));
  const host = await start(soak, "travis234-mcp-adapter", ["host", "--home", home], options);
  await host.process.waitFor(/"method":"ready"/);
  return {
    ...host,
    async ask(request) {
      const { result, error } = await host.send({ method: "execute", params: { request, env } });
      if (error) throw new Error(error.message);
      return { isError: result.isError, text: result.content.map(({ text }) => text).join("\n") };
    },
    /** As a host ends it: its pipe ends. */
    async stop() {
      host.process.child.stdin.end();
      return (await host.process.exited).status;
    },
  };
}

/** A server entry of the adapter: a fixture, and the mark of the scenario. */
export function hostServer(soak, name) {
  const { SOAK_MARK } = soak.env;
  return { command: process.execPath, args: [fixtureServer(name)], env: { SOAK_MARK } };
}

/** The notes server over a folder; `call` calls a tool. */
export async function startNotes(soak, path, options = {}) {
  const notes = await start(soak, "dotaios-mcp", ["--path", path], options);
  const clientInfo = { name: "soak", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const ask = (method, params) => notes.send({ jsonrpc: "2.0", method, params });
  await ask("initialize", params);
  return {
    ...notes,
    ask,
    call: (name, args) => ask("tools/call", { name, arguments: args }),
    async stop() {
      notes.process.child.stdin.end();
      return (await notes.process.exited).status;
    },
  };
}

async function start(soak, bin, args, { under = [], env = {} }) {
  const [command, ...before] = [...under, process.execPath];
  const process_ = soak.own(
    startProcess(command, [...before, ...soak.nodeFlags, builtBin(bin), ...args], {
      env: { ...soak.env, ...env },
      channel: true,
    }),
  );
  return { process: process_, send: createSender(process_) };
}

/** Sends a message under an id of its own, and resolves with its answer; rejects when the process ends first. */
function createSender({ child, exited }) {
  const waiting = new Map();
  let rest = "";
  let last = 0;
  child.stdout.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const message of lines.map((line) => JSON.parse(line))) {
      waiting.get(message.id)?.resolve(message);
      waiting.delete(message.id);
    }
  });
  exited.then(() => {
    for (const { reject } of waiting.values()) reject(new Error("It ended before it answered"));
  });
  return (message) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve, reject });
      child.stdin.write(`${JSON.stringify({ ...message, id })}\n`);
    });
}
