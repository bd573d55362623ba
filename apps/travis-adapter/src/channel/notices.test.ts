import { describe, expect, it } from "vitest";
import { limits } from "../limits.ts";
import { createNotices } from "./notices.ts";

const stream = (body: string | ReadableStream<Uint8Array>) =>
  new Response(body, { headers: { "content-type": "text/event-stream" } });
const event = (id: string, message: unknown) => `id: ${id}\ndata: ${JSON.stringify(message)}\n\n`;
const notice = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };

/** A stream that breaks off after that text. */
function broken(text: string): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from(text));
      setImmediate(() => controller.error(new Error("socket hang up")));
    },
  });
  return stream(body);
}

type Answer = Response | "unreachable" | "open";

/** Listens to a server that gives these answers one after another, and then leaves the last stream open. */
async function listening(answers: Answer[]) {
  const controller = new AbortController();
  const seen = { after: [] as (string | null)[], waits: [] as number[], messages: [] as unknown[] };
  const rest = answers.values();
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const notices = createNotices({
    async fetch(_url, init) {
      seen.after.push(new Headers(init?.headers).get("last-event-id"));
      const { value = "open", done } = rest.next();
      if (done) end();
      if (value === "unreachable") throw new TypeError("fetch failed");
      return value === "open" ? stream(new ReadableStream()) : value;
    },
    async pause(ms) {
      seen.waits.push(ms);
    },
    onMessage: (message) => seen.messages.push(message),
  });
  notices.open("http://127.0.0.1/mcp", { method: "GET", signal: controller.signal });
  return { ...seen, notices, ended, controller };
}

/** Lets everything happen that waits for nothing. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
}

describe("createNotices", () => {
  it("[A20] opens a stream that ended again, with the id of its last event", async () => {
    const world = await listening([
      stream(event("1", notice) + event("2", notice)),
      stream(""),
      broken(event("3", notice)),
      "unreachable",
    ]);
    await world.ended;
    expect(world.after).toEqual([null, "2", "2", "3", "3"]);
    expect(world.messages).toEqual([notice, notice, notice]);
  });

  it("[A20] counts what may have been missed: each break, each look meanwhile, and the return", async () => {
    let lapsesWhileBroken = 0;
    const notices = createNotices({
      fetch: (() => {
        const answers = [stream(event("1", notice)), stream(new ReadableStream())];
        return async () => answers.shift() as Response;
      })(),
      async pause() {
        lapsesWhileBroken = notices.lapses();
        expect(notices.lapses()).toBeGreaterThan(lapsesWhileBroken);
      },
      onMessage() {},
    });
    expect(notices.lapses()).toBe(0);
    notices.open("http://127.0.0.1/mcp", { method: "GET" });
    expect(notices.lapses()).toBe(0);
    await settle();
    const after = notices.lapses();
    expect(after).toBeGreaterThan(lapsesWhileBroken + 1);
    expect(notices.lapses()).toBe(after);
  });

  it.each([
    ["405", new Response(null, { status: 405 })],
    ["404", new Response(null, { status: 404 })],
    ["503", new Response(null, { status: 503 })],
    ["JSON", new Response("{}", { headers: { "content-type": "application/json" } })],
  ])("[A28] leaves a server alone that refuses the stream with %s", async (_, refusal) => {
    const { after, notices } = await listening([refusal]);
    await settle();
    expect([after, notices.lapses(), notices.lapses()]).toEqual([[null], 0, 0]);
  });

  it("[A20] waits for a server that starts again, and not for one that stops offering the stream", async () => {
    const passing = [429, 503].map((status) => new Response(null, { status }));
    const { after, notices } = await listening([
      stream(event("1", notice)),
      ...passing,
      new Response(null, { status: 405 }),
    ]);
    await settle();
    expect(after).toEqual([null, "1", "1", "1"]);
    expect(notices.lapses()).toBe(notices.lapses());
  });

  it("[A20] waits as long as the server asks for, and longer where nothing comes", async () => {
    const asked = (retry: number) => stream(`retry: ${retry}\n${event("1", notice)}`);
    const world = await listening([
      stream(event("1", notice)),
      asked(0),
      asked(5000),
      asked(600_000),
      stream(""),
      asked(9_999_999_999),
      asked(20_000),
      stream(""),
      stream(": still here\n\n"),
      stream(""),
    ]);
    await world.ended;
    expect(world.waits).toEqual([
      limits.streamRetryMs,
      limits.minStreamRetryMs,
      5000,
      600_000,
      600_000,
      limits.maxTimeoutMs,
      20_000,
      40_000,
      60_000,
      60_000,
    ]);
  });

  it("is begun once, and ends with its signal", async () => {
    const { after, notices, controller } = await listening([]);
    notices.open("http://127.0.0.1/mcp", { method: "GET" });
    await settle();
    controller.abort();
    await settle();
    expect(after).toEqual([null]);
  });

  it("passes over what is no message", async () => {
    const world = await listening([stream("data: not JSON\n\ndata:\n\n"), "open"]);
    await settle();
    expect(world.messages).toEqual([]);
  });
});
