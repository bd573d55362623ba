import { realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  CANARY,
  createTempFolder,
  findCanary,
  modern,
  openSession,
  openStream,
  rpc,
  run,
  send,
} from "test-fixtures";
import { describe, expect, it, vi } from "vitest";
import { script, startGateway, textOf } from "./gateway-process.ts";

const server = fileURLToPath(new URL("servers/modern.mjs", import.meta.url));
const v2Asked = fileURLToPath(new URL("clients/v2-asked.mjs", import.meta.url));
const v2 = fileURLToPath(new URL("servers/v2.mjs", import.meta.url));
const full = fileURLToPath(new URL("servers/full.mjs", import.meta.url));
const lively = fileURLToPath(new URL("servers/lively.mjs", import.meta.url));
const TOOLS = ["envelope", "wait", "ask", "needs", "log", "grow", "grown"];
const inManner = (manner: string, more: object = {}) =>
  script(server, TOOLS, { args: [server, manner], ...more });

describe.concurrent("a server of revision 2026-07-28", () => {
  it.each([
    ["refuses initialize", inManner("refuse")],
    ["ends at initialize", inManner("end")],
    ["does not answer initialize", inManner("silent", { init_timeout: "500ms" })],
  ])("[G12] that %s is found out, and serves clients of both eras", async (_name, entry) => {
    await using gateway = await startGateway({ mcp_servers: { modern: entry } });
    const client = await gateway.connect();
    const progress: number[] = [];
    const legacy = await client.callTool({ name: "envelope" }, undefined, {
      onprogress: (note) => progress.push(note.progress),
    });
    // After a call, because a list does not wait for a server as long as this one takes to be found out.
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(["envelope", "wait", "ask", "log", "grow"]);
    const call = modern(1, "tools/call", { name: "envelope", _meta: { x_kept: 1 } });
    const { json } = await send(gateway.url, call);
    expect(json).toMatchObject({ result: { resultType: "complete" } });
    expect(progress).toEqual([1]);
    const metas = [legacy, (json as { result: unknown }).result].map((result) =>
      JSON.parse(textOf(result) ?? ""),
    );
    for (const meta of metas)
      expect(meta).toMatchObject({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "wraptool" },
        "io.modelcontextprotocol/clientCapabilities": {},
      });
    expect(metas[1]).toMatchObject({ x_kept: 1 });
  });

  it("[G12] [G4] has arguments repeated as headers from the very first call on, and tells of changed lists", async () => {
    await using gateway = await startGateway({ mcp_servers: { modern: inManner("refuse") } });
    const call = modern(1, "tools/call", { name: "envelope", arguments: { region: "é" } });
    // Nobody has listed anything yet.
    const missing = await send(gateway.url, call);
    expect([missing.status, missing.json]).toMatchObject([400, { error: { code: -32020 } }]);
    for (const [region, status] of [
      ["=?base64?w6k=?=", 200],
      ["e", 400],
    ] as const) {
      const headers = { ...call.headers, "mcp-param-region": region };
      expect((await send(gateway.url, { ...call, headers })).status).toBe(status);
    }
    const notifications = { toolsListChanged: true };
    using stream = await openStream(
      gateway.url,
      modern(2, "subscriptions/listen", { notifications }),
    );
    const headers = await openSession(gateway.url);
    await send(gateway.url, { headers, body: rpc(1, "tools/call", { name: "grow" }) });
    const changed = '"method":"notifications/tools/list_changed"';
    await vi.waitFor(() => expect(stream.text()).toContain(changed));
  });

  it("[G12] of the SDK serves clients of both eras too", async () => {
    await using gateway = await startGateway({
      mcp_servers: { v2: script(v2, ["shout", "confirm"]) },
    });
    const params = { name: "shout", arguments: { text: "hi" } };
    const client = await gateway.connect();
    expect(textOf(await client.callTool(params))).toBe("HI");
    const { json } = await send(gateway.url, modern(1, "tools/call", params));
    expect(json).toMatchObject({ result: { content: [{ text: "HI" }] } });
    // The SDK's client has its user asked in either era, and the server hears the answer.
    const { href } = new URL("/mcp", gateway.url);
    const asked = await run(process.execPath, [v2Asked, href, "confirm", "auto", "legacy"]);
    expect([asked.stderr, JSON.parse(asked.stdout)]).toEqual([
      "",
      [
        ["2026-07-28", "yes: true"],
        ["2025-11-25", "yes: true"],
      ],
    ]);
  });
});

const SAMPLING = "sampling/createMessage";
const ELICITATION = "elicitation/create";
const able = (capabilities: object) => ({
  "io.modelcontextprotocol/clientCapabilities": capabilities,
});
// biome-ignore lint/suspicious/noExplicitAny: answers of any form, which the tests compare
type Any = any;

