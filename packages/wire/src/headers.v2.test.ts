import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { afterAll, describe, expect, it } from "vitest";
import { isModernRequest, MODERN_VERSION, withEnvelope } from "./era.ts";
import {
  checkParamHeaders,
  checkRequestHeaders,
  readParamHeaders,
  requestHeaders,
} from "./headers.ts";
import type { JsonObject } from "./message.ts";

const URL_OF_NOBODY = "http://127.0.0.1/mcp";
const schema = {
  type: "object" as const,
  properties: {
    region: { type: "string" as const, "x-mcp-header": "Region" },
    count: { type: "integer" as const, "x-mcp-header": "Count" },
  },
};
const TOOL = "weather";
const handler = createMcpHandler(
  () => {
    const server = new McpServer({ name: "v2", version: "1" }, { capabilities: { tools: {} } });
    server.registerTool(TOOL, { inputSchema: fromJsonSchema(schema) }, () => ({
      content: [{ type: "text", text: "sunny" }],
    }));
    return server;
  },
  { legacy: "reject" },
);
afterAll(() => handler.close());

const read = readParamHeaders(schema);
const mirrored = read.ok ? read.headers : [];
const envelope = { protocolVersion: MODERN_VERSION, clientCapabilities: {} };
const call = (name: string, args: JsonObject) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: withEnvelope({ name, arguments: args }, envelope),
});

async function post(message: object, headers: Record<string, string>) {
  const response = await handler.fetch(
    new Request(URL_OF_NOBODY, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: JSON.stringify(message),
    }),
  );
  const body = await response.text();
  return { status: response.status, body: JSON.parse(body.replace(/^(?:event: .*\n)?data: /, "")) };
}

describe("against the v2 SDK", () => {
  it("[W7] [W8] its server takes our headers, and refuses the ones that we refuse, with the same code", async () => {
    const message = call(TOOL, { region: "Köln", count: 3 });
    const good = requestHeaders(message, MODERN_VERSION, mirrored);
    expect(await post(message, good)).toMatchObject({
      status: 200,
      body: { result: { content: [{ text: "sunny" }] } },
    });
    for (const name of Object.keys(good)) {
      for (const value of [undefined, "else", "=?base64?x?="]) {
        const { [name]: _, ...others } = good;
        const headers = value === undefined ? others : { ...others, [name]: value };
        const lowerCase = Object.fromEntries(new Headers(headers));
        const ours = checkRequestHeaders(message, lowerCase);
        const refusal = ours.ok
          ? checkParamHeaders(mirrored, message.params.arguments, lowerCase)
          : ours;
        expect(await post(message, headers), `${name}: ${value}`).toMatchObject({
          status: refusal?.status,
          body: { error: { code: refusal?.error.code } },
        });
        expect(refusal?.error.code).toBe(-32020);
      }
    }
  });

  it("[W7] [W8] an unsupported version has the same answer", async () => {
    const params = withEnvelope({}, { ...envelope, protocolVersion: "2027-01-01" });
    const message = { jsonrpc: "2.0", id: 1, method: "tools/list", params };
    const headers = requestHeaders(message, "2027-01-01");
    const ours = checkRequestHeaders(message, Object.fromEntries(new Headers(headers)));
    const theirs = await post(message, headers);
    expect(ours).toMatchObject({ status: theirs.status, error: { code: theirs.body.error.code } });
    expect(theirs.body.error.data).toEqual({
      supported: [MODERN_VERSION],
      requested: "2027-01-01",
    });
    expect(ours).toMatchObject({ error: { data: theirs.body.error.data } });
  });

  it("[W7] [W8] all requests of its client pass our checks", async () => {
    const seen: string[] = [];
    const server = createServer(async (request, response) => {
      const message = JSON.parse(await text(request));
      seen.push(message.method);
      const { headers } = request;
      const mine = checkRequestHeaders(message, headers);
      const passed =
        isModernRequest(message, headers) &&
        mine.ok &&
        checkParamHeaders(mirrored, message.params.arguments, headers) === undefined;
      // What fails our checks gets no answer that the client could take.
      const { status, body } = passed
        ? await post(message, headers as Record<string, string>)
        : { status: 500, body: mine };
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const script = fileURLToPath(new URL("../test/clients/modern.mjs", import.meta.url));
    const args = JSON.stringify({ region: " Köln ", count: 42 });
    const { stdout } = await promisify(execFile)(process.execPath, [
      script,
      `http://127.0.0.1:${port}/mcp`,
      TOOL,
      args,
    ]).finally(() => server.close());
    expect(JSON.parse(stdout)).toMatchObject({ content: [{ text: "sunny" }] });
    expect(seen).toEqual(["server/discover", "tools/list", "tools/call"]);
  });
});
