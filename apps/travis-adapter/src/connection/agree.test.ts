import { ChildGoneError, type JsonObject, MODERN_VERSION, RpcError } from "@core/wire";
import { describe, expect, it } from "vitest";
import { AdapterError } from "../errors.ts";
import { agree } from "./agree.ts";
import type { Era } from "./handshake.ts";
import type { Line } from "./line.ts";

type Answer = JsonObject | Error | "silence";

const INITIALIZED = { protocolVersion: "2025-11-25", capabilities: { tools: {} } };
const DISCOVERED = {
  supportedVersions: [MODERN_VERSION],
  capabilities: {},
  resultType: "complete",
};
const lost = new AdapterError("CONNECTION_LOST", "The server exited with status 9");

/** A server that is opened as often as it is asked to be, and answers by method. */
function serverThat(answers: { readonly initialize?: Answer; readonly discover?: Answer }) {
  const seen = { asked: [] as string[], spoken: [] as string[], opened: 0, closed: 0 };
  const answerTo = (method: string): Answer =>
    (method === "initialize" ? answers.initialize : answers.discover) ??
    new RpcError(-32_601, "no");

  async function open(): Promise<Line> {
    const number = ++seen.opened;
    return {
      async request(method, _params, { signal }) {
        signal?.throwIfAborted();
        seen.asked.push(`${number} ${method}`);
        const answer = answerTo(method);
        if (answer instanceof Error) throw answer;
        if (answer !== "silence") return answer;
        return new Promise((_, reject) =>
          signal?.addEventListener("abort", () => reject(signal.reason)),
        );
      },
      notify: async () => {},
      speak: (version) => void seen.spoken.push(version),
      revision: () => 0,
      ended: new Promise(() => {}),
      end: undefined,
      async close() {
        seen.closed++;
        return {
          how: `exited with status ${number}`,
          stderr: `words of ${number}`,
          isProcess: true,
        };
      },
    };
  }

  const connect = ({
    known,
    timeoutMs = 10_000,
    signal = new AbortController().signal,
  }: {
    known?: Era;
    timeoutMs?: number;
    signal?: AbortSignal;
  } = {}) => agree({ open, clientInfo: { name: "test" }, known, timeoutMs, signal });
  return { seen, connect };
}

describe("agree", () => {
  it("[A22] asks a legacy server one thing", async () => {
    const { seen, connect } = serverThat({ initialize: INITIALIZED });
    expect(await connect()).toMatchObject({ era: "legacy", capabilities: { tools: {} } });
    expect(seen).toMatchObject({ asked: ["1 initialize"], spoken: ["2025-11-25"], closed: 0 });
  });

  it.each([
    ["does not know the method", new RpcError(-32_601, "Method not found")],
    ["does not support the version", new RpcError(-32_022, "Unsupported protocol version")],
    ["misses headers", new RpcError(-32_020, "Header mismatch")],
  ])("[A22] asks a server that %s once more, over the same line", async (_, initialize) => {
    const { seen, connect } = serverThat({ initialize, discover: DISCOVERED });
    expect(await connect()).toMatchObject({ era: "modern" });
    expect(seen).toMatchObject({
      asked: ["1 initialize", "1 server/discover"],
      spoken: [MODERN_VERSION],
      closed: 0,
    });
  });

  it.each([
    ["ended", lost],
    ["takes no more input", new ChildGoneError()],
  ])(
    "[A22] starts a server that %s afresh, once, and asks only the other question",
    async (_, initialize) => {
      const { seen, connect } = serverThat({ initialize, discover: DISCOVERED });
      expect(await connect()).toMatchObject({ era: "modern" });
      expect(seen).toMatchObject({ asked: ["1 initialize", "2 server/discover"], closed: 1 });
    },
  );

  it("[A22] asks a silent server once more, within the connect time", async () => {
    const { seen, connect } = serverThat({ initialize: "silence", discover: DISCOVERED });
    expect(await connect({ timeoutMs: 200 })).toMatchObject({ era: "modern" });
    expect(seen.asked).toEqual(["1 initialize", "1 server/discover"]);
  });

  it.each<[string, Error, RegExp]>([
    ["with another error", new RpcError(-32_000, "licence expired"), /JSON-RPC error -32000/],
    ["as a stranger", new Error("odd"), /no MCP message/],
    ["for want of credentials", new AdapterError("UNAUTHORIZED", "Wants credentials"), /Wants/],
  ])("[A22] asks nothing more of a server that refuses %s", async (_, initialize, sentence) => {
    const { seen, connect } = serverThat({ initialize, discover: DISCOVERED });
    await expect(connect()).rejects.toThrow(sentence);
    expect(seen).toMatchObject({ asked: ["1 initialize"], opened: 1, closed: 1 });
  });

  it("[A22] asks a server whose era is known only in it", async () => {
    const modern = serverThat({ initialize: INITIALIZED, discover: DISCOVERED });
    await modern.connect({ known: "modern" });
    expect(modern.seen.asked).toEqual(["1 server/discover"]);
    const legacy = serverThat({ discover: DISCOVERED });
    await expect(legacy.connect({ known: "legacy" })).rejects.toMatchObject({
      code: "CONNECT_FAILED",
    });
    expect(legacy.seen).toMatchObject({ asked: ["1 initialize"], closed: 1 });
  });

  it("[A22] tells how the first question failed when the second one fails too, and leaves no line open", async () => {
    const { seen, connect } = serverThat({ initialize: lost, discover: lost });
    await expect(connect()).rejects.toMatchObject({
      code: "START_FAILED",
      message: "The server exited with status 1 before it answered",
      serverSaid: "words of 1",
    });
    expect(seen).toMatchObject({ opened: 2, closed: 2 });
  });

  it("[A23] a server that is silent to both questions has had its time, and [A24] one that is cancelled none", async () => {
    const silent = { initialize: "silence", discover: "silence" } as const;
    const late = serverThat(silent);
    await expect(late.connect({ timeoutMs: 100 })).rejects.toMatchObject({
      code: "CONNECT_TIMEOUT",
    });
    const controller = new AbortController();
    const cancelled = serverThat(silent);
    const connecting = cancelled.connect({ signal: controller.signal });
    controller.abort();
    await expect(connecting).rejects.toMatchObject({ code: "CANCELLED" });
    expect([late.seen.closed, cancelled.seen]).toMatchObject([1, { asked: [], closed: 1 }]);
  });
});
