import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import {
  createTempFolder,
  type Door,
  modern,
  openSession,
  openStream,
  rpc,
  send,
} from "test-fixtures";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { fixture, type GatewayProcess, startGateway } from "./gateway-process.ts";

const folder = createTempFolder();
const base = realpathSync(folder.path);
const at = (...parts: string[]) => join(base, ...parts);
const asked = (path: string) => `?cwd=${encodeURIComponent(path)}`;

let gateway: GatewayProcess;
let open: GatewayProcess;
beforeAll(async () => {
  for (const path of ["code/a b", "code/other", "code-evil", "secret"])
    mkdirSync(at(path), { recursive: true });
  symlinkSync(at("secret"), at("code/out"));
  const server = { transport: ["sse", "unix"] };
  const mcp_servers = { echo: fixture("echo", ["echo"]) };
  gateway = await startGateway({ server, mcp: { allowed_cwd_roots: [at("code")] }, mcp_servers });
  open = await startGateway({ server });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await open[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const doors = ["TCP", "the socket"] as const;
const doorOf = (name: (typeof doors)[number], of = gateway): Door =>
  name === "TCP" ? of.url : of.socket;

/** How each client opens, as seen on the wire (Claude Code 2.1, OpenCode, Gemini CLI 0.61, Codex). */
const PROBES = [
  { client: "Claude Code", path: "/mcp", protocolVersion: "2025-11-25", listens: true },
  { client: "OpenCode", path: "/sse", protocolVersion: "2025-11-25", listens: true },
  { client: "Gemini CLI", path: "/mcp", protocolVersion: "2025-06-18", listens: true },
  { client: "Codex", path: "/mcp", protocolVersion: "2025-06-18", listens: false },
];

describe.each(doors)("over %s", (name) => {
  it.each(PROBES)("[G3] $client connects at $path with ?cwd= on every request", async (probe) => {
    const door = doorOf(name);
    const path = probe.path + asked(at("code/a b"));
    const accept = { accept: "application/json, text/event-stream" };
    expect((await send(door, { path: "/.well-known/oauth-protected-resource" })).status).toBe(404);
    const { protocolVersion } = probe;
    const session = await openSession(door, { headers: accept, protocolVersion, path });
    const headers = { ...session, "mcp-protocol-version": protocolVersion };
    const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
    expect((await send(door, { path, headers, body: initialized })).status).toBe(202);
    if (probe.listens) {
      using stream = await openStream(door, { path, headers });
      expect(stream.status).toBe(200);
    }
    const list = await send(door, { path, headers, body: rpc(1, "tools/list") });
    expect(list.json).toMatchObject({ result: { tools: [{ name: "echo" }] } });
    const params = { name: "echo", arguments: { text: "hi" } };
    const called = await send(door, { path, headers, body: rpc(2, "tools/call", params) });
    expect(called.json).toMatchObject({ result: { content: [{ text: "hi" }] } });
    expect((await send(door, { path, headers, method: "DELETE" })).status).toBe(204);
  });

  it("[G3] a client that falls back from a failed post opens the stream at /sse", async () => {
    const door = doorOf(name);
    expect((await send(door, { path: "/sse", body: rpc(1, "tools/list") })).status).toBe(400);
    using stream = await openStream(door, { path: `/sse${asked(at("code/a b"))}` });
    await vi.waitFor(() => expect(stream.text()).toContain("event: endpoint"));
  });

  it.each(["code-evil", "code/../secret", "code/out", "code/none", "secret", "."])(
    "[G8] ?cwd= with %s is refused with 403 before there is a session, in both eras and at /sse",
    async (path) => {
      const door = doorOf(name);
      const cwd = asked(`${base}/${path}`);
      const before = await counts(door);
      const initialize = rpc(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {} });
      const call = modern(1, "tools/list");
      const answers = [
        await send(door, { path: `/mcp${cwd}`, body: initialize }),
        await send(door, { ...call, path: `/mcp${cwd}` }),
        await openStream(door, { path: `/sse${cwd}` }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
      expect(await counts(door)).toMatchObject({ sessions: before.sessions });
    },
  );

  it("[G8] a session keeps its folder: another one later is 403, the same or none is not", async () => {
    const door = doorOf(name);
    const headers = await openSession(door, { path: `/mcp${asked(at("code/other"))}` });
    const status = async (query: string) =>
      (await send(door, { path: `/mcp${query}`, headers, body: rpc(1, "ping") })).status;
    expect(await status("")).toBe(200);
    expect(await status(asked(at("code/other/../other")))).toBe(200);
    expect(await status(asked(at("code")))).toBe(403);
    expect(await status(`${asked(at("code/other"))}&cwd=/`)).toBe(403);
    const without = await openSession(door);
    const late = { path: `/mcp${asked(at("code"))}`, headers: without, body: rpc(1, "ping") };
    expect((await send(door, late)).status).toBe(403);
    using stream = await openStream(door, { path: `/sse${asked(at("code/other"))}` });
    await vi.waitFor(() => expect(stream.data()).toHaveLength(1));
    const messages = `${stream.data()[0]}&${asked(at("code")).slice(1)}`;
    expect((await send(door, { path: messages, body: rpc(1, "ping") })).status).toBe(403);
  });

  it("[G8] without roots any existing folder will do for who is local", async () => {
    const door = doorOf(name, open);
    await openSession(door, { path: `/mcp${asked(at("secret"))}` });
    await expect(openSession(door, { path: `/mcp${asked(at("none"))}` })).rejects.toThrow("403");
  });
});

async function counts(door: Door) {
  return (await send(door, { path: "/status" })).json as { sessions: number };
}
