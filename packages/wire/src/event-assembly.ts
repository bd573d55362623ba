import { createOversizeRecorder, type Oversize, type OversizeRecorder } from "./oversize.ts";
import { createPieces } from "./pieces.ts";

const COLON = 0x3a;
const SPACE = 0x20;
const LINE_FEED = Buffer.from("\n");
/** So many bytes tell a data line from every other. */
const DATA_PREFIX_BYTES = "data: ".length;

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
  /** The reconnection time that the server asks for, in milliseconds: a whole number, maybe more than a timer takes. */
  onRetry?(milliseconds: number): void;
}

export interface EventAssembly {
  /** Takes bytes of a line that goes on. */
  addToLine(part: Buffer): void;
  /** Takes the last bytes of a line, which may be none. */
  endLine(rest: Buffer): void;
  endStream(): void;
  lastEventId(): string;
}

/** Gathers lines, which may come in parts, to events. */
export function createEventAssembly(options: EventDecoderOptions): EventAssembly {
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
      takeLine(line.end(rest));
    } else {
      passOn(rest);
    }
    passOn = undefined;
    lineBegun = false;
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
    const milliseconds = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isSafeInteger(milliseconds)) onRetry?.(milliseconds);
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
