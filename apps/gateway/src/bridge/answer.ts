import type { IncomingMessage } from "node:http";
import { createByteGate } from "@core/bounds";
import { createEventDecoder } from "@core/wire";
import { MAX_BRIDGED_BYTES } from "../limits.ts";

/**
 * Hands over the messages of a response, one JSON text each, as they come. Resolves at the end; rejects if the response is
 * cut off, and with LimitError for a body over the limit.
 */
export async function readMessages(
  response: IncomingMessage,
  onMessage: (json: Buffer) => void,
): Promise<void> {
  if (!/^text\/event-stream\b/i.test(response.headers["content-type"] ?? "")) {
    const body = await readBody(response);
    if (body.length > 0) onMessage(body);
    return;
  }
  const decoder = createEventDecoder({
    maxEventBytes: MAX_BRIDGED_BYTES,
    onEvent: ({ data }) => {
      if (data !== "") onMessage(Buffer.from(data));
    },
    // The answer that is missed then is told by whoever waits for it.
    onOversize: () => {},
  });
  for await (const chunk of response) decoder.push(chunk as Buffer);
  decoder.end();
}

async function readBody(response: IncomingMessage): Promise<Buffer> {
  const gate = createByteGate({ maximum: MAX_BRIDGED_BYTES, limit: "message" });
  const chunks: Buffer[] = [];
  for await (const chunk of response) {
    gate.push(chunk as Buffer);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
