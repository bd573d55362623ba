import { createEventAssembly, type EventDecoderOptions } from "./event-assembly.ts";
import { createByteOrderMarkFilter, eachLine } from "./event-lines.ts";

const LF = 0x0a;
const CR = 0x0d;
const NEXT_DATA_LINE = Buffer.from("\ndata: ");
const EVENT_END = Buffer.from("\n\n");

export interface EventFields {
  /** Event type; a reader takes "message" where it is absent. */
  readonly event?: string;
  readonly id?: string;
  /** Reconnection time in milliseconds, a whole number. */
  readonly retry?: number;
}

/**
 * One server-sent event as text. LF, CR and CRLF in `data` each start a new data line; a reader sees LF for them.
 * Throws RangeError for CR, LF or NUL in `event` or `id`, which would let a value write fields of its own, and for a
 * `retry` that is no whole number.
 */
export function encodeEvent(event: EventFields & { readonly data: string }): string {
  return `${encodeFields(event)}data: ${indentLines(event.data, "data: ")}\n\n`;
}

/**
 * The same for data in bytes, as pieces to be written one after another. Data on one line, as JSON is, is not copied;
 * other data comes as one piece, because there may be a million lines.
 */
export function encodeEventPieces(event: EventFields & { readonly data: Uint8Array }): Buffer[] {
  const data = asBuffer(event.data);
  const pieces: Buffer[] = [Buffer.from(`${encodeFields(event)}data: `)];
  const last = eachLine(data, 0, (line) => pieces.push(line, NEXT_DATA_LINE));
  pieces.push(data.subarray(last), EVENT_END);
  return last === 0 ? pieces : [Buffer.concat(pieces)];
}

/** A comment, which a reader ignores: the keep-alive of a stream. */
export function encodeComment(text: string): string {
  return `: ${indentLines(text, ": ")}\n\n`;
}

function indentLines(text: string, prefix: string): string {
  const hasLineEnd = text.includes("\n") || text.includes("\r");
  return hasLineEnd ? text.replace(/\r\n|\r|\n/g, `\n${prefix}`) : text;
}

function encodeFields({ event, id, retry }: EventFields): string {
  const typeLine = event === undefined ? "" : `event: ${oneLine("event", event)}\n`;
  const idLine = id === undefined ? "" : `id: ${oneLine("id", id)}\n`;
  const retryLine = retry === undefined ? "" : `retry: ${wholeNumber(retry)}\n`;
  return typeLine + idLine + retryLine;
}

function oneLine(field: string, value: string): string {
  if (!/[\r\n\0]/.test(value)) return value;
  throw new RangeError(`cannot encode the event: ${field} must not contain CR, LF or NUL`);
}

function wholeNumber(milliseconds: number): number {
  if (Number.isSafeInteger(milliseconds) && milliseconds >= 0) return milliseconds;
  throw new RangeError("cannot encode the event: retry must be a whole number of milliseconds");
}

export interface EventDecoder {
  /** Keeps views of `chunk` until the event in it has ended: the caller must not write to it afterwards. */
  push(chunk: Uint8Array): void;
  /**
   * Ends the stream. A browser throws an unfinished event away; here it is delivered with `terminated: false`, since
   * servers that close without the last blank line are common and a JSON message that was cut off cannot parse. A
   * last line without a line end counts only if it is a data line: half an id would be a wrong one.
   */
  end(): void;
  /** The value for `Last-Event-ID`: the id of the last event that ended, "" before the first. */
  readonly lastEventId: string;
}

/** Reads `text/event-stream` (WHATWG HTML §9.2.6) from chunks of any size, in time linear in the bytes. */
export function createEventDecoder(options: EventDecoderOptions): EventDecoder {
  const events = createEventAssembly(options);
  const dropByteOrderMark = createByteOrderMarkFilter();
  let afterCarriageReturn = false;

  function push(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const start = afterCarriageReturn && bytes[0] === LF ? 1 : 0;
    const rest = eachLine(bytes, start, events.endLine);
    if (rest < bytes.length) events.addToLine(bytes.subarray(rest));
    afterCarriageReturn = bytes.at(-1) === CR;
  }

  return {
    push(chunk) {
      push(dropByteOrderMark.push(asBuffer(chunk)));
    },
    end() {
      push(dropByteOrderMark.end());
      events.endStream();
    },
    get lastEventId() {
      return events.lastEventId();
    },
  };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
