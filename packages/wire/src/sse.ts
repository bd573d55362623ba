import { createOversizeRecorder, type Oversize, type OversizeRecorder } from "./oversize.ts";
import { createPieces } from "./pieces.ts";

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const LINE_FEED = Buffer.from("\n");
const NEXT_DATA_LINE = Buffer.from("\ndata: ");
const EVENT_END = Buffer.from("\n\n");
/** So many bytes tell a data line from every other. */
const DATA_PREFIX_BYTES = "data: ".length;

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

/** The same for data in bytes, as pieces to be written one after another: `data` itself is not copied. */
export function encodeEventPieces(event: EventFields & { readonly data: Uint8Array }): Buffer[] {
  const data = asBuffer(event.data);
  const pieces: Buffer[] = [Buffer.from(`${encodeFields(event)}data: `)];
  const last = eachLine(data, 0, (line) => pieces.push(line, NEXT_DATA_LINE));
  pieces.push(data.subarray(last), EVENT_END);
  return pieces;
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

export interface ServerSentEvent {
  /** Event type, "message" where the stream names none. */
  readonly event: string;
  /** The latest id in the stream, "" before the first. */
  readonly id: string;
  readonly data: string;
  /** False where the stream ended before the blank line that ends an event: the data may be cut off. */
  readonly terminated: boolean;
}

export interface EventDecoderOptions {
  /** Cap of one event: its lines in bytes with their field names, without line ends and comments. */
  readonly maxEventBytes: number;
  /** Must not throw. */
  onEvent(event: ServerSentEvent): void;
  /** Called once for an event over the cap, when it ends, with both ends of its data. The events around it are unharmed. */
  onOversize(oversize: Oversize): void;
  /** The reconnection time that the server asks for, in milliseconds. */
  onRetry?(milliseconds: number): void;
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

/** Gathers lines, which may come in parts, to events. */
function createEventAssembly(options: EventDecoderOptions) {
  const { maxEventBytes, onEvent, onOversize, onRetry } = options;
  const line = createPieces();
  /** Where the rest of the present line goes when it is not kept. */
  let passOn: ((part: Buffer) => void) | undefined;
  let lineBegun = false;

  const data = createPieces();
  let oversize: OversizeRecorder | undefined;
  let hasData = false;
  let eventBytes = 0;
  let eventType = "";
  let idSoFar = "";
  let lastEventId = "";

  function addToLine(part: Buffer): void {
    if (!lineBegun && part[0] === COLON) passOn = ignore;
    lineBegun = true;
    if (passOn !== undefined) {
      passOn(part);
      return;
    }
    line.add(part);
    if (line.bytes >= DATA_PREFIX_BYTES && eventBytes + line.bytes > maxEventBytes) passLineOn();
  }

  /** The event is over its cap in the middle of a line: what is held goes to the recorder, and what comes follows it. */
  function passLineOn(): void {
    const recorder = giveUpEvent();
    const { name, value } = readField(line.take());
    if (name === "data") addData(value);
    passOn = name === "data" ? recorder.add : ignore;
  }

  function giveUpEvent(): OversizeRecorder {
    if (oversize === undefined) {
      oversize = createOversizeRecorder();
      oversize.add(data.take());
    }
    return oversize;
  }

  function endLine(rest: Buffer): void {
    if (passOn === undefined) {
      takeLine(wholeLine(rest));
    } else {
      passOn(rest);
    }
    passOn = undefined;
    lineBegun = false;
  }

  function wholeLine(rest: Buffer): Buffer {
    if (line.bytes === 0) return rest;
    line.add(rest);
    return line.take();
  }

  function takeLine(whole: Buffer): void {
    if (whole.length === 0) {
      lastEventId = idSoFar;
      endEvent(true);
    } else if (whole[0] !== COLON) {
      eventBytes += whole.length;
      if (eventBytes > maxEventBytes) giveUpEvent();
      takeField(readField(whole));
    }
  }

  /** An event over its cap is not trusted with an id or a reconnection time any more. */
  function takeField({ name, value }: Field): void {
    if (name === "data") addData(value);
    if (oversize !== undefined) return;
    if (name === "event") eventType = value.toString("utf8");
    if (name === "id" && !value.includes(0)) idSoFar = value.toString("utf8");
    if (name === "retry") takeRetry(value.toString("latin1"));
  }

  function takeRetry(text: string): void {
    if (/^[0-9]+$/.test(text)) onRetry?.(Number(text));
  }

  function addData(value: Buffer): void {
    const target = oversize ?? data;
    if (hasData) target.add(LINE_FEED);
    target.add(value);
    hasData = true;
  }

  function endEvent(terminated: boolean): void {
    const event = eventType === "" ? "message" : eventType;
    const report = oversize?.report();
    const isEvent = hasData;
    const text = data.take().toString("utf8");
    oversize = undefined;
    hasData = false;
    eventBytes = 0;
    eventType = "";
    if (report !== undefined) onOversize(report);
    else if (isEvent) onEvent({ event, id: idSoFar, data: text, terminated });
  }

  function endStream(): void {
    const unended = line.take();
    if (readField(unended).name === "data") takeLine(unended);
    passOn = undefined;
    lineBegun = false;
    endEvent(false);
  }

  return { addToLine, endLine, endStream, lastEventId: () => lastEventId };
}

function ignore(): void {}

interface Field {
  readonly name: string;
  readonly value: Buffer;
}

function readField(line: Buffer): Field {
  const colon = line.indexOf(COLON);
  if (colon === -1) return { name: line.toString("latin1"), value: line.subarray(line.length) };
  const start = line[colon + 1] === SPACE ? colon + 2 : colon + 1;
  return { name: line.toString("latin1", 0, colon), value: line.subarray(start) };
}

/** Calls `onLine` for each line ended by LF, CR or CRLF and returns where the unended rest starts. Linear in the bytes. */
function eachLine(bytes: Buffer, from: number, onLine: (line: Buffer) => void): number {
  let start = from;
  let lf = bytes.indexOf(LF, start);
  let cr = bytes.indexOf(CR, start);
  while (lf !== -1 || cr !== -1) {
    const end = lf === -1 || (cr !== -1 && cr < lf) ? cr : lf;
    onLine(bytes.subarray(start, end));
    start = end === cr && lf === cr + 1 ? end + 2 : end + 1;
    if (lf !== -1 && lf < start) lf = bytes.indexOf(LF, start);
    if (cr !== -1 && cr < start) cr = bytes.indexOf(CR, start);
  }
  return start;
}

/** Drops a byte order mark at the start of the stream, even if it comes in several chunks. */
function createByteOrderMarkFilter() {
  const mark = Buffer.from([0xef, 0xbb, 0xbf]);
  let head: Buffer | undefined = Buffer.alloc(0);

  return {
    push(chunk: Buffer): Buffer {
      if (head === undefined) return chunk;
      head = Buffer.concat([head, chunk]);
      if (head.length < mark.length && mark.subarray(0, head.length).equals(head))
        return Buffer.alloc(0);
      const start = head.subarray(0, mark.length).equals(mark) ? head.subarray(mark.length) : head;
      head = undefined;
      return start;
    },
    end(): Buffer {
      const rest = head ?? Buffer.alloc(0);
      head = undefined;
      return rest;
    },
  };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
