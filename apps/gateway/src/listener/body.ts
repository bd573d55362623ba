import type { IncomingMessage } from "node:http";

/**
 * Reads the body of a request and hands it over; undefined if it is over `maxBytes`, the rest being thrown away as it
 * comes. If the client goes first, nothing is handed over.
 */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  onBody: (body: Buffer | undefined) => void,
): void {
  const chunks: Buffer[] = [];
  let left = maxBytes;
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) {
    request.resume();
    onBody(undefined);
    return;
  }
  request.on("data", (chunk: Buffer) => {
    const fitted = left >= 0;
    left -= chunk.length;
    if (left >= 0) chunks.push(chunk);
    else if (fitted) onBody(undefined);
  });
  request.on("end", () => {
    if (left >= 0) onBody(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
  });
}
