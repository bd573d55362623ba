import { JsonSyntaxError, type JsonSyntaxReason } from "./json-error.ts";

/** What a JSON value without parts is. */
export type JsonScalarKind = "string" | "number" | "boolean" | "null";
/** What a JSON value is. */
export type JsonKind = "object" | "array" | JsonScalarKind;

/** Bytes to read, one by one and by words of 4 at any offset. */
export interface Source {
  readonly bytes: Buffer;
  readonly view: DataView;
}

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
export const QUOTE = 0x22;
const PLUS = 0x2b;
export const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_ARRAY = 0x5d;
const LOWER_A = 0x61;
const LOWER_E = 0x65;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const LOWER_U = 0x75;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
/** What reading past the end gives. */
const END = -1;

/** 1 for the bytes at which a run of plain string characters stops: the quote, the backslash, control characters. */
const STOPS = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === QUOTE || byte === BACKSLASH || byte < SPACE ? 1 : 0,
);
/** 1 for the letters that stand alone behind a backslash. */
const ESCAPES = Uint8Array.from({ length: 256 }, (_, byte) =>
  '"\\/bfnrt'.includes(String.fromCharCode(byte)) ? 1 : 0,
);

/** By the first byte, what a value is; a number where there is none, or what is no value at all. */
const KINDS = Array.from({ length: 256 }, (_, byte): JsonKind => {
  if (byte === OPEN_OBJECT) return "object";
  if (byte === OPEN_ARRAY) return "array";
  if (byte === QUOTE) return "string";
  if (byte === LOWER_N) return "null";
  return byte === LOWER_T || byte === LOWER_F ? "boolean" : "number";
});

export function sourceOf(input: Uint8Array): Source {
  const bytes = bytesOf(input);
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) };
}

/** What making a view costs, in bytes copied. */
const SCRATCH_BYTES = 4096;
const scratch = new Uint8Array(SCRATCH_BYTES);
const scratchView = new DataView(scratch.buffer);

/**
 * A source that is good until the next one of these is made, so for readers that call nobody meanwhile. A small input is
 * copied to where a view is already.
 */
export function passingSourceOf(input: Uint8Array): Source {
  if (input.length > SCRATCH_BYTES) return sourceOf(input);
  scratch.set(input);
  return { bytes: bytesOf(input), view: scratchView };
}

export function bytesOf(input: Uint8Array): Buffer {
  if (Buffer.isBuffer(input)) return input;
  return Buffer.from(input.buffer, input.byteOffset, input.byteLength);
}

/**
 * Skips the value that starts at `start` and returns the offset after it. Accepts exactly what `JSON.parse` accepts, except
 * that it does not look at UTF-8. Without recursion: a level costs one bit.
 */
