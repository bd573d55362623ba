import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createTempFolder, officialServer, openSession, rpc, send } from "test-fixtures";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { fixture, script, startGateway, textOf } from "./gateway-process.ts";

const lively = fileURLToPath(new URL("servers/lively.mjs", import.meta.url));
const LIVELY = ["steps", "wait", "grow", "ask", "echo_id"];

describe("a client of the SDK", () => {
  it("[G10] sees and calls what is allowed under its prefix, and nothing else", async () => {
    await using gateway = await startGateway({
      mcp_servers: {
        echo: fixture("echo", ["echo", "add", "fail"], {
          name_prefix: "e",
          deny: [{ tool: "add" }],
        }),
      },
    });
    const client = await gateway.connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["e_echo", "e_fail"]);
    const call = (name: string) => client.callTool({ name, arguments: { text: "hello" } });
    expect(textOf(await call("e_echo"))).toBe("hello");
    expect(await call("e_fail")).toMatchObject({ isError: true });
    for (const hidden of ["e_add", "echo", "add", "e_environment", "e_missing"])
      await expect(call(hidden)).rejects.toThrow(`Unknown tool: ${hidden}`);
  });

  it("works with the official filesystem server in its working folder", async () => {
    await using sandbox = createTempFolder();
    writeFileSync(join(sandbox.path, "note.txt"), "from the sandbox\n");
    await using gateway = await startGateway({
      mcp_servers: {
        files: {
          command: process.execPath,
          args: [officialServer("@modelcontextprotocol/server-filesystem"), sandbox.path],
          working_dir: sandbox.path,
          allow: [{ tool: "read_text_file" }],
        },
      },
    });
    const client = await gateway.connect();
    const read = (path: string) => client.callTool({ name: "read_text_file", arguments: { path } });
    expect(textOf(await read("note.txt"))).toBe("from the sandbox\n");
    expect(await read("/etc/passwd")).toMatchObject({ isError: true });
  });

  it("[G11] keeps a list whole that holds odd tools, and a result that holds odd blocks", async () => {
    await using gateway = await startGateway({
      mcp_servers: { odd: fixture("odd-tools", ["plain", "anything", "extras"]) },
    });
    const client = await gateway.connect();
    const { tools } = await client.request({ method: "tools/list" }, z.looseObject({}));
    expect(tools).toMatchObject([
      { name: "plain" },
      { name: "anything", description: null, inputSchema: true },
      { name: "extras", "x-vendor": { kept: true }, annotations: { "x-cost": 3 } },
    ]);
    const params = { name: "extras", arguments: {} };
    const result = await client.request({ method: "tools/call", params }, z.looseObject({}));
    expect(result).toMatchObject({
      content: [{ type: "video" }, { "x-kept": 1 }],
      structuredContent: [1, 2, 3],
    });
  });

  it("[G15] gets the progress of its own call under its own token", async () => {
    await using gateway = await startGateway({ mcp_servers: { lively: script(lively, LIVELY) } });
    const client = await gateway.connect();
    const progress: unknown[] = [];
    const result = await client.callTool({ name: "steps", arguments: {} }, undefined, {
      onprogress: (note) => progress.push(note),
    });
    expect(progress).toMatchObject([{ progress: 1 }, { progress: 2 }, { progress: 3 }]);
    expect(textOf(result)).toBe("token number");
  });

  it("[G16] is told of a changed list exactly when the exposed tools have changed", async () => {
    await using gateway = await startGateway({
      mcp_servers: {
        seen: script(lively, [...LIVELY, "grown"], { name_prefix: "seen" }),
        unseen: script(lively, ["grow"], { name_prefix: "unseen" }),
      },
    });
    const client = await gateway.connect();
    const changed = new Promise<void>((resolve) => {
      client.setNotificationHandler(
        z.object({ method: z.literal("notifications/tools/list_changed") }),
        () => resolve(),
      );
    });
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names()).not.toContain("seen_grown");
    await client.callTool({ name: "unseen_grow", arguments: {} });
    await client.callTool({ name: "seen_grow", arguments: {} });
    await changed;
    expect(await names()).toContain("seen_grown");
  });
});

