import { connect } from "node:net";
import fc from "fast-check";
import {
  anyId,
  anyMessage,
  createSubject,
  type Door,
  damaged,
  fuzzBatches,
  fuzzRuns,
  modern,
  oddValue,
  openSession,
  send,
} from "test-fixtures";
import { afterAll, describe, expect, it } from "vitest";
import { fixture, startGateway } from "./gateway-process.ts";

/** Stands in a header for the id of a session that is open while the batch is sent. */
const SESSION = "{session}";

const path = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("/mcp", "/sse", `/messages?sessionId=${SESSION}`) },
  fc.constantFrom("/healthz", "/readyz", "/status", "/metrics", "/.well-known/x", "/", "//mcp"),
  fc.constantFrom(
    "/mcp?cwd=/tmp",
    "/mcp?cwd=",
    "/mcp?cwd=..%2f",
    "/mcp?cwd=%00",
    "/mcp?cwd=/tmp&cwd=/",
  ),
  fc.constantFrom(
    "*",
    "http://127.0.0.1/mcp",
    "http://evil.example/mcp",
    "/mcp/../status",
    "/%6dcp",
  ),
  fc.constantFrom(
    "/messages",
    "/messages?sessionId=",
    "/mcp?%",
    "/mcp#x",
    "/MCP",
    "/mcp;a",
    "/mcp?a=%zz",
  ),
  fc.webPath(),
);
const httpMethod = fc.oneof(
  { weight: 8, arbitrary: fc.constant("POST") },
  { weight: 2, arbitrary: fc.constantFrom("GET", "DELETE") },
  fc.constantFrom("HEAD", "OPTIONS", "PUT", "PATCH", "TRACE", "PROPFIND"),
);
const header: fc.Arbitrary<readonly [string, string]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(["mcp-session-id", SESSION] as const) },
  fc.tuple(
    fc.constantFrom("accept", "Accept"),
    fc.constantFrom(
      "*/*",
      "text/event-stream",
      "application/json",
      "text/html",
      "",
      "*/*;q=0",
      ";;,",
    ),
  ),
  fc.tuple(
    fc.constantFrom("content-type"),
    fc.constantFrom("text/plain", "application/json; charset=utf-16", "", "application/json;", ","),
  ),
  fc.tuple(
    fc.constantFrom(
      "mcp-protocol-version",
      "mcp-method",
      "mcp-name",
      "mcp-param-a",
      "last-event-id",
    ),
    fc.constantFrom(
      "2025-06-18",
      "2026-07-28",
      "1999-01-01",
      "tools/call",
      "echo",
      "=?base64?ZQ==?=",
      "%",
    ),
  ),
  fc.tuple(
    fc.constantFrom(
      "origin",
      "host",
      "authorization",
      "content-encoding",
      "transfer-encoding",
      "te",
    ),
    fc.constantFrom(
      "null",
      "http://evil.example",
      "127.0.0.1",
      "Bearer x",
      "gzip",
      "identity",
      "a@b:0",
    ),
  ),
  fc.tuple(
    fc.stringMatching(/^[\w!#$%&'*+.^`|~-]{1,12}$/),
    fc.stringMatching(/^[\t\x20-\x7e\x80-\xff]{0,16}$/),
  ),
);

const tool = fc.oneof(fc.constantFrom<unknown>("echo", "add", "fail", "environment"), oddValue);
const args = fc.oneof(
  fc.record({ text: fc.string({ unit: "binary", maxLength: 9 }) }),
  fc.record({ a: oddValue, b: oddValue }),
  oddValue,
);
const params = fc.oneof(
  fc.record({ name: tool, arguments: args, _meta: oddValue }, { requiredKeys: ["name"] }),
  fc.record({ requestId: anyId, progressToken: anyId, uri: oddValue, level: oddValue }),
  fc.record({ protocolVersion: oddValue, capabilities: oddValue, clientInfo: oddValue }),
  oddValue,
);
const rpcMethod = fc.oneof(
  { weight: 3, arbitrary: fc.constant<unknown>("tools/call") },
  fc.constantFrom<unknown>("initialize", "ping", "tools/list", "server/discover", "resources/read"),
  fc.constantFrom<unknown>("notifications/cancelled", "prompts/get", "completion/complete"),
  fc.constantFrom<unknown>("logging/setLevel", "resources/subscribe", "notifications/progress"),
  oddValue,
);
const legacy = fc.record(
  { jsonrpc: fc.constant("2.0"), id: anyId, method: rpcMethod, params, result: oddValue },
  { requiredKeys: ["jsonrpc"] },
);
const enveloped = fc
  .tuple(anyId, fc.constantFrom("tools/call", "tools/list", "server/discover", "x"), tool, args)
  .map(([id, method, name, given]) => modern(id, method, { name, arguments: given }).body);
const body = fc.oneof(
  { weight: 3, arbitrary: anyMessage(legacy) },
  { weight: 1, arbitrary: anyMessage(enveloped) },
  {
    weight: 1,
    arbitrary: fc.array(legacy, { maxLength: 3 }).map((all) => Buffer.from(JSON.stringify(all))),
  },
  { weight: 1, arbitrary: fc.constant(Buffer.alloc(0)) },
);

/** A body, and the headers that have to go with it. */
const parcel = fc.oneof(
  { weight: 4, arbitrary: body.map((content) => ({ content, own: {} })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        anyId,
        fc.constantFrom(
          "tools/call",
          "tools/list",
          "server/discover",
          "ping",
          "subscriptions/listen",
        ),
        fc.constantFrom("echo", "add", "fail", "environment"),
        fc.record({ arguments: args, _meta: fc.dictionary(fc.string(), oddValue, { maxKeys: 2 }) }),
      )
      .map(([id, method, name, rest]) => {
        const { body: message, headers } = modern(id, method, { name, ...rest });
        return { content: Buffer.from(JSON.stringify(message)), own: headers };
      }),
  },
);

/** A request whose end its receiver can tell. */
const whole = fc
  .tuple(httpMethod, path, fc.array(header, { maxLength: 4 }), parcel)
  .map(([method, target, others, { content, own }]) => {
    const headers = [...Object.entries(own), ...others];
    const head = [
      `${method} ${target} HTTP/1.1`,
      ...(headers.some(([name]) => name === "host") ? [] : ["host: localhost"]),
      ...(headers.some(([name]) => name === "content-type")
        ? []
        : ["content-type: application/json"]),
      ...headers
        .filter(
          ([name]) =>
            !/^(?:connection|content-length|transfer-encoding|expect|upgrade)$/i.test(name),
        )
        .map(([name, value]) => `${name}: ${value}`),
      "connection: close",
      ...(content.length > 0 ? [`content-length: ${content.length}`] : []),
    ].join("\r\n");
    return {
      isWhole: true,
      bytes: Buffer.concat([Buffer.from(`${head}\r\n\r\n`, "latin1"), content]),
    };
  });

/** A request that is broken in its head, its framing or anywhere else, and ends where the client goes away. */
const broken = fc
  .oneof(
    damaged(whole.map(({ bytes }) => bytes.toString("latin1"))),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    fc
      .tuple(
        fc.constantFrom(
          "POST /mcp",
          "GET /mcp",
          "post /mcp",
          " /mcp",
          "POST",
          "CONNECT a:1",
          "GET http://[",
        ),
        fc.constantFrom(
          "HTTP/1.1",
          "HTTP/1.0",
          "HTTP/2.0",
          "HTTP/1.1\r\nhost: x\r\nhost: y",
          "",
          "HTCPCP/1",
        ),
        fc.constantFrom(
          "content-length: 5",
          "content-length: -1",
          "content-length: 9e9",
          "content-length: 1,1",
        ),
        fc.constantFrom(
          "transfer-encoding: chunked",
          "transfer-encoding: gzip, chunked",
          "expect: 100-continue",
          "upgrade: websocket\r\nconnection: upgrade",
          "x",
        ),
        fc.constantFrom(
          "5\r\nhello\r\n0\r\n\r\n",
          "-1\r\n",
          "ffffffffffffffff\r\n",
          "0\r\nx: y\r\n\r\n",
          "{}",
          "",
        ),
      )
      .map(([line, version, length, coding, rest]) =>
        Buffer.from(
          `${line} ${version}\r\nhost: localhost\r\n${length}\r\n${coding}\r\n\r\n${rest}`,
        ),
      ),
  )
  .map((bytes) => ({ isWhole: false, bytes }));

const input = fc.record({
  request: fc.oneof({ weight: 3, arbitrary: whole }, { weight: 1, arbitrary: broken }),
  overSocket: fc.boolean(),
});

/** Sends bytes over a connection of their own. Gives what came until the gateway closed it, of a stream only the head. */
function exchange(door: Door, bytes: Buffer, isWhole: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const to =
      typeof door === "string" ? { path: door } : { host: door.hostname, port: Number(door.port) };
    const socket = connect(to);
    let text = "";
    const late = setTimeout(() => {
      socket.destroy();
      reject(new Error(`No end within 20 s. So far: ${text}`));
    }, 20_000);
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      const head = text.split("\r\n\r\n", 1)[0] ?? "";
      if (head.length < text.length && /^content-type: text\/event-stream/im.test(head))
        socket.destroy();
    });
    // A connection that is cut is one way to refuse.
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(late);
      resolve(text);
    });
    if (isWhole) socket.write(bytes);
    else socket.end(bytes);
  });
}

