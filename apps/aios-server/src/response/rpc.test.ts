import { LEGACY_VERSIONS, META_KEYS } from "@core/wire";
import {
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/sdk/types.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AiosError } from "../errors.ts";
import { createConversation } from "./conversation.ts";
import type { Identity } from "./rpc.ts";

const failures: unknown[] = [];
const identity: Identity = {
  serverInfo: { name: "sample", title: "Sample", version: "1.0.0" },
  instructions: "Call echo.",
  tools: [
    {
      name: "echo",
      title: "Echo",
      description: "Says it again.",
      inputSchema: { type: "object" },
      call: (given) => {
        if (given.fail === "input") throw new AiosError("SELECTOR_UNKNOWN");
        if (given.fail === "bug") throw new TypeError("secret detail at /home/ines");
        return JSON.stringify({ given });
      },
    },
  ],
  onFailure: (thrown) => void failures.push(thrown),
};

/** The one answer to a line, undefined where there is none. */
const answerTo = async (line: string | Buffer) => {
  const answers: string[] = [];
  const conversation = createConversation(identity, (answer) => answers.push(answer));
  conversation.receive(Buffer.from(line));
  await conversation.idle();
  const [answer] = answers;
  if (answer === undefined) return undefined;
  expect(answers).toHaveLength(1);
  expect(answer.indexOf("\n")).toBe(answer.length - 1);
  return JSON.parse(answer);
};
const request = (method: string, params?: object) =>
  answerTo(JSON.stringify({ jsonrpc: "2.0", id: 1, method, ...(params && { params }) }));
const call = (params: object) => request("tools/call", params);
const resultOf = async (params: object) => (await call(params)).result;
const modern = {
  [META_KEYS.protocolVersion]: "2026-07-28",
  [META_KEYS.clientCapabilities]: {},
};

describe("a conversation", () => {
  it.each([
    ["null", -32600],
    ["[]", -32600],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
    ["7", -32600],
    ['"text"', -32600],
    ["true", -32600],
    ["{}", -32600],
    ["{", -32700],
    ["not json", -32700],
    [Buffer.from([0x22, 0xff, 0x22]), -32700],
    ["[".repeat(100_000), -32700],
  ])("[S15] answers %s with a JSON-RPC error", async (line, code) => {
    expect(await answerTo(line)).toMatchObject({ jsonrpc: "2.0", id: null, error: { code } });
  });

  it("answers what is wrong with a request under the request's own id", async () => {
    expect(await answerTo('{"id":"7","method":"ping"}')).toMatchObject({
      id: "7",
      error: { code: -32600 },
    });
    expect(await answerTo('{"jsonrpc":"2.0","id":0,"method":"ping"}')).toEqual({
      jsonrpc: "2.0",
      id: 0,
      result: {},
    });
  });

  it.each([
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","method":"notifications/unheard/of"}',
    '{"jsonrpc":"2.0","id":1,"result":{}}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}',
  ])("says nothing to %s", async (line) => {
    expect(await answerTo(line)).toBeUndefined();
  });

  it("[S15] answers any bytes at all, or says nothing, but never throws", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        await answerTo(Buffer.from(bytes));
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.json(), async (text) => {
        await answerTo(text);
      }),
    );
  });

  it("[S3] refuses an unknown method and an unknown tool without repeating them", async () => {
    const name = "n".repeat(100_000);
    const answers = await Promise.all([
      request(name),
      call({ name }),
      call({}),
      call({ name: 7 }),
      request("tools/call"),
    ]);
    expect(answers.map(({ error }) => error.code)).toEqual([
      -32601, -32602, -32602, -32602, -32602,
    ]);
    for (const answer of answers) expect(JSON.stringify(answer).length).toBeLessThan(512);
  });

  it.each([null, [], "text", 7, true])(
    "[S3] refuses arguments that are no object: %j",
    async (given) => {
      expect(await call({ name: "echo", arguments: given })).toMatchObject({
        error: { code: -32602 },
      });
    },
  );

  it("[S20] answers a call with JSON text alone", async () => {
    const text = '{"given":{}}';
    expect(await resultOf({ name: "echo" })).toEqual({
      content: [{ type: "text", text }],
      isError: false,
    });
  });

  it("[S3] tells a failed call as a result, with code and sentence and nothing of the cause", async () => {
    expect(await resultOf({ name: "echo", arguments: { fail: "input" } })).toEqual({
      content: [
        {
          type: "text",
          text: 'SELECTOR_UNKNOWN: "project" names no project here; allowed are a project\'s folder name, id or alias',
        },
      ],
      isError: true,
    });
    expect(await resultOf({ name: "echo", arguments: { fail: "bug" } })).toEqual({
      content: [
        {
          type: "text",
          text: "INTERNAL: The call failed because of a fault in this server; nothing was changed",
        },
      ],
      isError: true,
    });
    expect(failures.at(-1)).toBeInstanceOf(TypeError);
  });
});

describe("the legacy era", () => {
  it("[S20] speaks every revision that the SDK does, and offers the newest for any other", async () => {
    expect(LEGACY_VERSIONS).toEqual(SUPPORTED_PROTOCOL_VERSIONS);
    const negotiated = async (protocolVersion: unknown) =>
      (await request("initialize", { protocolVersion })).result.protocolVersion;
    for (const version of SUPPORTED_PROTOCOL_VERSIONS)
      expect(await negotiated(version)).toBe(version);
    for (const other of ["2099-01-01", "", 7, undefined])
      expect(await negotiated(other)).toBe(LATEST_PROTOCOL_VERSION);
  });

  it("[S20] annotates its tools as read-only and offers no output schema", async () => {
    expect((await request("tools/list")).result).toEqual({
      tools: [
        {
          name: "echo",
          title: "Echo",
          description: "Says it again.",
          inputSchema: { type: "object" },
          annotations: {
            title: "Echo",
            readOnlyHint: true,
            idempotentHint: true,
            openWorldHint: false,
          },
        },
      ],
    });
  });
});

describe("the modern era", () => {
  it("[S20] discovers revision 2026-07-28", async () => {
    expect((await request("server/discover", { _meta: modern })).result).toMatchObject({
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {} },
      instructions: "Call echo.",
      _meta: { [META_KEYS.serverInfo]: identity.serverInfo },
    });
  });

  it("[S20] completes results and has neither initialize nor ping", async () => {
    expect((await request("tools/list", { _meta: modern })).result).toMatchObject({
      resultType: "complete",
      ttlMs: 0,
      cacheScope: "private",
      tools: [{ name: "echo" }],
    });
    expect(await resultOf({ _meta: modern, name: "echo" })).toMatchObject({
      resultType: "complete",
      isError: false,
    });
    for (const method of ["initialize", "ping"])
      expect(await request(method, { _meta: modern })).toMatchObject({ error: { code: -32601 } });
  });

  it("[S20] refuses an unknown revision with those that it has, and a broken envelope", async () => {
    const future = { ...modern, [META_KEYS.protocolVersion]: "2099-01-01" };
    expect(await request("tools/list", { _meta: future })).toMatchObject({
      error: { code: -32022, data: { supported: ["2026-07-28"], requested: "2099-01-01" } },
    });
    const broken = { [META_KEYS.protocolVersion]: "2026-07-28" };
    expect(await request("tools/list", { _meta: broken })).toMatchObject({
      error: { code: -32602 },
    });
  });
});