describe.concurrent("a server of revision 2026-07-28 that asks for more input", () => {
  it("[G12] asks a modern client by its answer, and gets the request again with what the client says", async () => {
    await using gateway = await startGateway({ mcp_servers: { modern: inManner("refuse") } });
    const headers = { "mcp-param-region": "r" };
    const params = { name: "ask", arguments: { methods: [SAMPLING, ELICITATION], region: "r" } };
    const ask = async (more: object, capabilities: object) => {
      const call = modern(1, "tools/call", { ...params, ...more, _meta: able(capabilities) });
      const all = { ...call, headers: { ...call.headers, ...headers } };
      return (await send(gateway.url, all)).json as Any;
    };
    const capabilities = { sampling: {}, elicitation: { form: {}, url: {} }, roots: {}, x: {} };
    const first = await ask({}, capabilities);
    expect(first.result).toMatchObject({
      resultType: "input_required",
      inputRequests: { [SAMPLING]: { method: SAMPLING }, [ELICITATION]: { method: ELICITATION } },
      requestState: "state",
      x_kept: [1000],
    });
    const inputResponses = { [SAMPLING]: { role: "assistant" }, [ELICITATION]: { action: "x" } };
    const second = await ask({ inputResponses, requestState: "state" }, capabilities);
    const heard = JSON.parse(textOf(second.result) ?? "");
    expect(heard).toMatchObject({ inputResponses, requestState: "state" });
    // What the gateway does not carry from server to client is not declared to the server.
    expect(heard._meta["io.modelcontextprotocol/clientCapabilities"]).toEqual({
      sampling: {},
      elicitation: { form: {}, url: {} },
    });
    const refused = await ask({}, { sampling: {} });
    expect(refused.error.message).toContain(`asks for ${ELICITATION}, which this client cannot`);
    const needs = await send(gateway.url, modern(1, "tools/call", { name: "needs" }));
    expect([needs.status, needs.json]).toMatchObject([400, { error: { code: -32021 } }]);
  });

  it("[G12] [G16] asks an older client as its revision has it, and ends at once if that cannot be asked", async () => {
    await using gateway = await startGateway({ mcp_servers: { modern: inManner("refuse") } });
    const asked: unknown[] = [];
    const client = await gateway.connect({}, { onSample: (params) => void asked.push(params) });
    const ask = async (args: object) =>
      client.callTool({ name: "ask", arguments: { methods: [SAMPLING], ...args } });
    expect(JSON.parse(textOf(await ask({})) ?? "")).toMatchObject({
      inputResponses: { [SAMPLING]: { content: { text: "the client's words" } } },
      requestState: "state",
    });
    expect(asked).toEqual([{ message: "?" }]);
    // A state alone is sent back as it is.
    expect(JSON.parse(textOf(await ask({ methods: [] })) ?? "")).not.toHaveProperty(
      "inputResponses",
    );
    await expect(ask({ again: true })).rejects.toThrow("keeps asking for input");
    const plain = await gateway.connect();
    await expect(
      plain.callTool({ name: "ask", arguments: { methods: [SAMPLING] } }),
    ).rejects.toThrow(`asks for ${SAMPLING}, which this client cannot be asked for`);
    await expect(ask({ methods: ["roots/list"] })).rejects.toThrow("asks for roots/list");
  });

  it("[G18] is scrubbed in what it asks of clients of either era", async () => {
    await using folder = createTempFolder();
    const file = join(folder.path, "env");
    writeFileSync(file, `CANARY=${CANARY}\n`, { mode: 0o600 });
    await using gateway = await startGateway({
      mcp_servers: { modern: inManner("refuse", { env_files: [file] }) },
    });
    const params = { name: "ask", arguments: { methods: [SAMPLING], state: CANARY } };
    const asked: unknown[] = [];
    const client = await gateway.connect({}, { onSample: (one) => void asked.push(one) });
    await client.callTool(params);
    const call = modern(1, "tools/call", { ...params, _meta: able({ sampling: {} }) });
    const { json } = await send(gateway.url, call);
    expect(asked).toEqual([{ message: "[redacted]" }]);
    expect((json as Any).result.inputRequests[SAMPLING].params).toEqual({ message: "[redacted]" });
    expect(findCanary(JSON.stringify([asked, json]))).toEqual([]);
  });

  it("[G8] [G12] gets roots from the gateway where it may have them, and from no client", async () => {
    await using folder = createTempFolder();
    await using gateway = await startGateway({
      mcp: { allowed_cwd_roots: [folder.path] },
      mcp_servers: { modern: inManner("refuse", { isolation: "session", roots: "session" }) },
    });
    const args = { methods: ["roots/list", SAMPLING], region: "r" };
    const told = { roots: [{ uri: pathToFileURL(realpathSync(folder.path)).href }] };
    const client = await gateway.connect({}, { cwd: folder.path, onSample: () => {} });
    const heard = JSON.parse(textOf(await client.callTool({ name: "ask", arguments: args })) ?? "");
    expect(heard.inputResponses).toMatchObject({ "roots/list": told, [SAMPLING]: {} });

    const path = `/mcp?cwd=${encodeURIComponent(folder.path)}`;
    const ask = async (more: object) => {
      const params = { name: "ask", arguments: args, ...more, _meta: able({ sampling: {} }) };
      const call = modern(1, "tools/call", params);
      const headers = { ...call.headers, "mcp-param-region": "r" };
      return (await send(gateway.url, { ...call, path, headers })).json as Any;
    };
    const first = await ask({});
    expect(Object.keys(first.result.inputRequests)).toEqual([SAMPLING]);
    const inputResponses = { [SAMPLING]: { role: "assistant" } };
    const second = await ask({ inputResponses, requestState: first.result.requestState });
    expect(JSON.parse(textOf(second.result) ?? "").inputResponses).toEqual({
      ...inputResponses,
      "roots/list": told,
    });
    for (const bad of [
      { inputResponses: { any: { roots: [{ uri: "file:///" }] } } },
      { inputresponses: {} },
      { inputResponses: [] },
    ])
      expect((await ask(bad)).error.code).toBe(-32602);
  });

  it("[G15] takes a call back from the client that it asks, and from the server, when it is cancelled", async () => {
    await using gateway = await startGateway({ mcp_servers: { modern: inManner("refuse") } });
    const opened = await send(gateway.url, {
      body: rpc(0, "initialize", {
        protocolVersion: "2025-06-18",
        capabilities: { sampling: {} },
        clientInfo: { name: "raw", version: "1" },
      }),
    });
    const headers = { "mcp-session-id": String(opened.headers["mcp-session-id"]) };
    const params = { name: "ask", arguments: { methods: [SAMPLING] } };
    using call = await openStream(gateway.url, { headers, body: rpc(1, "tools/call", params) });
    await vi.waitFor(() => expect(call.data()).toHaveLength(1));
    const question = JSON.parse(call.data()[0] ?? "");
    expect(question).toMatchObject({ method: SAMPLING, params: { message: "?" } });
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
    await send(gateway.url, { headers, body: cancel });
    await call.ended;
    expect(call.data()).toHaveLength(2);
    expect(JSON.parse(call.data()[1] ?? "")).toMatchObject({
      method: "notifications/cancelled",
      params: { requestId: question.id },
    });
  });
});

