import type { ServerResponse } from "node:http";
import { encodeComment, encodeEvent, encodeEventPieces } from "@core/wire";
import { KEEP_ALIVE_MS, MAX_STALLS, MAX_STREAM_BACKLOG_BYTES, STREAM_END_MS } from "../limits.ts";

const HEADERS = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache, no-transform",
  // nginx would hold events back until its buffer is full.
  "X-Accel-Buffering": "no",
};
const KEEP_ALIVE = encodeComment("keep-alive");

/** An open response of server-sent events. */
export interface EventStream {
  /** Sends one JSON-RPC message. */
  send(json: Buffer): void;
  /** Sends an event of another type. */
  sendEvent(event: string, data: string): void;
  end(): void;
}

/**
 * Opens the stream; comments keep it alive until it ends or the client goes. `onClose` is called once, whoever closed. What
 * a client leaves unread beyond the backlog cuts it off.
 */
export function openEventStream(
  response: ServerResponse,
  onClose?: () => void,
  maxBacklogBytes = MAX_STREAM_BACKLOG_BYTES,
): EventStream {
  response.writeHead(200, HEADERS);
  response.flushHeaders();

  const write = (pieces: readonly (string | Uint8Array)[]) => {
    if (response.writableEnded || response.destroyed) return;
    // What a client does not read must not pile up here.
    if (response.writableLength > maxBacklogBytes) {
      response.destroy();
      return;
    }
    response.cork();
    for (const piece of pieces) response.write(piece);
    response.uncork();
  };
  let unread = 0;
  let stalls = 0;
  const keepAlive = setInterval(() => {
    // Less than last time: it reads, however slowly.
    stalls = response.writableLength > 0 && response.writableLength >= unread ? stalls + 1 : 0;
    if (stalls >= MAX_STALLS) return void response.destroy();
    write([KEEP_ALIVE]);
    unread = response.writableLength;
  }, KEEP_ALIVE_MS);
  keepAlive.unref();
  response.once("close", () => {
    clearInterval(keepAlive);
    onClose?.();
  });
  return {
    send: (json) => write(encodeEventPieces({ event: "message", data: json })),
    sendEvent: (event, data) => write([encodeEvent({ event, data })]),
    end() {
      clearInterval(keepAlive);
      // A peer that vanished reads no end either, and would keep its connection.
      const giveUp = setTimeout(() => response.destroy(), STREAM_END_MS);
      giveUp.unref();
      response.once("close", () => clearTimeout(giveUp));
      response.end();
    },
  };
}
