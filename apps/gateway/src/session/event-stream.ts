import type { ServerResponse } from "node:http";
import { encodeComment, encodeEvent, encodeEventPieces } from "@core/wire";
import { KEEP_ALIVE_MS, MAX_STREAM_BACKLOG_BYTES } from "../limits.ts";
import { cutWhenUnread } from "./unread.ts";

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
 * Opens the stream; comments keep it alive until it ends or the client goes. `onClose` is called once, whoever closed. A
 * client that leaves more than the backlog unread, or takes nothing for long, is cut off.
 */
export function openEventStream(
  response: ServerResponse,
  onClose?: () => void,
  maxBacklogBytes = MAX_STREAM_BACKLOG_BYTES,
): EventStream {
  response.writeHead(200, HEADERS);
  response.flushHeaders();
  cutWhenUnread(response);

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
  const keepAlive = setInterval(() => {
    // Behind what is unread it would tell nothing, and make the connection look busy.
    if (response.writableLength === 0) write([KEEP_ALIVE]);
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
      response.end();
    },
  };
}
