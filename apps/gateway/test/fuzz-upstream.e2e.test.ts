import { JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import {
  anyOrder,
  callsWith,
  createSubject,
  fuzzBatches,
  fuzzRuns,
  openSession,
  rpc,
  send,
} from "test-fixtures";
import { afterAll, describe, expect, it } from "vitest";
import { fixture, startGateway } from "./gateway-process.ts";

const subject = createSubject(() =>
  startGateway({
    mcp: { max_message: "100KiB", max_output: { bytes: "4KiB", lines: 50 } },
    mcp_servers: {
      hostile: fixture("hostile", ["spew", "define", "still", "a"], {
        timeout: "3s",
        allow: [
          ...["spew", "define", "still", "a"].map((tool) => ({ tool })),
          { resource: "*" },
          { prompt: "*" },
        ],
      }),
    },
  }),
);
afterAll(() => subject[Symbol.asyncDispose]());

/** Whether the v1 SDK takes the message; whatever it does not take, its caller waits for in vain. */
function isStrict(message: unknown): boolean {
  const { result } = message as { result?: unknown };
  const isObject = typeof result === "object" && result !== null && !Array.isArray(result);
  const bare = isObject ? { ...(message as object), result: {} } : message;
  return JSONRPCMessageSchema.safeParse(bare).success;
}

describe("a server that says anything", () => {
  it.each([
    ['{"jsonrpc":"2u.0","id":{id},"result":{"x":1}}', { result: { x: 1 } }],
    ['{"id":{id},"result":{"x":1},"error":null,"more":1}', { result: { x: 1 } }],
    ['{"jsonrpc":"2.0","id":{id},"result":1.5}', { error: { code: -32000 } }],
    ['{"jsonrpc":"2.0","id":{id},"result":[]}', { error: { code: -32000 } }],
    ['{"jsonrpc":"2.0","id":{id},"error":false}', { error: { code: -32000 } }],
    ['{"jsonrpc":"2.0","id":{id},"error":{"code":1.5,"message":"x"}}', { error: { code: -32000 } }],
    ['{"jsonrpc":"2.0","id":{id},"error":{"code":1,"message":null}}', { error: { code: -32000 } }],
    ['{"jsonrpc":"2.0","id":{id},"error":{"code":1,"message":""}}', { error: { code: 1 } }],
  ])("[G11] has its answer %s handed on so that a strict client takes it", async (line, answer) => {
    await subject.use(async ({ url }) => {
      const headers = await openSession(url);
      const lines = [Buffer.from(line).toString("base64")];
      const body = rpc(7, "tools/call", { name: "spew", arguments: { lines } });
      const { json } = await send(url, { headers, body });
      expect(json).toMatchObject({ jsonrpc: "2.0", id: 7, ...answer });
      expect(isStrict(json)).toBe(true);
    });
  });

  it("[G11] [P3] spoils no more than its own answers: each call ends, and the gateway and the server live on", async () => {
    await fuzzBatches(anyOrder, { inputs: fuzzRuns(500), size: 1000 }, (orders) =>
      subject.use(async (gateway) => {
        const headers = await openSession(gateway.url);
        const ask = async (method: string, params: object) => {
          const answer = await send(gateway.url, { headers, body: rpc(7, method, params) });
          const isStream = answer.headers["content-type"] === "text/event-stream";
          return { status: answer.status, messages: isStream ? answer.events : [answer.json] };
        };
        const call = (name: string, args: object) => ask("tools/call", { name, arguments: args });
        // A message without an end and an id fails the call that waits, which may be the one after it.
        const pid = async () => {
          const first = (await call("still", {})).messages.at(-1);
          return "error" in (first as object) ? (await call("still", {})).messages.at(-1) : first;
        };
        const before = await pid();
        const queue = callsWith(orders).values();
        const work = async () => {
          for (const { tool, args } of queue) {
            const { status, messages } = await call(tool, args);
            expect([status, messages.at(-1)]).toMatchObject([200, { id: 7 }]);
            expect(isStrict(messages.at(-1))).toBe(true);
          }
        };
        await Promise.all(Array.from({ length: 4 }, work));
        expect(await pid()).toEqual(before);
        for (const kind of ["tools", "resources", "prompts"])
          expect((await ask(`${kind}/list`, {})).messages).toMatchObject([
            { result: { [kind]: {} } },
          ]);
        const { messages } = await ask("tools/list", {});
        expect(JSON.stringify(messages)).toContain('{"name":"still","inputSchema"');
        expect(gateway.printed()).not.toMatch(/ error |^\s+at /m);
      }),
    );
  });
});