describe.concurrent("a relayed message", () => {
  it("[G11] passes schemas, results, big numbers, spaces and escapes as the bytes they came as", async () => {
    await using gateway = await startGateway({
      mcp_servers: {
        odd: fixture("odd-tools", ["extras"]),
        echo: fixture("echo", ["echo"]),
      },
    });
    const headers = await openSession(gateway.url);
    const list = await send(gateway.url, { headers, body: rpc(1, "tools/list") });
    expect(list.text).toContain('"$defs":{"big":{"const":9007199254740993}}');
    const body =
      '{ "params" : {"name":"echo","arguments":{"text":"\\u0041\\/é\\ud83d\\ude00"},"x":1}, "method":"tools/call","id":12345678901234567890,"jsonrpc":"2.0"}';
    const answer = await send(gateway.url, { headers, body });
    expect(answer.text).toContain('"id":12345678901234567890');
    expect(answer.json).toMatchObject({ result: { content: [{ text: "A/é😀" }] } });
  });

  it("[G11] is refused if a key that is decided by stands in it twice or in another case", async () => {
    await using gateway = await startGateway({ mcp_servers: { echo: fixture("echo", ["echo"]) } });
    const headers = await openSession(gateway.url);
    for (const params of [
      '{"name":"echo","name":"fail"}',
      '{"name":"echo","Name":"fail"}',
      '{"name":"echo","\\u006eame":"fail"}',
    ]) {
      const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
      const answer = await send(gateway.url, { headers, body });
      expect([answer.status, answer.json]).toMatchObject([400, { error: { code: -32600 } }]);
    }
  });

  it("[G15] keeps equal ids apart: of two sessions, of two types, and in flight on one session", async () => {
    await using gateway = await startGateway({ mcp_servers: { lively: script(lively, LIVELY) } });
    const sessions = [await openSession(gateway.url), await openSession(gateway.url)];
    const calls = sessions.flatMap((headers) =>
      [1, "1", 1].map(async (id, index) => {
        const mark = `${headers["mcp-session-id"]} ${typeof id} ${index}`;
        const params = { name: "echo_id", arguments: { mark, ms: 30 - 10 * index } };
        const answer = await send(gateway.url, { headers, body: rpc(id, "tools/call", params) });
        expect(answer.json).toMatchObject({ id, result: { content: [{ text: mark }] } });
      }),
    );
    await Promise.all(calls);
  });

  it("[G15] takes a cancellation to the server under the server's id, and to no other call", async () => {
    await using folder = createTempFolder();
    const log = join(folder.path, "log");
    await using gateway = await startGateway({
      mcp_servers: { lively: script(lively, LIVELY, { args: [lively, log] }) },
    });
    const headers = await openSession(gateway.url);
    const call = (id: unknown, params: object) =>
      send(gateway.url, { headers, body: rpc(id, "tools/call", params) });
    const cancelled = call("a", { name: "wait" });
    const other = call("b", { name: "echo_id", arguments: { mark: "unharmed", ms: 300 } });
    await vi.waitFor(() => expect(readFileSync(log, "utf8")).toBe("waiting\n"));
    const note = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "a" } };
    expect((await send(gateway.url, { headers, body: note })).status).toBe(202);
    expect((await cancelled).events).toEqual([]);
    expect((await other).json).toMatchObject({ result: { content: [{ text: "unharmed" }] } });
    expect(readFileSync(log, "utf8")).toBe("waiting\ncancelled a number\n");
  });

  it("[G16] declines a server's own request at once, since no client can answer it", async () => {
    await using gateway = await startGateway({ mcp_servers: { lively: script(lively, LIVELY) } });
    const client = await gateway.connect();
    const result = await client.callTool({ name: "ask", arguments: {} });
    expect(textOf(result)).toContain("does not serve sampling/createMessage");
  });
});