const subject = createSubject(() =>
  startGateway({
    server: { transport: ["sse", "unix"] },
    mcp_servers: { echo: fixture("echo", ["echo", "add", "fail"]) },
  }),
);
afterAll(() => subject[Symbol.asyncDispose]());

describe("bytes of any kind over HTTP", () => {
  it("[G4] [P3] are answered or cut off, never with a fault of the gateway, which lives on", async () => {
    const connections = 16;
    await fuzzBatches(input, { inputs: fuzzRuns(400), size: 400 }, (inputs) =>
      subject.use(async (gateway) => {
        const { "mcp-session-id": id = "" } = await openSession(gateway.url);
        const queue = inputs.values();
        const faults: string[] = [];
        const work = async () => {
          for (const { request, overSocket } of queue) {
            const text = request.bytes.toString("latin1").replaceAll(SESSION, id);
            const door = overSocket ? gateway.socket : gateway.url;
            const answer = await exchange(door, Buffer.from(text, "latin1"), request.isWhole);
            const isSound =
              /^HTTP\/1\.1 [1-4]\d\d /.test(answer) || (answer === "" && !request.isWhole);
            if (!isSound) faults.push(`${text}\n\n${answer}`);
          }
        };
        await Promise.all(Array.from({ length: connections }, work));
        expect(faults).toEqual([]);
        expect((await send(gateway.url, { path: "/healthz" })).status).toBe(200);
        expect(gateway.printed()).not.toMatch(/ error |^\s+at /m);
      }),
    );
  });
});
