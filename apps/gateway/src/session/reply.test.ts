import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { KEEP_ALIVE_MS, STREAM_AFTER_MS } from "../limits.ts";
import { parseAccept } from "./accept.ts";
import { createReply } from "./reply.ts";

/** A response that keeps what it is given. */
class Recorder extends EventEmitter {
  type: string | undefined;
  text = "";
  writableEnded = false;
  destroyed = false;
  writableLength = 0;
  writeHead(_status: number, headers: Record<string, string>) {
    this.type = headers["Content-Type"];
    return this;
  }
  write(piece: string | Uint8Array) {
    this.text += Buffer.from(piece as Uint8Array).toString();
  }
  end(piece: string | Uint8Array = "") {
    this.write(piece);
    this.writableEnded = true;
    this.emit("close");
  }
  destroy() {
    this.destroyed = true;
    this.emit("close");
  }
  flushHeaders() {}
  setTimeout() {}
  cork() {}
  uncork() {}
}

function replying(accept?: string) {
  const response = new Recorder();
  const onOver = vi.fn();
  const reply = createReply(
    response as unknown as ServerResponse,
    "7",
    parseAccept(accept),
    onOver,
  );
  return { response, reply, onOver };
}

const ANSWER = Buffer.from('{"id":7}');

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("createReply", () => {
  it("[G3] answers as JSON within 5 s, and later as a stream with keep-alive each 15 s", () => {
    const soon = replying();
    vi.advanceTimersByTime(STREAM_AFTER_MS - 1);
    soon.reply.finish(ANSWER);
    expect(soon.response).toMatchObject({ type: "application/json", text: '{"id":7}' });

    const late = replying();
    vi.advanceTimersByTime(STREAM_AFTER_MS);
    expect(late.response.type).toBe("text/event-stream");
    vi.advanceTimersByTime(2 * KEEP_ALIVE_MS);
    expect(late.response.text).toBe(": keep-alive\n\n: keep-alive\n\n");
    late.reply.finish(ANSWER);
    expect(late.response.text).toMatch(/data: \{"id":7\}\n\n$/);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("waits as long as it takes for a client that takes JSON alone, and drops its notifications", () => {
    const { response, reply } = replying("application/json");
    vi.advanceTimersByTime(10 * STREAM_AFTER_MS);
    reply.notify(Buffer.from("{}"));
    reply.finish(ANSWER);
    expect(response).toMatchObject({ type: "application/json", text: '{"id":7}' });
  });

  it("[G15] ends a cancelled request without an answer, or with an error where there must be a body", () => {
    const streamed = replying();
    streamed.reply.end();
    expect(streamed.response).toMatchObject({
      type: "text/event-stream",
      text: "",
      writableEnded: true,
    });
    const plain = replying("application/json");
    plain.reply.end();
    expect(JSON.parse(plain.response.text)).toMatchObject({ id: 7, error: {} });
  });

  it("is over once, when it is answered or when the client left, and drops what comes after", () => {
    const answered = replying();
    answered.reply.finish(ANSWER);
    answered.reply.fail(-1, "late");
    answered.reply.notify(ANSWER);
    answered.reply.end();
    expect(answered.response.text).toBe('{"id":7}');
    const left = replying();
    left.response.destroy();
    left.reply.finish(ANSWER);
    expect(left.response.text).toBe("");
    for (const { onOver } of [answered, left]) expect(onOver).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("gives a client up that does not read its stream", () => {
    const { response, reply } = replying("text/event-stream");
    response.writableLength = 2 ** 20 + 1;
    reply.notify(Buffer.from("{}"));
    expect(response).toMatchObject({ destroyed: true, text: "" });
  });
});
