import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { KEEP_ALIVE_MS, MAX_STREAM_BACKLOG_BYTES, UNREAD_MS } from "../limits.ts";
import { openEventStream } from "./event-stream.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A response whose client reads only what `read` takes away, with the timeout of node:net, which both ends wind up. */
class Unread extends EventEmitter {
  #timer: NodeJS.Timeout | undefined;
  writableLength = 0;
  writableEnded = false;
  destroyed = false;
  writeHead() {}
  flushHeaders() {}
  cork() {}
  uncork() {}
  setTimeout(ms: number, run: () => void) {
    this.#timer = setTimeout(run, ms);
  }
  write(piece: string | Uint8Array) {
    this.writableLength += piece.length;
    this.#timer?.refresh();
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
    this.#timer?.refresh();
  }
}

function open() {
  const response = new Unread();
  const onClose = vi.fn();
  const stream = openEventStream(response as unknown as ServerResponse, onClose);
  return { response, onClose, stream };
}

describe("openEventStream", () => {
  it("[G9] cuts off a client that reads nothing of what waits for it, also of the end", () => {
    for (const ends of [false, true]) {
      const { response, onClose, stream } = open();
      stream.send(Buffer.alloc(1));
      if (ends) stream.end();
      vi.advanceTimersByTime(UNREAD_MS - 1);
      expect(response.destroyed).toBe(false);
      vi.advanceTimersByTime(1);
      expect(response.destroyed).toBe(true);
      expect(onClose).toHaveBeenCalledTimes(1);
      expect(vi.getTimerCount()).toBe(0);
    }
  });

  it("[G9] keeps a client that reads all and hears nothing but comments", () => {
    const { response } = open();
    for (let beat = 0; beat < 20; beat++) {
      vi.advanceTimersByTime(KEEP_ALIVE_MS);
      expect(response.writableLength).toBeGreaterThan(0);
      response.read(response.writableLength);
    }
    expect(response.destroyed).toBe(false);
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

  it("[G9] cuts off a client that leaves too much unread", () => {
    const { response, stream } = open();
    stream.send(Buffer.alloc(MAX_STREAM_BACKLOG_BYTES));
    expect(response.destroyed).toBe(false);
    stream.send(Buffer.alloc(1));
    expect(response.destroyed).toBe(true);
  });
});
