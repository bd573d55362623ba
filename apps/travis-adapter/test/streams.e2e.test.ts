import type { ServerResponse } from "node:http";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it, vi } from "vitest";
import { createEventStore, type Seen, startHttpServer } from "./http-server.ts";
import { openSession } from "./session.ts";

const EVENTS = { "content-type": "text/event-stream" };
const CHANGED = JSON.stringify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
const call = { server: "web", tool: "echo", args: {} };

/** A server whose tools and whose streams of notices the test holds in its hand. */
async function startChangingServer() {
  const world = { tools: ["one"], streams: [] as { response: ServerResponse; after: unknown }[] };
  const server = await startHttpServer({
    intercept({ method, rpc, id, headers }, response) {
      if (method === "GET") {
        response.writeHead(200, EVENTS).flushHeaders();
        world.streams.push({ response, after: headers["last-event-id"] });
      } else if (rpc === "tools/list") {
        const tools = world.tools.map((name) => ({ name, inputSchema: { type: "object" } }));
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { tools } }));
      } else return false;
      return true;
    },
  });
  const stream = (number: number) =>
    vi.waitFor(
      () => {
        const found = world.streams[number - 1];
        if (found === undefined) throw new Error(`stream ${number} is not open`);
        return found;
      },
      { timeout: 10_000 },
    );
  const listed = () => server.requests.filter(({ rpc }) => rpc === "tools/list").length;
  return { server, world, stream, listed };
}

describe("the notices of a legacy HTTP server", () => {
  it("[A20] make catalogs fall, also when they come on a stream that was opened again", async () => {
    const { server, world, stream, listed } = await startChangingServer();
    await using _server = server;
    await using session = await openSession({ web: { url: server.url } });
    const list = async () => (await session.ask({ server: "web" })).text;
    const listsNeeded = async () => {
      const before = listed();
      await list();
      return listed() - before;
    };
    const shows = (count: number) => expect.poll(list, { timeout: 10_000 }).toContain(`(${count})`);

    await shows(1);
    const first = await stream(1);
    world.tools.push("two");
    first.response.write(`retry: 100\nid: 7\ndata: ${CHANGED}\n\n`);
    await shows(2);

    // What changes while nobody listens is seen too: a broken stream is no ground to trust what was read before.
    world.tools.push("three");
    first.response.destroy();
    await shows(3);

    const second = await stream(2);
    expect([first.after, second.after]).toEqual([undefined, "7"]);
    const isKept = () => expect.poll(listsNeeded, { timeout: 10_000 }).toBe(0);
    await isKept();
    world.tools.push("four");
    second.response.write(`id: 8\ndata: ${CHANGED}\n\n`);
    await shows(4);
    await isKept();
  });
});

describe("the lists of a server", () => {
  it("[A20] fall with a reconnect, and with a connection that failed", async () => {
    const { server, world } = await startChangingServer();
    await using _server = server;
    await using session = await openSession({ web: { url: server.url } });
    const list = async () => (await session.ask({ server: "web" })).text;
    const call = () => session.ask({ server: "web", tool: "one" });
    expect(await list()).toContain("(1)");
    world.tools.push("two");
    expect(await list()).toContain("(1)");
    await session.ask({ server: "web", operation: "reconnect" });
    expect(await list()).toContain("(2)");
    world.tools.push("three");
    server.forgetSessions();
    expect((await call()).text).toMatch(/SESSION_GONE/);
    expect(await list()).toContain("(3)");
  });
});

describe("a response that breaks off after an event with an id", () => {
  /** Breaks off each call, and gives GETs with that id to `resume`. */
  const breaking = (resume: (seen: Seen, callId: unknown, response: ServerResponse) => void) => {
    let callId: unknown;
    return startHttpServer({
      intercept(seen, response) {
        const isResumed = seen.headers["last-event-id"] === "half";
        if (isResumed) resume(seen, callId, response);
        else if (seen.method === "GET") response.writeHead(405).end();
        else if (seen.rpc === "tools/call") {
          callId = seen.id;
          response.writeHead(200, EVENTS).end("retry: 10\nid: half\ndata:\n\n");
        } else return false;
        return true;
      },
    });
  };

  it("[A28] is taken up again after it, and the call was sent once", async () => {
    await using server = await breaking((_seen, id, response) => {
      const result = { content: [{ type: "text", text: "the other half" }] };
      response.writeHead(200, EVENTS);
      response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
    });
    await using session = await openSession({ web: { url: server.url } });
    expect((await session.ask(call)).text).toBe("the other half");
    expect(server.requests.filter(({ rpc }) => rpc === "tools/call")).toHaveLength(1);
  });

  it.each<[string, (response: ServerResponse) => void, RegExp]>([
    ["refused", (response) => response.writeHead(405).end(), /does not take it up again/],
    ["cut off", (response) => response.destroy(), /The connection broke/],
    ["empty", (response) => response.writeHead(200, EVENTS).end(), /ended before the answer/],
  ])("[A28] fails at once when the rest is %s", async (_, answer, sentence) => {
    await using server = await breaking((_seen, _id, response) => answer(response));
    await using session = await openSession({ web: { url: server.url } });
    const { text } = await session.ask(call);
    expect(text).toMatch(/CONNECTION_LOST.*The outcome is unknown/s);
    expect(text).toMatch(sentence);
  });
});

describe("the SDK's own server, which closes its streams to be asked again", () => {
  /** `poll` closes the response to its call before it answers; `grow` closes the stream of notices before it tells of a tool. */
  function createServer(): Server {
    const names = ["poll", "grow"];
    const server = new Server(
      { name: "resumable", version: "1" },
      { capabilities: { tools: { listChanged: true } } },
    );
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: names.map((name) => ({ name, inputSchema: { type: "object" as const } })),
    }));
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
      if (params.name === "poll") extra.closeSSEStream?.();
      else {
        extra.closeStandaloneSSEStream?.();
        names.push("grown");
        await server.sendToolListChanged();
      }
      return { content: [{ type: "text", text: `${params.name} is done` }] };
    });
    return server;
  }

  it("[A28] [P2] gives the answer on the stream that is taken up again", async () => {
    await using server = await startHttpServer({ createServer, eventStore: createEventStore() });
    await using session = await openSession({ web: { url: server.url } });
    expect((await session.ask({ server: "web", tool: "poll" })).text).toBe("poll is done");
    expect(server.requests.filter(({ rpc }) => rpc === "tools/call")).toHaveLength(1);
    expect(server.requests.some(({ headers }) => headers["last-event-id"] !== undefined)).toBe(
      true,
    );
  });

  it("[A20] [P2] tells of a changed list on the stream of notices that is opened again", async () => {
    await using server = await startHttpServer({ createServer, eventStore: createEventStore() });
    await using session = await openSession({ web: { url: server.url } });
    const list = async () => (await session.ask({ server: "web" })).text;
    expect(await list()).toContain("(2)");
    await session.ask({ server: "web", tool: "grow" });
    await expect.poll(list, { timeout: 10_000 }).toContain("(3)");
    const streams = () => server.requests.filter(({ method }) => method === "GET");
    await expect.poll(() => streams().length, { timeout: 10_000 }).toBe(2);
  });
});
