import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { KEEP_ALIVE_MS, MAX_STALLS, MAX_STREAM_BACKLOG_BYTES, STREAM_END_MS } from "../limits.ts";
import { openEventStream } from "./event-stream.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A response whose client reads only what `read` takes away. */
class Unread extends EventEmitter {
  writableLength = 0;
  writableEnded = false;
  destroyed = false;
  writeHead() {}
  flushHeaders() {}
  cork() {}
  uncork() {}
  write(piece: string | Uint8Array) {
    this.writableLength += piece.length;
  }
  end() {
    this.writableEnded = true;
  }
  destroy() {
    this.destroyed = true;
    this.emit("close");
  }
  read(bytes: number) {
    this.writableLength = Math.max(0, this.writableLength - bytes);
  }
}

function open() {
  const response = new Unread();
  const onClose = vi.fn();
  const stream = openEventStream(response as unknown as ServerResponse, onClose);
  return { response, onClose, stream };
}

describe("openEventStream", () => {
  it("[G9] cuts off a client that reads nothing of what waits for it", () => {
    const { response, onClose } = open();
    vi.advanceTimersByTime(KEEP_ALIVE_MS * MAX_STALLS);
    expect(response.destroyed).toBe(false);
    vi.advanceTimersByTime(KEEP_ALIVE_MS);
    expect(response.destroyed).toBe(true);
    expect(onClose).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("[G9] keeps a client that reads slowly", () => {
    const { response, stream } = open();
    stream.send(Buffer.alloc(10_000));
    for (let beat = 0; beat < 20; beat++) {
      response.read(200);
      vi.advanceTimersByTime(KEEP_ALIVE_MS);
    }
    expect(response.destroyed).toBe(false);
  });

  it("[G9] cuts off a client that leaves too much unread, or does not read the end", () => {
    const flooded = open();
    flooded.stream.send(Buffer.alloc(MAX_STREAM_BACKLOG_BYTES));
    expect(flooded.response.destroyed).toBe(false);
    flooded.stream.send(Buffer.alloc(1));
    expect(flooded.response.destroyed).toBe(true);
    const ended = open();
    ended.stream.end();
    vi.advanceTimersByTime(STREAM_END_MS - 1);
    expect(ended.response.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    expect(ended.response.destroyed).toBe(true);
  });
});
