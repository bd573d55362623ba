import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createTempFolder, edges, isAlive } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { limits } from "../src/limits.ts";
import { startHttpServer } from "./http-server.ts";
import { fixture, openSession, type Session } from "./session.ts";

const RESPONSES = edges(limits.maxResponseBytes);
const WEIGHTS = fixture("weights", {}, ...RESPONSES.map(String));
const errorOf = ({ details }: Awaited<ReturnType<Session["ask"]>>) =>
  details.travis234Mcp.errorType ?? "none";
/** For what happens by itself, on a machine that has more to do. */
const LONG = { timeout: 10_000 };
const PASS_PASS_FAIL = ["none", "none", "LIMIT_EXCEEDED"];

describe("what a server sends", () => {
  it("[A31] is a resource response of at most 8 MiB, and the connection lives", async () => {
    await using session = await openSession({ weights: WEIGHTS });
    const { text } = await session.ask({ server: "weights", operation: "resources.list" });
    const references = text.match(/mcp-resource-[0-9a-f]{32}/g) ?? [];
    expect(references).toHaveLength(3);
    const errors: unknown[] = [];
    for (const resource of references)
      errors.push(
        errorOf(await session.ask({ server: "weights", operation: "resources.read", resource })),
      );
    expect(errors).toEqual(PASS_PASS_FAIL);
    expect((await session.ask({})).text).toMatch(/weights: connected;/);
  });

  it("[A31] is a prompt response of at most 8 MiB, and the connection lives", async () => {
    await using session = await openSession({ weights: WEIGHTS });
    const errors: unknown[] = [];
    for (const bytes of RESPONSES) {
      const args = { prompt: "message", arguments: { bytes: String(bytes) } };
      errors.push(
        errorOf(await session.ask({ server: "weights", operation: "prompts.get", ...args })),
      );
    }
    expect(errors).toEqual(PASS_PASS_FAIL);
    expect((await session.ask({})).text).toMatch(/weights: connected;/);
  });

  it("[A31] is a message of a tool of at most 32 MiB; beyond it the call fails, though the tool did run", async () => {
    await using session = await openSession({ weights: WEIGHTS });
    const call = (tool: string, args: object = {}) =>
      session.ask({ server: "weights", tool, args });
    const errors: unknown[] = [];
    for (const bytes of edges(limits.maxMessageBytes)) {
      const answer = await call("message", { bytes });
      errors.push(errorOf(answer));
      if (answer.isError) expect(answer.text).toMatch(/The tool did run/);
    }
    expect(errors).toEqual(PASS_PASS_FAIL);
    expect((await call("ran")).text).toBe("3");
  });

  it("[A31] is bounded over HTTP while it arrives, as JSON and as a stream of events", async () => {
    const sent: number[] = [];
    await using server = await startHttpServer({
      intercept({ rpc, id }, response) {
        if (rpc !== "tools/call") return false;
        const isEvents = sent.length % 2 === 1;
        const type = isEvents ? "text/event-stream" : "application/json";
        response.writeHead(200, { "content-type": type });
        if (isEvents) response.write("event: message\ndata: ");
        response.write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`);
        // It never ends, so only who counts while it arrives can refuse it.
        const chunk = "x".repeat(1024 * 1024);
        let chunks = 0;
        const more = () => {
          chunks++;
          if (!response.destroyed) response.write(chunk, more);
        };
        more();
        response.on("close", () => sent.push(chunks));
        sent.push(0);
        return true;
      },
    });
    await using session = await openSession({ web: { url: server.url } });
    for (const _ of ["JSON", "events"]) {
      const { text } = await session.ask({ server: "web", tool: "echo" });
      expect(text).toMatch(/LIMIT_EXCEEDED.*longer than 33554432 bytes.*The tool did run/);
    }
    expect((await session.ask({})).text).toMatch(/web: connected/);
  });

  it.each(["JSON", "events"])(
    "[A31] is a resource response of at most 8 MiB over HTTP as %s, to the byte",
    async (form) => {
      const results: Record<string, object> = {
        initialize: {
          protocolVersion: "2025-11-25",
          capabilities: { resources: {} },
          serverInfo: { name: "weights", version: "1" },
        },
        "resources/list": {
          resources: RESPONSES.map((bytes) => ({ uri: `of:${bytes}`, name: `${bytes}` })),
        },
        "resources/templates/list": { resourceTemplates: [] },
      };
      const sizes = [...RESPONSES];
      const contents = (text: string) => ({ contents: [{ uri: "of:bytes", text }] });
      await using server = await startHttpServer({
        intercept({ rpc, id }, response) {
          if (id === undefined) response.writeHead(202).end();
          else {
            const write = (result: unknown) => JSON.stringify({ jsonrpc: "2.0", id, result });
            const missing = (sizes[0] ?? 0) - write(contents("")).length;
            const read = () => write(contents("x".repeat(missing)));
            const message = rpc === "resources/read" ? read() : write(results[rpc ?? ""]);
            if (rpc === "resources/read") sizes.shift();
            const isEvents = form === "events";
            const type = isEvents ? "text/event-stream" : "application/json";
            response.writeHead(200, { "content-type": type });
            response.end(isEvents ? `event: message\ndata: ${message}\n\n` : message);
          }
          return true;
        },
      });
      await using session = await openSession({ web: { url: server.url } });
      const { text } = await session.ask({ server: "web", operation: "resources.list" });
      const errors: unknown[] = [];
      for (const resource of text.match(/mcp-resource-[0-9a-f]{32}/g) ?? [])
        errors.push(
          errorOf(await session.ask({ server: "web", operation: "resources.read", resource })),
        );
      expect(errors).toEqual(PASS_PASS_FAIL);
      expect((await session.ask({})).text).toMatch(/web: connected;/);
    },
  );

  it("[A31] are at most 5,000 resources and 5,000 prompts", async () => {
    // The library has 5 resources and a template, and 3 prompts, of its own; one resource it lists twice.
    await using session = await openSession({
      under: fixture("library", {}, "4992"),
      on: fixture("library", {}, "4993"),
      over: fixture("library", {}, "4994"),
      prompts: fixture("library", {}, "4997"),
      more: fixture("library", {}, "4998"),
    });
    const list = async (server: string, operation: string) =>
      errorOf(await session.ask({ server, operation }));
    const resources = ["under", "on", "over"].map((server) => list(server, "resources.list"));
    expect(await Promise.all(resources)).toEqual(PASS_PASS_FAIL);
    const prompts = ["on", "prompts", "more"].map((server) => list(server, "prompts.list"));
    expect(await Promise.all(prompts)).toEqual(PASS_PASS_FAIL);
    const shown = await session.ask({ server: "on", operation: "resources.list" });
    expect(shown.text).toMatch(/^MCP resources on "on" \(4998 resources, 1 templates\)/);
    expect(shown.text.split("\n").at(-1)).toMatch(/^… \d+ more; find them with/);
    expect(Buffer.byteLength(shown.text)).toBeLessThanOrEqual(limits.maxInlineBytes);
  });
});

describe("a wire operation", () => {
  const slow = { slow: fixture("dawdles", { requestTimeoutMs: 2000 }) };
  const steps = (count: number, ms: number) => ({
    server: "slow",
    tool: "steps",
    args: { count, ms },
  });

  it.concurrent("[A23] lasts longer than its timeout while progress comes", async () => {
    await using session = await openSession(slow);
    expect((await session.ask(steps(5, 500))).text).toBe("done");
    expect((await session.ask({ server: "slow", tool: "calls" })).text).toBe("1");
  });

  it.concurrent("[A24] that is cancelled leaves its siblings and the connection alone", async () => {
    await using session = await openSession({ slow: fixture("dawdles") });
    await session.ask({ server: "slow" });
    const controller = new AbortController();
    const cancelled = session.ask(steps(1, 5000), controller.signal);
    const sibling = session.ask(steps(2, 50));
    await session.ask({ server: "slow", tool: "calls" });
    controller.abort();
    expect((await cancelled).text).toMatch(/CANCELLED.*outcome is unknown/s);
    expect((await sibling).text).toBe("done");
    expect((await session.ask({ server: "slow", tool: "calls" })).text).toBe("2");
  });
});

describe("a connection", () => {
  it("[A21] that dies while nobody asks is noticed, and the next use opens another", async () => {
    await using session = await openSession({ slow: fixture("dawdles"), echo: fixture("echo") });
    expect((await session.ask({ server: "slow", tool: "leave" })).text).toBe("leaving");
    await expect
      .poll(async () => (await session.ask({})).text, LONG)
      .toMatch(/slow: failed; .*lastError=CONNECTION_LOST/);
    expect((await session.ask({ server: "slow", tool: "calls" })).text).toBe("0");
    expect((await session.ask({ server: "echo" })).isError).toBe(false);
  });

  it("[A26] recovers by itself where that is configured, and only connects: the call ran once", async () => {
    const reconnect = { automatic: true, maxAttempts: 2, baseDelayMs: 100 };
    await using session = await openSession({ slow: fixture("dawdles", { reconnect }) });
    const pid = async () => {
      const { text } = await session.ask({ server: "slow", tool: "pid" });
      return Number(text);
    };
    const before = await pid();
    process.kill(before, "SIGKILL");
    await expect
      .poll(async () => (await session.ask({})).text, LONG)
      .toMatch(/slow: connected;.*lastError=CONNECTION_LOST/);
    expect(isAlive(before)).toBe(false);
    // What counts the calls of the process that took its place has heard of none.
    expect((await session.ask({ server: "slow", tool: "calls" })).text).toBe("0");
    expect(await pid()).not.toBe(before);
  });

  it("[A26] that dies in a call recovers without it: the call fails, and ran once", async () => {
    await using folder = createTempFolder();
    const file = join(folder.path, "ran");
    const reconnect = { automatic: true };
    await using session = await openSession({ dies: fixture("dies-in-call", { reconnect }) });
    const call = { server: "dies", tool: "boom", args: { file } };
    expect((await session.ask(call)).text).toMatch(/CONNECTION_LOST.*The outcome is unknown/);
    await expect.poll(async () => (await session.ask({})).text, LONG).toMatch(/dies: connected;/);
    expect((await session.ask({ server: "dies", tool: "fine" })).text).toBe("fine");
    expect(await readFile(file, "utf8")).toBe("ran\n");
  });
});