export function skipValue(source: Source, start: number): number {
  const { bytes } = source;
  let at = start;
  let depth = 0;
  // Which of the containers around are objects: a bit for each of the innermost 32 at most, the others in `outer`.
  let inner = 0;
  let outer: number[] | undefined;

  for (;;) {
    const first = byteAt(bytes, at);
    if (first === OPEN_OBJECT || first === OPEN_ARRAY) {
      const isObject = first === OPEN_OBJECT;
      if (depth > 0 && (depth & 31) === 0) {
        outer ??= [];
        outer.push(inner);
      }
      inner = (inner << 1) | (isObject ? 1 : 0);
      depth++;
      at = skipSpace(bytes, at + 1);
      if (byteAt(bytes, at) !== (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
        if (isObject) at = skipColon(bytes, skipKey(source, at));
        continue;
      }
    } else {
      at = skipScalar(source, at);
      if (depth === 0) return at;
      at = skipSpace(bytes, at);
    }

    // Behind a value or in front of the end of an empty container: close all that ends here, up to a comma.
    for (;;) {
      const isObject = (inner & 1) === 1;
      const next = byteAt(bytes, at);
      if (next === COMMA) {
        at = skipSpace(bytes, at + 1);
        if (isObject) at = skipColon(bytes, skipKey(source, at));
        break;
      }
      if (next !== (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) failUnclosed(bytes, at, isObject);
      at++;
      depth--;
      inner = depth > 0 && (depth & 31) === 0 ? outer!.pop()! : inner >>> 1;
      if (depth === 0) return at;
      at = skipSpace(bytes, at);
    }
  }
}

export function skipKey(source: Source, start: number): number {
  if (byteAt(source.bytes, start) !== QUOTE)
    fail(source.bytes, start, "expected a key in double quotes");
  return skipString(source, start);
}

/** From the end of a key to the start of its value. */
export function skipColon(bytes: Buffer, start: number): number {
  // Most writers put no space around it.
  if (start + 1 < bytes.length && bytes[start] === COLON && bytes[start + 1]! > SPACE)
    return start + 1;
  const at = skipSpace(bytes, start);
  if (byteAt(bytes, at) !== COLON) fail(bytes, at, "expected a colon");
  return skipSpace(bytes, at + 1);
}

/** The kind of the value that starts at an offset, from its first byte alone. */
export function kindAt(bytes: Buffer, start: number): JsonKind {
  return start < bytes.length ? KINDS[bytes[start]!]! : "number";
}

export function skipScalar(source: Source, start: number): number {
  const { bytes } = source;
  const first = byteAt(bytes, start);
  if (first === QUOTE) return skipString(source, start);
  if (first === MINUS || isDigit(first)) return skipNumber(bytes, start);
  if (first === LOWER_T) return skipWord(bytes, start, "true");
  if (first === LOWER_F) return skipWord(bytes, start, "false");
  if (first === LOWER_N) return skipWord(bytes, start, "null");
  return fail(bytes, start, "expected a value");
}

function skipWord(bytes: Buffer, start: number, word: string): number {
  for (let index = 0; index < word.length; index++)
    if (byteAt(bytes, start + index) !== word.charCodeAt(index))
      fail(bytes, start + index, "expected a value");
  return start + word.length;
}

function skipNumber(bytes: Buffer, start: number): number {
  let at = byteAt(bytes, start) === MINUS ? start + 1 : start;
  at = byteAt(bytes, at) === ZERO ? at + 1 : skipDigits(bytes, at);
  if (byteAt(bytes, at) === DOT) at = skipDigits(bytes, at + 1);
  if ((byteAt(bytes, at) | 0x20) !== LOWER_E) return at;
  const sign = byteAt(bytes, at + 1);
  return skipDigits(bytes, sign === PLUS || sign === MINUS ? at + 2 : at + 1);
}

function skipDigits(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && isDigit(bytes[at]!)) at++;
  if (at === start) fail(bytes, at, "a number is malformed");
  return at;
}

/** From an opening quote to behind its closing one. Checks all but UTF-8. */
export function skipString(source: Source, start: number): number {
  const { bytes } = source;
  let at = start + 1;
  for (;;) {
    at = skipPlain(source, at);
    const stop = byteAt(bytes, at);
    if (stop === QUOTE) return at + 1;
    if (stop !== BACKSLASH) fail(bytes, at, "a string holds a raw control character");
    at = ESCAPES[byteAt(bytes, at + 1)] === 1 ? at + 2 : skipCodeUnit(bytes, at);
  }
}

/** To the next stop or the end, 4 bytes at a time: two to four times as fast as single ones. */
function skipPlain({ bytes, view }: Source, start: number): number {
  const last = bytes.length - 4;
  let at = start;
  for (; at <= last; at += 4) {
    const stops = stopsIn(view.getInt32(at, true));
    if (stops !== 0) return at + ((31 - Math.clz32(stops & -stops)) >>> 3);
  }
  while (at < bytes.length && STOPS[bytes[at]!] === 0) at++;
  return at;
}

/** Skips an escape that is no single letter. */
function skipCodeUnit(bytes: Buffer, start: number): number {
  const isUnit = byteAt(bytes, start + 1) === LOWER_U;
  if (!isUnit) fail(bytes, start + 1, "an escape in a string is malformed");
  for (let at = start + 2; at < start + 6; at++)
    if (!isHex(byteAt(bytes, at))) fail(bytes, at, "an escape in a string is malformed");
  return start + 6;
}

/**
 * 0 for 4 bytes without a stop; else the lowest bit that is set is the top one of the first stop. Exclusive or with 2
 * swaps the quote 0x22 with 0x20, so that all stops but the backslash are below 0x21, and the backslash becomes 0 by its
 * own. What is below borrows in the subtraction and gets its top bit set; where that was set before, it is no stop.
 */
function stopsIn(word: number): number {
  return (
    (((word ^ 0x02020202) - 0x21212121) | ((word ^ 0x5c5c5c5c) - 0x01010101)) & ~word & 0x80808080
  );
}

export function skipSpace(bytes: Buffer, start: number): number {
  return start < bytes.length && bytes[start]! > SPACE ? start : skipSpaces(bytes, start);
}

/** Apart from {@link skipSpace}, so that V8 inlines the usual case that there is none. */
function skipSpaces(bytes: Buffer, start: number): number {
  let at = start;
  for (;;) {
    const byte = byteAt(bytes, at);
    if (byte !== SPACE && byte !== LF && byte !== CR && byte !== TAB) return at;
    at++;
  }
}

export function byteAt(bytes: Buffer, at: number): number {
  return at < bytes.length ? bytes[at]! : END;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

function isHex(byte: number): boolean {
  const letter = byte | 0x20;
  return isDigit(byte) || (letter >= LOWER_A && letter <= LOWER_F);
}

/** Nothing but space may stand between `start` and the end. */
export function requireEnd(bytes: Buffer, start: number): void {
  const at = skipSpace(bytes, start);
  if (at < bytes.length) fail(bytes, at, "something follows the value");
}

export function failUnclosed(bytes: Buffer, at: number, isObject: boolean): never {
  const reason = isObject
    ? "expected a comma or the end of the object"
    : "expected a comma or the end of the array";
  return fail(bytes, at, reason);
}

export function fail(bytes: Buffer, at: number, reason: JsonSyntaxReason): never {
  throw new JsonSyntaxError(at, at < bytes.length ? reason : "the text ends too early");
}
