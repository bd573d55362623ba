import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createTempFolder, edges, openSession, openStream, rpc, send } from "test-fixtures";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { fixture, type GatewayProcess, script, startGateway } from "./gateway-process.ts";

const lively = fileURLToPath(new URL("servers/lively.mjs", import.meta.url));
const TOKEN = "a-token-of-some-length";
const EVENTS = { accept: "application/json, text/event-stream" };
const LIST = rpc(1, "tools/list");

let gateway: GatewayProcess;
beforeAll(async () => {
  gateway = await startGateway({
    server: { max_body: 2000, allowed_origins: ["https://app.example"] },
    mcp: { max_sessions: 50 },
    mcp_servers: {
      echo: fixture("echo", ["echo"]),
      lively: script(lively, ["steps", "grow", "grown"]),
    },
  });
});
afterAll(() => gateway[Symbol.asyncDispose]());

describe("a session", () => {
  it.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
    "[G3] is opened by initialize in revision %s",
    async (protocolVersion) => {
      const clientInfo = { name: "raw", version: "1" };
      const params = { protocolVersion, capabilities: {}, clientInfo };
      const answer = await send(gateway.url, { body: rpc("i", "initialize", params) });
      expect(answer.json).toMatchObject({ id: "i", result: { protocolVersion } });
      expect(answer.headers["mcp-session-id"]).toMatch(/^[A-Za-z0-9_-]{96}$/);
    },
  );

  it("offers its latest revision to a client that asks for another", async () => {
    for (const protocolVersion of ["1999-01-01", "2026-07-28", 7, undefined]) {
      const answer = await send(gateway.url, { body: rpc(1, "initialize", { protocolVersion }) });
      expect(answer.json).toMatchObject({ result: { protocolVersion: "2025-11-25" } });
    }
  });

  it("[G4] answers 400 without an id, 404 for an unknown one, and 404 after DELETE", async () => {
    const post = (headers: Record<string, string>) => send(gateway.url, { headers, body: LIST });
    expect((await post({})).status).toBe(400);
    expect((await post({ "mcp-session-id": "unknown" })).status).toBe(404);
    const headers = await openSession(gateway.url);
    expect((await post(headers)).status).toBe(200);
    expect((await send(gateway.url, { method: "DELETE", headers })).status).toBe(204);
    expect((await post(headers)).status).toBe(404);
    expect((await send(gateway.url, { headers: { ...headers, ...EVENTS } })).status).toBe(404);
  });

  it("[G9] makes room for a new session by ending the longest idle one", async () => {
    await using small = await startGateway({ mcp: { max_sessions: 2 } });
    const sessions = [await openSession(small.url), await openSession(small.url)];
    await send(small.url, { headers: sessions[0] ?? {}, body: rpc(1, "ping") });
    await openSession(small.url);
    const statuses = await Promise.all(
      sessions.map(async (headers) => (await send(small.url, { headers, body: LIST })).status),
    );
    expect(statuses).toEqual([200, 404]);
  });

  it("[G9] ends after the idle timeout", async () => {
    await using brief = await startGateway({ mcp: { idle_timeout: "50ms" } });
    const headers = await openSession(brief.url);
    // Each look keeps the session alive, so the looks are further apart than the timeout.
    await vi.waitFor(
      async () => {
        const answer = await send(brief.url, { headers, body: rpc(1, "ping") });
        expect(answer.status).toBe(404);
      },
      { interval: 200, timeout: 10_000 },
    );
  });

  it("[G3] gets notifications on its GET stream, which a second GET takes over", async () => {
    const headers = await openSession(gateway.url);
    const open = () => openStream(gateway.url, { headers });
    const first = await open();
    expect(first.headers).toMatchObject({
      "content-type": "text/event-stream",
      "x-accel-buffering": "no",
    });
    const second = await open();
    await first.ended;
    await send(gateway.url, { headers, body: LIST });
    await send(gateway.url, { headers, body: rpc(2, "tools/call", { name: "grow" }) });
    await vi.waitFor(() => expect(second.text()).toContain("notifications/tools/list_changed"));
    await send(gateway.url, { method: "DELETE", headers });
    await second.ended;
  });
});

describe("an answer", () => {
  it("[G3] is one JSON body, whether Accept is absent, a wildcard or both types", async () => {
    const session = await openSession(gateway.url);
    for (const accept of [{}, { accept: "*/*" }, EVENTS, { accept: "application/json" }]) {
      const answer = await send(gateway.url, { headers: { ...session, ...accept }, body: LIST });
      expect(answer.headers["content-type"]).toBe("application/json");
    }
  });

  it("[G3] is an event stream if a notification comes first, or if the client takes nothing else", async () => {
    const session = await openSession(gateway.url);
    const params = { name: "steps", _meta: { progressToken: "mine" } };
    const call = (headers: object) =>
      send(gateway.url, {
        headers: { ...session, ...headers },
        body: rpc(7, "tools/call", params),
      });
    const streamed = await call(EVENTS);
    expect(streamed.headers["content-type"]).toBe("text/event-stream");
    expect(streamed.events).toMatchObject([
      { params: { progressToken: "mine", progress: 1, x_kept: 1 } },
      { params: { progress: 2 } },
      { params: { progress: 3 } },
      { id: 7, result: {} },
    ]);
    expect((await call({ accept: "application/json" })).json).toMatchObject({ id: 7 });
    const events = await send(gateway.url, {
      headers: { ...session, accept: "text/event-stream" },
      body: LIST,
    });
    expect(events.events).toMatchObject([{ id: 1, result: {} }]);
  });

  it("is empty for a notification and for a client's response", async () => {
    const headers = await openSession(gateway.url);
    for (const body of [
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 1, result: {} },
    ]) {
      const answer = await send(gateway.url, { headers, body });
      expect([answer.status, answer.text]).toEqual([202, ""]);
    }
  });

  it("names the id of a request that cannot be served", async () => {
    const headers = await openSession(gateway.url);
    const answer = await send(gateway.url, { headers, body: rpc("x", "tasks/list") });
    expect(answer.json).toMatchObject({ id: "x", error: { code: -32601 } });
  });
});

