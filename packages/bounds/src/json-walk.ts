import { JsonSyntaxError, type JsonSyntaxReason } from "./json-error.ts";
import { LimitError } from "./limit.ts";

/** What a JSON value without parts is. */
export type JsonScalarKind = "string" | "number" | "boolean" | "null";
/** What a JSON value is. */
export type JsonKind = "object" | "array" | JsonScalarKind;

/** Bounds of a scan. A missing one does not bind. */
export interface JsonLimits {
  /** Containers inside each other: `[]` has depth 1. */
  readonly maxDepth?: number | undefined;
  /** Values of every kind; keys do not count. */
  readonly maxValues?: number | undefined;
}

/** The bytes that are walked, and a view to read them by words once a long string asks for it. */
export interface Source {
  readonly bytes: Buffer;
  view: DataView | undefined;
}

/** What a walk tells whoever listens, in the order of the text; offsets are bytes. */
export interface Listener {
  open(isObject: boolean, start: number, depth: number): void;
  close(isObject: boolean, end: number, depth: number): void;
  key(start: number, end: number, depth: number): void;
  scalar(kind: JsonScalarKind, start: number, end: number, depth: number): void;
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

export function sourceOf(input: Uint8Array): Source {
  const bytes = Buffer.isBuffer(input)
    ? input
    : Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  return { bytes, view: undefined };
}

/**
 * Walks the value that starts at `start` and returns the offset after it. With or without a listener it accepts exactly
 * what `JSON.parse` accepts, except that it does not look at UTF-8.
 */
export function walkValue(
  source: Source,
  start: number,
  listener?: Listener,
  maxDepth = Infinity,
  maxValues = Infinity,
): number {
  const { bytes } = source;
  let at = start;
  let values = 0;
  let depth = 0;
  // Which of the containers around are objects: a bit for each of the innermost 32 at most, the others in `outer`.
  let inner = 0;
  let outer: number[] | undefined;

  for (;;) {
    values++;
    if (values > maxValues) throw new LimitError("values", maxValues, values);
    const first = byteAt(bytes, at);
    if (first === OPEN_OBJECT || first === OPEN_ARRAY) {
      const isObject = first === OPEN_OBJECT;
      if (depth >= maxDepth) throw new LimitError("depth", maxDepth, depth + 1);
      listener?.open(isObject, at, depth);
      if (depth > 0 && (depth & 31) === 0) {
        outer ??= [];
        outer.push(inner);
      }
      inner = (inner << 1) | (isObject ? 1 : 0);
      depth++;
      at = skipSpace(bytes, at + 1);
      if (byteAt(bytes, at) !== (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
        if (isObject) at = walkKey(source, at, listener, depth);
        continue;
      }
    } else {
      const end = skipScalar(source, at);
      listener?.scalar(scalarKind(first), at, end, depth);
      at = end;
      if (depth === 0) return at;
      at = skipSpace(bytes, at);
    }

    // Behind a value or in front of the end of an empty container: close all that ends here, up to a comma.
    for (;;) {
      const isObject = (inner & 1) === 1;
      const next = byteAt(bytes, at);
      if (next === COMMA) {
        at = skipSpace(bytes, at + 1);
        if (isObject) at = walkKey(source, at, listener, depth);
        break;
      }
      if (next !== (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) failUnclosed(bytes, at, isObject);
      at++;
      depth--;
      inner = depth > 0 && (depth & 31) === 0 ? outer!.pop()! : inner >>> 1;
      listener?.close(isObject, at, depth);
      if (depth === 0) return at;
      at = skipSpace(bytes, at);
    }
  }
}

/** Walks a key and its colon, and returns where the value starts. */
function walkKey(source: Source, start: number, listener: Listener | undefined, depth: number) {
  const end = skipKey(source, start);
  listener?.key(start, end, depth);
  return skipColon(source.bytes, end);
}

export function skipKey(source: Source, start: number): number {
  if (byteAt(source.bytes, start) !== QUOTE)
    fail(source.bytes, start, "expected a key in double quotes");
  return skipString(source, start);
}

/** From the end of a key to the start of its value. */
export function skipColon(bytes: Buffer, start: number): number {
  const at = skipSpace(bytes, start);
  if (byteAt(bytes, at) !== COLON) fail(bytes, at, "expected a colon");
  return skipSpace(bytes, at + 1);
}

/** The kind of the value that starts at an offset, from its first byte alone. */
export function kindAt(bytes: Buffer, start: number): JsonKind {
  const first = byteAt(bytes, start);
  if (first === OPEN_OBJECT) return "object";
  if (first === OPEN_ARRAY) return "array";
  return scalarKind(first);
}

function scalarKind(first: number): JsonScalarKind {
  if (first === QUOTE) return "string";
  if (first === LOWER_N) return "null";
  return first === LOWER_T || first === LOWER_F ? "boolean" : "number";
}

function skipScalar(source: Source, start: number): number {
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
  while (isDigit(byteAt(bytes, at))) at++;
  if (at === start) fail(bytes, at, "a number is malformed");
  return at;
}

/** From an opening quote to behind its closing one. Checks all but UTF-8. */
export function skipString(source: Source, start: number): number {
  const { bytes } = source;
  let at = start + 1;
  for (;;) {
    at = skipPlain(source, start, at);
    const stop = byteAt(bytes, at);
    if (stop === QUOTE) return at + 1;
    if (stop !== BACKSLASH) fail(bytes, at, "a string holds a raw control character");
    at = skipEscape(bytes, at);
  }
}

function skipEscape(bytes: Buffer, start: number): number {
  const letter = byteAt(bytes, start + 1);
  if (letter !== LOWER_U) {
    if (ESCAPES[letter] !== 1) fail(bytes, start + 1, "an escape in a string is malformed");
    return start + 2;
  }
  for (let at = start + 2; at < start + 6; at++)
    if (!isHex(byteAt(bytes, at))) fail(bytes, at, "an escape in a string is malformed");
  return start + 6;
}

/** How long a string must be for the making of a view to pay. */
const BYTES_BEFORE_VIEW = 32;

/** To the next byte that stops a run of plain characters in the string that starts at `quote`, or to the end. */
function skipPlain(source: Source, quote: number, start: number): number {
  const { bytes } = source;
  if (source.view !== undefined) return skipPlainWords(bytes, source.view, start);
  const near = Math.min(bytes.length, quote + BYTES_BEFORE_VIEW);
  const at = skipPlainBytes(bytes, start, near);
  if (at < near || near === bytes.length) return at;
  source.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return skipPlainWords(bytes, source.view, at);
}

function skipPlainBytes(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && STOPS[bytes[at]!] === 0) at++;
  return at;
}

/** Takes 4 bytes at once: two to four times as fast as single ones. */
function skipPlainWords(bytes: Buffer, view: DataView, start: number): number {
  const last = bytes.length - 4;
  let at = start;
  for (; at <= last; at += 4) {
    const stops = stopsIn(view.getInt32(at, true));
    if (stops !== 0) return at + ((31 - Math.clz32(stops & -stops)) >>> 3);
  }
  return skipPlainBytes(bytes, at, bytes.length);
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
  let at = start;
  for (;;) {
    const byte = byteAt(bytes, at);
    if (byte > SPACE) return at;
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
