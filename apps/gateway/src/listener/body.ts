import type { IncomingMessage } from "node:http";

/**
 * Reads the body of a request; undefined once it is over `maxBytes`, the rest being thrown away as it comes. Rejects if
 * the client goes first.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > maxBytes) {
    request.resume();
    return Promise.resolve(undefined);
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
      else {
        chunks.length = 0;
        resolve(undefined);
      }
    });
    request.on("end", () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    request.on("close", () => {
      if (!request.complete) reject(new Error("the client closed the connection"));
    });
    request.on("error", reject);
  });
}
