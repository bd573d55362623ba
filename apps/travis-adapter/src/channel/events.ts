import { LimitError } from "@core/bounds";

const LF = 0x0a;
const CR = 0x0d;
const ID_FIELD = Buffer.from("id:");

/** Watches the body of a response while it passes, without decoding it. */
export interface EventWatch {
  /** Counts a chunk. Throws `LimitError` "message" when one message grows over the maximum. */
  push(chunk: Uint8Array): void;
  /** Whether an event named an id, by which the stream could be taken up again. */
  readonly hasId: boolean;
}

/** A message is one event of a `text/event-stream`, where `isEvents`, and the whole body otherwise. */
export function watchEvents(maxMessageBytes: number, isEvents: boolean): EventWatch {
  let messageBytes = 0;
  let lineBytes = 0;
  let idBytes = 0;
  let hasId = false;

  function addToLine(part: Uint8Array): void {
    for (const byte of part.subarray(0, ID_FIELD.length)) {
      if (lineBytes === idBytes && byte === ID_FIELD[idBytes]) idBytes++;
      lineBytes++;
    }
    lineBytes += Math.max(0, part.length - ID_FIELD.length);
    if (idBytes === ID_FIELD.length) hasId = true;
    messageBytes += part.length;
    if (messageBytes > maxMessageBytes)
      throw new LimitError("message", maxMessageBytes, messageBytes);
  }

  function endLine(isBlank: boolean): void {
    if (isBlank) messageBytes = 0;
    lineBytes = 0;
    idBytes = 0;
  }

  return {
    push(chunk) {
      let start = 0;
      let end = isEvents ? chunk.indexOf(LF) : -1;
      for (; end !== -1; end = chunk.indexOf(LF, start)) {
        const part = chunk.subarray(start, chunk[end - 1] === CR && end > start ? end - 1 : end);
        addToLine(part);
        endLine(lineBytes === 0);
        start = end + 1;
      }
      addToLine(chunk.subarray(start));
    },
    get hasId() {
      return isEvents && hasId;
    },
  };
}