describe.concurrent("a client that is asked for two things and refuses one", () => {
  it("[G15] is not kept busy with the other", async () => {
    await using gateway = await startGateway({ mcp_servers: { modern: inManner("refuse") } });
    const opened = await send(gateway.url, {
      body: rpc(0, "initialize", {
        protocolVersion: "2025-06-18",
        capabilities: { sampling: {}, elicitation: {} },
        clientInfo: { name: "raw", version: "1" },
      }),
    });
    const headers = { "mcp-session-id": String(opened.headers["mcp-session-id"]) };
    const params = { name: "ask", arguments: { methods: [SAMPLING, ELICITATION] } };
    using call = await openStream(gateway.url, { headers, body: rpc(1, "tools/call", params) });
    await vi.waitFor(() => expect(call.data()).toHaveLength(2));
    const [first, second] = call.data().map((data) => JSON.parse(data));
    const refusal = { jsonrpc: "2.0", id: first.id, error: { code: -1, message: "no" } };
    await send(gateway.url, { headers, body: refusal });
    await call.ended;
    expect(
      call
        .data()
        .slice(2)
        .map((data) => JSON.parse(data)),
    ).toMatchObject([
      { method: "notifications/cancelled", params: { requestId: second.id } },
      { id: 1, error: { message: expect.stringContaining("asks for sampling") } },
    ]);
  });
});

describe.concurrent("log messages of a server of revision 2026-07-28", () => {
  it("[G16] come from the level that a modern request names and not without one, and that a session has set", async () => {
    await using gateway = await startGateway({ mcp_servers: { modern: inManner("refuse") } });
    const logged = (events: readonly unknown[]) =>
      (events as Any[]).flatMap(({ params }) => params?.data ?? []);
    const ask = async (meta: object) => {
      const call = modern(1, "tools/call", { name: "log", _meta: meta });
      return logged((await send(gateway.url, call)).events);
    };
    expect(await ask({ "io.modelcontextprotocol/logLevel": "warning" })).toEqual(["warning"]);
    expect(await ask({})).toEqual([]);
    const headers = await openSession(gateway.url);
    const call = { headers, body: rpc(1, "tools/call", { name: "log" }) };
    expect(logged((await send(gateway.url, call)).events)).toEqual(["info"]);
    await send(gateway.url, { headers, body: rpc(2, "logging/setLevel", { level: "error" }) });
    expect(logged((await send(gateway.url, call)).events)).toEqual(["error"]);
  });
});

