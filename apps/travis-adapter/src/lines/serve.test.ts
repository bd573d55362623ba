import { PassThrough } from "node:stream";
import { edges } from "test-fixtures";
import { describe, expect, it } from "vitest";
import type { Adapter } from "../host.ts";
import { limits } from "../limits.ts";
import { toolDefinition } from "../tool/definition.ts";
import { serveLines } from "./serve.ts";

/** A session over streams in memory, with an adapter that answers with what it was asked. */
function serve() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const ending = new AbortController();
  const disposals: string[] = [];
  let environment: Readonly<Record<string, string | undefined>> = {};
  const adapter: Adapter = {
    tool: toolDefinition,
    servers: ["files"],
    ignoredProjectFiles: 2,
    policyContext: () => ({ operation: "status", server: "unconfigured" }),
    async execute(request) {
      const asked = JSON.stringify(request)?.length ?? 0;
      const details = { operation: "call", isError: false, asked, environment: { ...environment } };
      return { content: [], details: { travis234Mcp: details }, isError: false };
    },
    async [Symbol.asyncDispose]() {
      disposals.push("adapter");
    },
  };
  const served = serveLines({
    version: "1.2.3",
    input,
    output,
    signal: ending.signal,
    async open(env) {
      environment = env;
      return adapter;
    },
  });
  return {
    input,
    ending,
    disposals,
    send: (frame: object) => input.write(`${JSON.stringify(frame)}\n`),
    /** All lines, once the session has ended. */
    async lines() {
      await served;
      const text = output.read()?.toString() ?? "";
      return text
        .trim()
        .split("\n")
        .map((line: string) => JSON.parse(line));
    },
  };
}

const frame = (id: number, env: object, request: unknown = {}) => ({
  id,
  method: "execute",
  params: { request, env },
});

describe("serveLines", () => {
  it("[A4] greets first, follows the host's environment, and answers shutdown after the last disposal", async () => {
    const session = serve();
    session.send(frame(1, { KEPT: "a", GONE: "b" }));
    session.send(frame(2, { KEPT: "c" }));
    session.send({ id: "end", method: "shutdown" });
    const [ready, first, second, end, ...more] = await session.lines();
    expect(ready).toEqual({
      method: "ready",
      params: { version: "1.2.3", servers: ["files"], ignoredProjectFiles: 2 },
    });
    expect(first.result.details.travis234Mcp.environment).toEqual({ KEPT: "a", GONE: "b" });
    expect(second.result.details.travis234Mcp.environment).toEqual({ KEPT: "c" });
    expect([end, more]).toEqual([{ id: "end", result: {} }, []]);
    expect(session.disposals.length).toBeGreaterThan(0);
  });

  it.each<[string, (session: ReturnType<typeof serve>) => unknown]>([
    ["its input ends", ({ input }) => input.end()],
    ["its input breaks", ({ input }) => input.destroy(new Error("broken pipe"))],
    ["it is told to", ({ ending }) => ending.abort()],
  ])("[A4] ends when %s, and says no more", async (_what, end) => {
    const session = serve();
    end(session);
    expect(await session.lines()).toMatchObject([{ method: "ready" }]);
    expect(session.input.destroyed).toBe(true);
    expect(session.disposals.length).toBeGreaterThan(0);
  });

  it("[A4] takes a line of exactly the limit, and refuses a longer one by its id", async () => {
    const session = serve();
    const around = JSON.stringify(frame(1, {}, "")).length;
    for (const [index, bytes] of edges(limits.maxFrameBytes).entries())
      session.send(frame(index, {}, "x".repeat(bytes - around)));
    session.send(frame(9, {}));
    session.send({ id: "end", method: "shutdown" });
    const lines = await session.lines();
    const answers = [0, 1, 2, 9].map((id) => lines.find((line: { id?: number }) => line.id === id));
    const asked = answers.map((line) => line.result?.details.travis234Mcp.asked);
    const room = limits.maxFrameBytes - around + '""'.length;
    expect(asked).toEqual([room - 1, room, undefined, "{}".length]);
    expect(answers[2]).toMatchObject({ error: { code: "FRAME_TOO_LONG" } });
  });
});
