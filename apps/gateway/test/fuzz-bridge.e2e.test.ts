import fc from "fast-check";
import {
  anyId,
  anyLine,
  createSubject,
  fuzzBatches,
  fuzzRuns,
  oddValue,
  startProcess,
} from "test-fixtures";
import { afterAll, describe, expect, it } from "vitest";
import { bin, fixture, startGateway } from "./gateway-process.ts";

const subject = createSubject(() =>
  startGateway({ mcp_servers: { echo: fixture("echo", ["echo", "add", "fail"]) } }),
);
afterAll(() => subject[Symbol.asyncDispose]());

const params = fc.oneof(
  fc.record({
    name: fc.oneof(fc.constantFrom<unknown>("echo", "add", "hidden"), oddValue),
    arguments: fc.oneof(fc.record({ text: fc.string({ unit: "binary", maxLength: 9 }) }), oddValue),
  }),
  fc.record({ requestId: anyId, progressToken: anyId, _meta: oddValue }, { requiredKeys: [] }),
  oddValue,
);
const message = fc.record(
  {
    jsonrpc: fc.constant("2.0"),
    id: anyId,
    method: fc.oneof(
      fc.constantFrom<unknown>("tools/call", "tools/list", "ping", "server/discover", "x"),
      fc.constantFrom<unknown>("notifications/cancelled", "notifications/progress"),
      oddValue,
    ),
    params,
    result: oddValue,
  },
  { requiredKeys: ["jsonrpc", "method"] },
);
const line = fc.oneof(
  { weight: 1, arbitrary: anyLine(message) },
  { weight: 2, arbitrary: message.map((value) => Buffer.from(JSON.stringify(value))) },
);

const rpc = (id: string, method: string, given: object = {}) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params: given })}\n`;
const START = rpc("start", "initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "fuzz", version: "1" },
});

describe("lines of any kind on the bridge's stdin", () => {
  it("[G24] [P3] are answered or dropped, and the bridge goes on until its input ends", async () => {
    await fuzzBatches(line, { inputs: fuzzRuns(200), size: 400 }, (lines) =>
      subject.use(async ({ url, folder }) => {
        const env = { PATH: process.env.PATH, HOME: folder };
        const args = [bin, "bridge", "--url", url.href];
        await using bridge = startProcess(process.execPath, args, { env });
        const { stdin } = bridge.child;
        stdin.write(START);
        await bridge.waitFor(/"id":"start"/);
        for (const one of lines) stdin.write(Buffer.concat([one, Buffer.from("\n")]));
        const call = { name: "echo", arguments: { text: "still here" } };
        stdin.write(rpc("last", "tools/call", call));
        await bridge.waitFor(/"still here"/);
        stdin.end();
        expect(await bridge.exited).toEqual({ status: 0, signal: null });
        const answers = bridge.printed().stdout.split("\n").slice(0, -1);
        const isMessage = (text: string) => JSON.parse(text).jsonrpc === "2.0";
        expect(answers.filter((answer) => !isMessage(answer))).toEqual([]);
        expect(answers.length).toBeLessThanOrEqual(lines.length + 2);
      }),
    );
  });
});