describe("a request", () => {
  it("[G4] is refused with 405 and Allow, 406, 415, and 404 off the endpoint", async () => {
    const session = await openSession(gateway.url);
    const put = await send(gateway.url, { method: "PUT", headers: session, body: LIST });
    expect([put.status, put.headers.allow]).toEqual([405, "POST, GET, DELETE"]);
    const status = async (headers: Record<string, string>, more: object = { body: LIST }) =>
      (await send(gateway.url, { headers: { ...session, ...headers }, ...more })).status;
    expect(await status({ accept: "text/html" })).toBe(406);
    expect(await status({ accept: "application/json" }, {})).toBe(406);
    expect(await status({ "content-type": "text/plain" })).toBe(415);
    expect(await status({ "content-encoding": "gzip" })).toBe(415);
    expect(await status({ "content-type": "Application/JSON; charset=utf-8" })).toBe(200);
    expect(await status({}, { path: "/.well-known/oauth-protected-resource" })).toBe(404);
    expect(await status({}, { path: "/elsewhere" })).toBe(404);
  });

  it("[G4] is refused with 413 above max_body, announced or not", async () => {
    const headers = await openSession(gateway.url);
    const padded = (bytes: number) => {
      const body = JSON.stringify(LIST);
      return body + " ".repeat(bytes - body.length);
    };
    const statuses = edges(2000).flatMap((bytes) =>
      [{}, { "transfer-encoding": "chunked" }].map(async (more) => {
        const answer = await send(gateway.url, {
          headers: { ...headers, ...more },
          body: padded(bytes),
        });
        return answer.status;
      }),
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200, 413, 413]);
  });

  it.each([
    ["no JSON", "{", -32700],
    ["nothing", "", -32700],
    ["a batch", "[]", -32600],
    ["another version", '{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
    ["a null id", '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
    ["params that are no object", '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32600],
    ["bytes that are no UTF-8", '{"jsonrpc":"2.0","id":1,"method":"\\ud800', -32700],
  ])("is refused with 400 for a body with %s", async (_name, body, code) => {
    const headers = await openSession(gateway.url);
    const answer = await send(gateway.url, { headers, body });
    expect([answer.status, answer.json]).toMatchObject([400, { error: { code } }]);
  });

  it("[G6] is refused with 403 for a foreign Host or Origin", async () => {
    const status = async (headers: Record<string, string>) =>
      (await send(gateway.url, { path: "/healthz", headers })).status;
    expect(await status({ host: "evil.example" })).toBe(403);
    expect(await status({ origin: "https://evil.example" })).toBe(403);
    expect(await status({ origin: "null" })).toBe(403);
    expect(await status({ host: "host.docker.internal:8717" })).toBe(200);
    expect(await status({ origin: "http://localhost:6274" })).toBe(200);
  });

  it("[G6] gets CORS headers, and a preflight, for a listed origin alone", async () => {
    const ask = (origin: string) =>
      send(gateway.url, { method: "OPTIONS", headers: { origin }, path: "/mcp" });
    const listed = await ask("https://app.example");
    expect(listed.status).toBe(204);
    expect(listed.headers).toMatchObject({
      "access-control-allow-origin": "https://app.example",
      "access-control-expose-headers": expect.stringContaining("Mcp-Session-Id"),
    });
    const loopback = await ask("http://localhost:6274");
    expect([loopback.status, loopback.headers["access-control-allow-origin"]]).toEqual([
      405,
      undefined,
    ]);
  });
});

describe("with a token", () => {
  it("[G5] everything but /healthz needs it, and a session belongs to who has it", async () => {
    await using folder = createTempFolder();
    const tokenFile = join(folder.path, "token");
    writeFileSync(tokenFile, `${TOKEN}\n`, { mode: 0o600 });
    await using guarded = await startGateway({
      server: { auth_token_file: tokenFile },
      mcp_servers: { echo: fixture("echo", ["echo"]) },
    });
    const status = async (path: string, headers = {}) =>
      (await send(guarded.url, { path, headers })).status;
    expect(await status("/healthz")).toBe(200);
    expect(await status("/.well-known/oauth-authorization-server")).toBe(404);
    for (const path of ["/mcp", "/status", "/"]) expect(await status(path)).toBe(401);

    const refused = await send(guarded.url, {
      headers: { authorization: "Bearer wrong" },
      body: LIST,
    });
    expect(refused.status).toBe(401);
    expect(refused.headers["www-authenticate"]).toMatch(/^Bearer/);
    const session = await openSession(guarded.url, {
      headers: { authorization: `bearer ${TOKEN}` },
    });
    const { authorization: _, ...anonymous } = session;
    expect((await send(guarded.url, { headers: anonymous, body: LIST })).status).toBe(401);

    const client = await guarded.connect({ Authorization: `Bearer ${TOKEN}` });
    expect((await client.listTools()).tools).toHaveLength(1);
    await expect(guarded.connect({ Authorization: "Bearer wrong" })).rejects.toThrow();
    expect(guarded.printed()).not.toContain(TOKEN);
  });
});