describe.concurrent("a server with sessions", () => {
  it("[G12] [G16] asks a modern client by the answer to its call, which goes on when the client comes back", async () => {
    await using folder = createTempFolder();
    const file = join(folder.path, "env");
    writeFileSync(file, `CANARY=${CANARY}\n`, { mode: 0o600 });
    await using gateway = await startGateway({
      mcp_servers: {
        full: script(full, ["sample", "elicit", "sample_in_vain"], { env_files: [file] }),
      },
    });
    const ask = async (id: number, name: string, more: object = {}, capability = "sampling") => {
      const _meta = able({ [capability]: {} });
      const call = modern(id, "tools/call", { name, ...more, _meta });
      return (await send(gateway.url, call)).json as Any;
    };
    const first = await ask(1, "sample");
    const { requestState } = first.result;
    expect(first).toMatchObject({
      id: 1,
      result: {
        resultType: "input_required",
        inputRequests: { 1: { method: SAMPLING, params: { prompt: "[redacted]" } } },
      },
    });
    const said = { role: "assistant", content: { type: "text", text: "12345678901234567890" } };
    const inputResponses = { 1: said };
    // The call of one tool is not another's.
    expect((await ask(2, "elicit", { requestState, inputResponses })).error.code).toBe(-32602);
    // Without the answer it is asked again.
    const again = await ask(3, "sample", { requestState });
    expect(again).toMatchObject({ id: 3, result: { inputRequests: { 1: {} } } });
    const back = { requestState: again.result.requestState, inputResponses };
    const done = await ask(4, "sample", back);
    expect([done.id, done.result.resultType]).toEqual([4, "complete"]);
    expect(JSON.parse(textOf(done.result) ?? "")).toEqual(said);
    expect((await ask(5, "sample", back)).error.message).toContain("is over");

    // What is not declared, and what is taken back, nobody is kept waiting for.
    const declined = await ask(6, "elicit");
    expect(textOf(declined.result)).toContain("does not serve elicitation/create");
    const vain = await ask(7, "sample_in_vain");
    const { requestState: state } = vain.result;
    const after = await ask(8, "sample_in_vain", { requestState: state });
    expect(textOf(after.result)).toBe("done without");
    expect(await (await send(gateway.url, { path: "/status" })).json).toMatchObject({
      in_flight: 0,
    });
  });

  it("[G14] has the time that a call may take in all while its client is asked, whatever its timeout", async () => {
    await using gateway = await startGateway({
      mcp_servers: { full: script(full, ["sample"], { timeout: "400ms" }) },
    });
    // The process runs before anything is timed.
    const client = await gateway.connect({}, { onSample: () => after(1_000) });
    await client.listTools();
    const asked = await client.callTool({ name: "sample", arguments: {} });
    expect(textOf(asked)).toContain("the client's words");
    const ask = async (id: number, more: object) => {
      const params = { name: "sample", ...more, _meta: able({ sampling: {} }) };
      return (await send(gateway.url, modern(id, "tools/call", params))).json as Any;
    };
    const { requestState } = (await ask(1, {})).result;
    await after(1_000);
    const done = await ask(2, { requestState, inputResponses: { 1: { role: "assistant" } } });
    expect(textOf(done.result)).toBe('{"role":"assistant"}');
  });

  it("[G12] has the user of the SDK's client asked in either era", async () => {
    await using gateway = await startGateway({
      mcp_servers: { full: script(full, ["elicit"], { env: { CANARY: "Really" } }) },
    });
    const { href } = new URL("/mcp", gateway.url);
    const asked = await run(process.execPath, [v2Asked, href, "elicit", "auto", "legacy"]);
    const accepted = '{"action":"accept","content":{"yes":true}}';
    expect([asked.stderr, JSON.parse(asked.stdout)]).toEqual([
      "",
      [
        ["2026-07-28", accepted],
        ["2025-11-25", accepted],
      ],
    ]);
  });

  it("[G12] gets nothing of a modern client's envelope, and its progress token under its own", async () => {
    await using gateway = await startGateway({
      mcp_servers: { lively: script(lively, ["steps"]) },
    });
    const call = modern(1, "tools/call", { name: "steps", _meta: { progressToken: "mine" } });
    const { events } = await send(gateway.url, call);
    expect(events).toMatchObject([
      { params: { progressToken: "mine", progress: 1 } },
      { params: { progress: 2 } },
      { params: { progress: 3 } },
      { id: 1, result: { resultType: "complete", content: [{ text: "token number" }] } },
    ]);
  });
});
