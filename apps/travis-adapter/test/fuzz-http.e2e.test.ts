import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { anyMessage, createSubject, fuzzBatches, fuzzRuns, serverMessage } from "test-fixtures";
import { afterAll, describe, expect, it } from "vitest";
import { openSession } from "./session.ts";

/** What a server answers a call with; `{id}` stands for the call's id. */
interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly parts: readonly Buffer[];
  readonly ends: boolean;
}

const json = anyMessage(serverMessage);
const field = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom("data: ", "data:", "event: ", "retry: ", ": ") },
  { weight: 3, arbitrary: fc.constantFrom("data", "\ufeffdata: ", "DATA: ", "id", " data: ") },
);
const lineEnd = fc.constantFrom("\n", "\r", "\r\n", "\n\n", "\r\n\r\n", "\n\r");
const event = fc
  .tuple(field, json, lineEnd)
  .map(([name, bytes, end]) => Buffer.concat([Buffer.from(name), bytes, Buffer.from(end)]));
/** An event with an id makes a client wait for the stream to be taken up again, which takes its time. */
const numbered = json.map((bytes) => [Buffer.from("id: 1\ndata: "), bytes, Buffer.from("\n\n")]);
const stream = fc.oneof(
  { weight: 500, arbitrary: fc.array(event, { maxLength: 4 }) },
  { weight: 1, arbitrary: numbered },
);
const body = fc.oneof(
  { weight: 2, arbitrary: stream },
  fc.array(json, { maxLength: 1 }),
  fc.array(
    fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)),
    { maxLength: 3 },
  ),
);
const reply: fc.Arbitrary<Reply> = fc.record({
  status: fc.oneof(
    { weight: 6, arbitrary: fc.constant(200) },
    fc.constantFrom(201, 202, 204, 206, 301, 307, 400, 401, 403, 404, 405, 410, 418, 429, 500, 503),
  ),
  headers: fc.oneof(
    { weight: 4, arbitrary: fc.constant({ "content-type": "text/event-stream" }) },
    { weight: 2, arbitrary: fc.constant({ "content-type": "application/json" }) },
    fc.constantFrom<Record<string, string>>(
      {},
      { "content-type": "text/html" },
      { "content-type": "application/json; charset=utf-16" },
      { "content-type": "text/event-stream", "content-encoding": "gzip" },
      { "content-type": "text/event-stream", "content-length": "3" },
      { location: "http://127.0.0.1:1/", "mcp-session-id": "other" },
      { "www-authenticate": 'Bearer resource_metadata="http://127.0.0.1:1/x"' },
    ),
  ),
  parts: body,
  ends: fc.boolean(),
});

const listed = ["spew", "still"].map((name) => ({ name, inputSchema: { type: "object" } }));

/** A server that is faultless but in its answers to `spew`, which are `replies[args.at]`. */
async function startHostile() {
  let replies: readonly Reply[] = [];
  const answers: Record<string, (params: { name?: string; protocolVersion?: string }) => object> = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "hostile", version: "1" },
    }),
    "tools/list": () => ({ tools: listed }),
    "tools/call": () => ({ content: [{ type: "text", text: "still" }] }),
  };
  const server = createServer(async (request, response) => {
    const asked = await readMessage(request);
    const { id, method, params } = asked ?? {};
    if (id === undefined)
      return void response.writeHead(request.method === "POST" ? 202 : 405).end();
    const spewed = method === "tools/call" && params.name === "spew";
    if (spewed) return spew(response, replies[params.arguments.at] as Reply, id);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method]?.(params) ?? {} }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const session = await openSession({ web: { url, requestTimeoutMs: 1500 } });
  return {
    ask: session.ask,
    answerWith(next: readonly Reply[]) {
      replies = next;
    },
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readMessage(request: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
}

function spew(
  response: ServerResponse,
  { status, headers, parts, ends }: Reply,
  id: unknown,
): void {
  response.on("error", () => {});
  response.writeHead(status, headers);
  for (const part of parts) {
    const text = part.toString("latin1").replaceAll('"{id}"', JSON.stringify(id));
    response.write(Buffer.from(text, "latin1"));
  }
  if (ends) response.end();
  else setImmediate(() => response.destroy());
}

const subject = createSubject(startHostile);
afterAll(() => subject[Symbol.asyncDispose]());

describe("an HTTP server that answers anything", () => {
  it("[A28] [P3] spoils no more than its own answers: each request ends, and the next is served", async () => {
    await fuzzBatches(reply, { inputs: fuzzRuns(200), size: 200 }, (replies) =>
      subject.use(async ({ ask, answerWith }) => {
        answerWith(replies);
        const queue = replies.keys();
        const work = async () => {
          for (const at of queue) {
            const answer = await ask({ server: "web", tool: "spew", args: { at } });
            expect(answer.content.length).toBeGreaterThan(0);
          }
        };
        await Promise.all(Array.from({ length: 8 }, work));
        // A lost session is taken up with the next request.
        await ask({ server: "web", tool: "still" });
        const still = await ask({ server: "web", tool: "still" });
        expect([still.isError, still.text]).toEqual([false, "still"]);
      }),
    );
  });
});
