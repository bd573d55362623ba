import type { ServerResponse } from "node:http";
import { encodeComment, encodeEventPieces } from "@core/wire";
import { KEEP_ALIVE_MS, MAX_STREAM_BACKLOG_BYTES } from "../limits.ts";

const HEADERS = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache, no-transform",
  // nginx would hold events back until its buffer is full.
  "X-Accel-Buffering": "no",
};
const KEEP_ALIVE = encodeComment("keep-alive");

/** An open response of server-sent events, each one JSON-RPC message. */
export interface EventStream {
  send(json: Buffer): void;
  end(): void;
}

/** Opens the stream; comments keep it alive until it ends or the client goes. `onClose` is called once, whoever closed. */
export function openEventStream(response: ServerResponse, onClose?: () => void): EventStream {
  response.writeHead(200, HEADERS);
  response.flushHeaders();

  const write = (pieces: readonly (string | Uint8Array)[]) => {
    if (response.writableEnded || response.destroyed) return;
    // What a client does not read must not pile up here.
    if (response.writableLength > MAX_STREAM_BACKLOG_BYTES) {
      response.destroy();
      return;
    }
    response.cork();
    for (const piece of pieces) response.write(piece);
    response.uncork();
  };
  const keepAlive = setInterval(() => write([KEEP_ALIVE]), KEEP_ALIVE_MS);
  keepAlive.unref();
  response.once("close", () => {
    clearInterval(keepAlive);
    onClose?.();
  });
  return {
    send: (json) => write(encodeEventPieces({ event: "message", data: json })),
    end() {
      clearInterval(keepAlive);
      response.end();
    },
  };
}
