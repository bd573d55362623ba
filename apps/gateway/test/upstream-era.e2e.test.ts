import { fileURLToPath } from "node:url";
import { modern, openSession, openStream, rpc, send } from "test-fixtures";
import { describe, expect, it, vi } from "vitest";
import { script, startGateway, textOf } from "./gateway-process.ts";

const server = fileURLToPath(new URL("servers/modern.mjs", import.meta.url));
const v2 = fileURLToPath(new URL("servers/v2.mjs", import.meta.url));
const lively = fileURLToPath(new URL("servers/lively.mjs", import.meta.url));
const TOOLS = ["envelope", "wait", "ask", "grow", "grown"];
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
    expect(names).toEqual(["envelope", "wait", "ask", "grow"]);
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

  it("[G12] [G4] tells of changed lists, has arguments repeated as headers, and asks no client with sessions for input", async () => {
    await using gateway = await startGateway({ mcp_servers: { modern: inManner("refuse") } });
    const list = await send(gateway.url, modern(1, "tools/list"));
    expect(list.json).toMatchObject({ result: { tools: [{}, {}, {}, {}] } });
    const call = modern(1, "tools/call", { name: "envelope", arguments: { region: "é" } });
    for (const [region, status] of [
      ["=?base64?w6k=?=", 200],
      ["e", 400],
    ] as const) {
      const headers = { ...call.headers, "mcp-param-region": region };
      expect((await send(gateway.url, { ...call, headers })).status).toBe(status);
    }
    const missing = await send(gateway.url, call);
    expect([missing.status, missing.json]).toMatchObject([400, { error: { code: -32020 } }]);
    const notifications = { toolsListChanged: true };
    using stream = await openStream(
      gateway.url,
      modern(2, "subscriptions/listen", { notifications }),
    );
    const headers = await openSession(gateway.url);
    await send(gateway.url, { headers, body: rpc(1, "tools/call", { name: "grow" }) });
    const changed = '"method":"notifications/tools/list_changed"';
    await vi.waitFor(() => expect(stream.text()).toContain(changed));
    const ask = { name: "ask", arguments: { method: "elicitation/create" } };
    const asked = await send(gateway.url, { headers, body: rpc(2, "tools/call", ask) });
    expect(asked.json).toMatchObject({
      error: { message: expect.stringContaining("asks for input") },
    });
  });

  it("[G12] [G16] asks a modern client by its answer for what the client declared, and gets what that says", async () => {
    await using gateway = await startGateway({ mcp_servers: { modern: inManner("refuse") } });
    const ask = (method: string | undefined, more: object = {}) => {
      const capabilities = { elicitation: { url: {} }, roots: {} };
      const _meta = { "io.modelcontextprotocol/clientCapabilities": capabilities };
      const params = { name: "ask", arguments: { method }, _meta, ...more };
      return send(gateway.url, modern(1, "tools/call", params));
    };
    expect((await ask("elicitation/create")).json).toMatchObject({
      result: {
        resultType: "input_required",
        inputRequests: { name: { method: "elicitation/create" } },
        requestState: "asked",
      },
    });
    const answered = { inputResponses: { name: { action: "decline" } }, requestState: "asked" };
    const { json } = await ask("elicitation/create", answered);
    expect(JSON.parse(textOf((json as { result: unknown }).result) ?? "")).toEqual(answered);
    for (const method of ["sampling/createMessage", "roots/list"])
      expect((await ask(method)).json).toMatchObject({
        error: { message: expect.stringContaining("has not declared") },
      });
    const refused = await ask(undefined);
    expect([refused.status, refused.json]).toMatchObject([400, { error: { code: -32021 } }]);
    const envelope = modern(2, "tools/call", {
      name: "envelope",
      _meta: { "io.modelcontextprotocol/clientCapabilities": { sampling: {}, roots: {} } },
    });
    const told = (await send(gateway.url, envelope)).json as { result: unknown };
    expect(JSON.parse(textOf(told.result) ?? "")).toMatchObject({
      "io.modelcontextprotocol/clientCapabilities": { sampling: {} },
    });
  });

  it("[G12] of the SDK serves clients of both eras too", async () => {
    await using gateway = await startGateway({ mcp_servers: { v2: script(v2, ["shout"]) } });
    const params = { name: "shout", arguments: { text: "hi" } };
    const client = await gateway.connect();
    expect(textOf(await client.callTool(params))).toBe("HI");
    const { json } = await send(gateway.url, modern(1, "tools/call", params));
    expect(json).toMatchObject({ result: { content: [{ text: "HI" }] } });
  });
});

describe.concurrent("a server with sessions", () => {
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
