import { RequestTimeoutError } from "@core/wire";
import { describe, expect, it } from "vitest";
import { limits } from "../limits.ts";
import type { Agreed } from "./agree.ts";
import { createClient } from "./client.ts";
import type { Line } from "./line.ts";

/** A client over a line whose every request ends as `answer` says; it notes what it was asked. */
function over(answer: () => Promise<Record<string, unknown>>, agreed: Partial<Agreed> = {}) {
  const asked: { method: string; options: unknown }[] = [];
  const lost: string[] = [];
  const line: Line = {
    request(method, _params, options) {
      asked.push({ method, options });
      return method === "subscriptions/listen" ? Promise.reject(new Error("ended")) : answer();
    },
    notify: async () => {},
    speak: () => {},
    revision: () => 0,
    ended: new Promise(() => {}),
    end: undefined,
    close: async () => ({ how: "was closed", stderr: "", isProcess: false }),
  };
  const connect = (timeoutMs: number) =>
    createClient({
      agreed: { line, era: "legacy", capabilities: {}, ...agreed },
      kind: "http",
      timeoutMs,
      onLost: (_client, { code }) => lost.push(code),
    });
  return { connect, asked, lost };
}

describe("createClient", () => {
  it("[A23] bounds each request by its silence, and by ten times that in all", async () => {
    const world = over(async () => ({}));
    await world.connect(100).request("tools/list", {});
    await world.connect(limits.maxTimeoutMs).request("tools/list", {});
    expect(world.asked.map(({ options }) => options)).toMatchObject([
      { timeoutMs: 100, maxTotalMs: 1000 },
      { timeoutMs: limits.maxTimeoutMs, maxTotalMs: limits.maxTimeoutMs },
    ]);
  });

  it.each([
    ["silence", 100, /tools\/call had no answer within 100 ms/],
    ["total", 1000, /within 1000 ms in all, despite progress/],
  ] as const)("[A23] tells of %s, and the connection lives", async (limit, ms, sentence) => {
    const late = new RequestTimeoutError("tools/call", limit, ms);
    const world = over(() => Promise.reject(late));
    const request = world.connect(100).request("tools/call", {});
    await expect(request).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
    await expect(request).rejects.toThrow(sentence);
    expect(world.lost).toEqual([]);
  });

  it("[A22] repeats arguments as headers over modern HTTP alone", () => {
    const mirrors = (era: "legacy" | "modern") =>
      over(async () => ({}), { era }).connect(100).mirrors;
    expect([mirrors("legacy"), mirrors("modern")]).toEqual([false, true]);
  });

  it("[A20] counts each time at which a modern server stopped telling of changes", async () => {
    const capabilities = { tools: { listChanged: true }, prompts: {} };
    const world = over(async () => ({}), { era: "modern", capabilities });
    const client = world.connect(100);
    const before = client.revision("tools");
    await new Promise(setImmediate);
    expect(client.revision("tools")).toBeGreaterThan(before);
    expect(world.asked.map(({ method }) => method)).toEqual([
      "subscriptions/listen",
      "subscriptions/listen",
    ]);
  });
});
