import { LimitError } from "@core/bounds";

const LF = 0x0a;
const CR = 0x0d;
const DATA = "data:";
const ID = "id:";
/** Bytes of a line that tell its field, and whether a blank follows, which is no part of the value. */
const HEAD_BYTES = DATA.length + 1;

/** Watches the body of a response while it passes, without decoding it. */
export interface EventWatch {
  /** Counts a chunk. Throws `LimitError` "message" when one message grows over the maximum. */
  push(chunk: Uint8Array): void;
  /** Whether an event named an id, by which the stream could be taken up again. */
  readonly hasId: boolean;
}

/** A message is the data of one event of a `text/event-stream`, where `isEvents`, and the whole body otherwise. */
export function watchEvents(maxMessageBytes: number, isEvents: boolean): EventWatch {
  return isEvents ? watchStream(maxMessageBytes) : watchBody(maxMessageBytes);
}

function watchBody(maximum: number): EventWatch {
  let bytes = 0;
  return {
    push(chunk) {
      bytes += chunk.length;
      if (bytes > maximum) throw new LimitError("message", maximum, bytes);
    },
    hasId: false,
  };
}

function watchStream(maximum: number): EventWatch {
  /** The bytes of the event's earlier lines: of its data, and of all other fields, which may be as long again. */
  let event = { data: 0, other: 0 };
  let line = { head: "", bytes: 0 };
  let hasId = false;

  /** The event so far, with the line that is being read. */
  function measure(): { data: number; other: number } {
    const { head, bytes } = line;
    if (!head.startsWith(DATA)) return { ...event, other: event.other + bytes };
    const prefix = head[DATA.length] === " " ? HEAD_BYTES : DATA.length;
    return { ...event, data: event.data + bytes - prefix };
  }

  function addToLine(part: Uint8Array): void {
    if (line.bytes < HEAD_BYTES)
      line.head += Buffer.from(part.subarray(0, HEAD_BYTES - line.bytes)).toString("latin1");
    line.bytes += part.length;
    hasId ||= line.head.startsWith(ID);
    const { data, other } = measure();
    const longest = Math.max(data, other);
    if (longest > maximum) throw new LimitError("message", maximum, longest);
  }

  function endLine(): void {
    event = line.bytes === 0 ? { data: 0, other: 0 } : measure();
    line = { head: "", bytes: 0 };
  }

  return {
    push(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
        addToLine(chunk.subarray(start, chunk[end - 1] === CR && end > start ? end - 1 : end));
        endLine();
        start = end + 1;
      }
      addToLine(chunk.subarray(start));
    },
    get hasId() {
      return hasId;
    },
  };
}
