import { readEnvelope } from "@core/wire";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { session } from "../../test/client-session.ts";
import { MAX_HELD_MS } from "../limits.ts";
import type { FromServer } from "../upstream/request.ts";
import type { ClientRequest } from "./client-request.ts";
import { createHeldCalls } from "./held.ts";
import { createInFlight } from "./in-flight.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const owner = { ...session(), inFlight: createInFlight() };
const META = "io.modelcontextprotocol";

/** A modern client's call of `t`, with what it is sent. */
function call(id: number, more: object = {}, token?: unknown) {
  const _meta = {
    [`${META}/protocolVersion`]: "2026-07-28",
    [`${META}/clientCapabilities`]: { sampling: {} },
    progressToken: token,
  };
  const params = { name: "t", ...more, _meta };
  const bytes = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params }));
  const sent: ReturnType<typeof JSON.parse>[] = [];
  const take = (json: Buffer) => sent.push(JSON.parse(json.toString())) > 0;
  const inFlight = createInFlight();
  const client: ClientRequest = {
    bytes,
    message: readEnvelope(bytes) as ClientRequest["message"],
    session: owner,
    inFlight,
    modern: { checkHeaders: () => undefined },
    told() {},
    reply: {
      notify: take,
      finish: take,
      fail: (code, message) => void sent.push({ error: { code, message } }),
      refuse: (refusal) => void sent.push({ error: refusal }),
      end() {},
    },
  };
  return { client, sent, inFlight };
}

/** A server's question, with what it gets. */
function question(idText: string) {
  const text = `{"jsonrpc":"2.0","id":${idText},"method":"sampling/createMessage","params":{"n":1e400}}`;
  const bytes = Buffer.from(text);
  const got: string[] = [];
  const message = readEnvelope(bytes) as FromServer<"request">["message"];
  const answer = (json: Buffer) => void got.push(json.toString());
  return { asked: { bytes, message, waiting: [], answer, pause: () => () => {} }, got };
}

function holding() {
  let states = 0;
  const held = createHeldCalls({ newState: () => `state-${++states}`, scrub: (json) => json });
  /** Serves a call, and gives the request as the relay gets it. */
  const serve = ({ client }: ReturnType<typeof call>) => {
    let relayed: ClientRequest | undefined;
    held.serve(client, (one) => {
      relayed = one;
    });
    return relayed;
  };
  return serve;
}

describe("createHeldCalls", () => {
  it("[G12] keeps every byte of a question, and gives what has come meanwhile under the new id", () => {
    const serve = holding();
    const first = call(1);
    const relayed = serve(first);
    const { asked, got } = question('"q"');
    expect(relayed?.ask?.(asked, "elicitation")).toBe(false);
    expect(relayed?.ask?.(asked, "sampling")).toBe(true);
    const [{ result }] = first.sent;
    expect(result).toMatchObject({
      resultType: "input_required",
      inputRequests: { 1: { method: "sampling/createMessage" } },
    });
    // The client's request is over, and what it leaves cancels nothing.
    first.inFlight.cancelAll();
    expect(owner.inFlight.size).toBe(1);
    relayed?.reply.finish(Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"x":1}}'));

    const inputResponses = { 1: { role: "assistant" } };
    const second = call(2, { requestState: result.requestState, inputResponses });
    expect(serve(second)).toBeUndefined();
    expect(got).toEqual(['{"jsonrpc":"2.0","id":"q","result":{"role":"assistant"}}']);
    expect(second.sent).toEqual([{ jsonrpc: "2.0", id: 2, result: { x: 1 } }]);
    expect([owner.inFlight.size, second.inFlight.size]).toEqual([0, 0]);
  });

  it("[G15] tells progress under the token of the request that has come back, or not at all", () => {
    const serve = holding();
    const first = call(1, {}, "mine");
    const relayed = serve(first);
    relayed?.ask?.(question("7").asked, "sampling");
    const note = (progress: number) =>
      Buffer.from(
        `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"mine","progress":${progress}}}`,
      );
    // Nobody is there.
    expect(relayed?.reply.notify(note(1))).toBe(false);
    const { requestState } = first.sent[0].result;
    const second = call(2, { requestState, inputResponses: { 1: {} } }, 9);
    serve(second);
    relayed?.reply.notify(note(2));
    expect(second.sent).toMatchObject([{ params: { progressToken: 9, progress: 2 } }]);
  });

  it("[G12] gives up a call whose client does not come back, and so does the end of its session", () => {
    for (const end of [
      () => vi.advanceTimersByTime(MAX_HELD_MS),
      () => owner.inFlight.cancelAll(),
    ]) {
      const serve = holding();
      const first = call(1);
      const relayed = serve(first);
      const cancel = vi.fn();
      relayed?.inFlight.add("n1", cancel);
      const { asked, got } = question("7");
      relayed?.ask?.(asked, "sampling");
      end();
      expect(cancel).toHaveBeenCalledTimes(1);
      expect(JSON.parse(got[0] ?? "")).toMatchObject({ id: 7, error: { code: -32602 } });
      const late = call(2, { requestState: first.sent[0].result.requestState });
      expect([serve(late), late.sent]).toMatchObject([undefined, [{ error: { code: -32602 } }]]);
    }
  });

  it("[G12] passes on a state that is a server's own, as of another gateway behind this one", () => {
    const serve = holding();
    const other = call(1, { requestState: "wraptool:of-another:state-1" });
    expect(serve(other)?.bytes).toBe(other.client.bytes);
  });

  it("[G15] cancels the call when its client leaves while it is there", () => {
    const serve = holding();
    const first = call(1);
    const cancel = vi.fn();
    serve(first)?.inFlight.add("n1", cancel);
    first.inFlight.cancelAll();
    expect(cancel).toHaveBeenCalledTimes(1);
  });
});
