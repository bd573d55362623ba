import type { IncomingMessage } from "node:http";

/**
 * Reads the body of a request and hands it over once; undefined if it is over `maxBytes`, the rest being thrown away as it
 * comes. If the client goes first, nothing is handed over.
 */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  onBody: (body: Buffer | undefined) => void,
): void {
  const announced = Number(request.headers["content-length"] ?? Number.NaN);
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isOver = false;
  const finish = (body: Buffer | undefined) => {
    if (isOver) return;
    isOver = true;
    onBody(body);
  };
  const finishWhole = () => finish(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));

  if (announced > maxBytes) finish(undefined);
  request.on("data", (chunk: Buffer) => {
    if (isOver) return;
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > maxBytes) finish(undefined);
    // The end is reported a little later than the last byte.
    else if (bytes === announced) finishWhole();
  });
  request.on("end", finishWhole);
}
