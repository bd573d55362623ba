import { isUtf8 } from "node:buffer";
import { LimitError } from "./limit.ts";
import { bytesAt, unitsAt } from "./measure.ts";

/** What a JSON value is. */
export type JsonKind = "object" | "array" | JsonScalarKind;
/** What a JSON value without parts is. */
export type JsonScalarKind = "string" | "number" | "boolean" | "null";

/** Why a text is not JSON. */
export type JsonSyntaxReason =
  | "the text ends too early"
  | "expected a value"
  | "expected an object"
  | "expected an array"
  | "expected a string"
  | "expected a key in double quotes"
  | "expected a colon"
  | "expected a comma or the end of the object"
  | "expected a comma or the end of the array"
  | "a number is malformed"
  | "a string holds a raw control character"
  | "an escape in a string is malformed"
  | "the bytes are not UTF-8"
  | "something follows the value";

/**
 * A text is not JSON. `offset` counts as the input does: bytes, or UTF-16 units of a text. Holds nothing of the
 * input.
 */
export class JsonSyntaxError extends Error {
  readonly code = "JSON_SYNTAX";
  readonly offset: number;
  readonly reason: JsonSyntaxReason;

  constructor(offset: number, reason: JsonSyntaxReason) {
    super(`Cannot read JSON at offset ${offset}: ${reason}.`);
    this.name = "JsonSyntaxError";
    this.offset = offset;
    this.reason = reason;
  }
}

/** A value in its input: `[valueStart, valueEnd)`, without the space around it. */
export interface JsonElement {
  readonly kind: JsonKind;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** A member of an object: its decoded key, the key's span with its quotes, and its value. */
export interface JsonMember extends JsonElement {
  readonly key: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  /** Whether an earlier member of the same object has the same decoded key. */
  readonly duplicate: boolean;
}

/** Bounds of a scan. A missing one does not bind. */
export interface JsonLimits {
  /** Containers inside each other: `[]` has depth 1. */
  readonly maxDepth?: number;
  /** Values of every kind, keys not counted. */
  readonly maxValues?: number;
}

/** What a scan reports, in the order of the text. `depth` counts the containers around what is reported. */
export interface JsonVisitor {
  startObject?(at: { readonly start: number; readonly depth: number }): void;
  endObject?(at: { readonly start: number; readonly end: number; readonly depth: number }): void;
  startArray?(at: { readonly start: number; readonly depth: number }): void;
  endArray?(at: { readonly start: number; readonly end: number; readonly depth: number }): void;
  key?(key: JsonKey): void;
  scalar?(scalar: JsonScalar): void;
}

/** A decoded key; its span includes the quotes. */
export interface JsonKey {
  readonly key: string;
  readonly start: number;
  readonly end: number;
  readonly depth: number;
  /** Whether an earlier key of the same object is the same once decoded. */
  readonly duplicate: boolean;
}

/** A value without parts. A number keeps the text that it was written as. */
export type JsonScalar = {
  readonly start: number;
  readonly end: number;
  readonly depth: number;
} & (
  | { readonly kind: "number"; readonly lexeme: string }
  | { readonly kind: "string" | "boolean" | "null" }
);

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const LOWER_E = 0x65;
const LOWER_U = 0x75;
/** What reading past the end gives; no byte is negative. */
const END = -1;

/**
 * Scans one JSON text and reports its parts. Accepts exactly the texts that `JSON.parse` accepts (bytes must be valid
 * UTF-8, without a byte order mark). Iterative: depth costs a bit a level, and no recursion. Offsets are bytes
 * for bytes and UTF-16 units for a text. Throws `JsonSyntaxError`, or `LimitError` "depth" or "values".
 */
export function scanJson(
  input: string | Uint8Array,
  visitor: JsonVisitor = {},
  limits: JsonLimits = {},
): void {
  const bytes = typeof input === "string" ? Buffer.from(input, "utf8") : asBuffer(input);
  const offsetOf = typeof input === "string" ? createOffsets(input, bytes.length) : same;
  try {
    if (typeof input !== "string") requireUtf8(bytes);
    const start = skipSpace(bytes, 0);
    const end = walk(bytes, start, createReporter(input, visitor, offsetOf), limits);
    requireEnd(bytes, end);
  } catch (error) {
    if (error instanceof JsonSyntaxError && offsetOf !== same)
      throw new JsonSyntaxError(offsetOf(error.offset), error.reason);
    throw error;
  }
}

const same = (offset: number) => offset;

/** Turns offsets in the UTF-8 of a text into offsets in the text. */
function createOffsets(text: string, byteLength: number): (offset: number) => number {
  if (byteLength === text.length) return same;
  const offsets = new Uint32Array(byteLength + 1);
  let offset = 0;
  for (let index = 0; index < text.length; ) {
    const units = unitsAt(text, index);
    offsets[offset] = index;
    offset += bytesAt(text, index, units);
    index += units;
  }
  offsets[byteLength] = text.length;
  return (byte) => offsets[byte]!;
}

/** What the walk tells whoever listens; spans are in bytes. */
interface Listener {
  open(isObject: boolean, start: number, depth: number): void;
  close(isObject: boolean, end: number, depth: number): void;
  key(start: number, end: number, depth: number): void;
  scalar(kind: JsonScalarKind, start: number, end: number, depth: number): void;
}

/** Turns the walk's byte spans into what a visitor expects. */
function createReporter(
  input: string | Uint8Array,
  visitor: JsonVisitor,
  offsetOf: (offset: number) => number,
): Listener {
  const starts: number[] = [];
  const keys: (Set<string> | undefined)[] = [];
  const lexeme = (start: number, end: number) =>
    typeof input === "string"
      ? input.slice(start, end)
      : asBuffer(input).toString("utf8", start, end);
  return {
    open(isObject, at, depth) {
      const start = offsetOf(at);
      starts.push(start);
      keys.push(undefined);
      if (isObject) visitor.startObject?.({ start, depth });
      else visitor.startArray?.({ start, depth });
    },
    close(isObject, at, depth) {
      const start = starts.pop()!;
      const end = offsetOf(at);
      keys.pop();
      if (isObject) visitor.endObject?.({ start, end, depth });
      else visitor.endArray?.({ start, end, depth });
    },
    key(from, to, depth) {
      if (visitor.key === undefined) return;
      const start = offsetOf(from);
      const end = offsetOf(to);
      const key = JSON.parse(lexeme(start, end)) as string;
      const known = keys.at(-1) ?? new Set();
      keys[keys.length - 1] = known;
      visitor.key({ key, start, end, depth, duplicate: known.has(key) });
      known.add(key);
    },
    scalar(kind, from, to, depth) {
      if (visitor.scalar === undefined) return;
      const start = offsetOf(from);
      const end = offsetOf(to);
      if (kind === "number")
        visitor.scalar({ kind, start, end, depth, lexeme: lexeme(start, end) });
      else visitor.scalar({ kind, start, end, depth });
    },
  };
}

/**
 * The members of an object, as spans, in the order of the text, without decoding any value. With `start` the
 * object begins there (the `valueStart` of a member or element) and what follows it is not looked at; without
 * it the object is the whole input. Throws `JsonSyntaxError`.
 */
export function readMembers(input: Uint8Array, start?: number): JsonMember[] {
  const bytes = asBuffer(input);
  if (start === undefined) requireUtf8(bytes);
  let at = start ?? skipSpace(bytes, 0);
  if (byteAt(bytes, at) !== OPEN_OBJECT) fail(bytes, at, "expected an object");
  const members: JsonMember[] = [];
  const seen = new Set<string>();
  at = skipSpace(bytes, at + 1);
  if (byteAt(bytes, at) === CLOSE_OBJECT) at++;
  else
    for (;;) {
      const keyStart = at;
      const keyEnd = skipKey(bytes, keyStart);
      const key = readString(bytes, keyStart, keyEnd);
      const valueStart = skipColon(bytes, keyEnd);
      const kind = kindAt(bytes, valueStart);
      const valueEnd = walk(bytes, valueStart, undefined, {});
      members.push({ key, keyStart, keyEnd, kind, valueStart, valueEnd, duplicate: seen.has(key) });
      seen.add(key);
      at = skipSpace(bytes, valueEnd);
      const next = byteAt(bytes, at);
      at++;
      if (next === CLOSE_OBJECT) break;
      if (next !== COMMA) fail(bytes, at - 1, "expected a comma or the end of the object");
      at = skipSpace(bytes, at);
    }
  if (start === undefined) requireEnd(bytes, at);
  return members;
}

/** The elements of an array, as spans; otherwise like {@link readMembers}. */
export function readElements(input: Uint8Array, start?: number): JsonElement[] {
  const bytes = asBuffer(input);
  if (start === undefined) requireUtf8(bytes);
  let at = start ?? skipSpace(bytes, 0);
  if (byteAt(bytes, at) !== OPEN_ARRAY) fail(bytes, at, "expected an array");
  const elements: JsonElement[] = [];
  at = skipSpace(bytes, at + 1);
  if (byteAt(bytes, at) === CLOSE_ARRAY) at++;
  else
    for (;;) {
      const kind = kindAt(bytes, at);
      const valueEnd = walk(bytes, at, undefined, {});
      elements.push({ kind, valueStart: at, valueEnd });
      at = skipSpace(bytes, valueEnd);
      const next = byteAt(bytes, at);
      at++;
      if (next === CLOSE_ARRAY) break;
      if (next !== COMMA) fail(bytes, at - 1, "expected a comma or the end of the array");
      at = skipSpace(bytes, at);
    }
  if (start === undefined) requireEnd(bytes, at);
  return elements;
}

/** The text of the string whose span, with its quotes, is `[start, end)`. Throws `JsonSyntaxError`. */
export function readString(input: Uint8Array, start: number, end: number): string {
  const bytes = asBuffer(input);
  if (byteAt(bytes, start) !== QUOTE || skipString(bytes, start) !== end)
    fail(bytes, start, "expected a string");
  const inner = bytes.subarray(start + 1, end - 1);
  if (!isUtf8(inner)) throw new JsonSyntaxError(start + 1, "the bytes are not UTF-8");
  const text = inner.toString("utf8");
  return text.includes("\\") ? (JSON.parse(`"${text}"`) as string) : text;
}

/** Walks the value at `start` and returns its end. The only place that knows the grammar of values. */
function walk(
  bytes: Buffer,
  start: number,
  listener: Listener | undefined,
  { maxDepth = Infinity, maxValues = Infinity }: JsonLimits,
): number {
  let at = start;
  let depth = 0;
  let values = 0;
  // One bit a level says whether it is an object; 32 levels a word, the words below the top one in `words`.
  let levels = 0;
  const words: number[] = [];

  for (;;) {
    values++;
    if (values > maxValues) throw new LimitError("values", maxValues, values);
    const first = byteAt(bytes, at);
    if (first === OPEN_OBJECT || first === OPEN_ARRAY) {
      const isObject = first === OPEN_OBJECT;
      if (depth >= maxDepth) throw new LimitError("depth", maxDepth, depth + 1);
      listener?.open(isObject, at, depth);
      if (depth > 0 && (depth & 31) === 0) words.push(levels);
      levels = (levels << 1) | (isObject ? 1 : 0);
      depth++;
      at = skipSpace(bytes, at + 1);
      if (byteAt(bytes, at) !== (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
        if (isObject) at = walkKey(bytes, at, listener, depth);
        continue;
      }
    } else {
      const end = skipScalar(bytes, at, first);
      listener?.scalar(scalarKind(first), at, end, depth);
      at = end;
      if (depth === 0) return at;
      at = skipSpace(bytes, at);
    }

    // After a value, or at the end of an empty container: close what ends here, then expect a comma.
    for (;;) {
      const isObject = (levels & 1) === 1;
      const next = byteAt(bytes, at);
      if (next === COMMA) {
        at = skipSpace(bytes, at + 1);
        if (isObject) at = walkKey(bytes, at, listener, depth);
        break;
      }
      if (next !== (isObject ? CLOSE_OBJECT : CLOSE_ARRAY))
        fail(
          bytes,
          at,
          isObject
            ? "expected a comma or the end of the object"
            : "expected a comma or the end of the array",
        );
      at++;
      depth--;
      levels = depth > 0 && (depth & 31) === 0 ? words.pop()! : levels >>> 1;
      listener?.close(isObject, at, depth);
      if (depth === 0) return at;
      at = skipSpace(bytes, at);
    }
  }
}

function walkKey(bytes: Buffer, at: number, listener: Listener | undefined, depth: number): number {
  const end = skipKey(bytes, at);
  listener?.key(at, end, depth);
  return skipColon(bytes, end);
}

function skipKey(bytes: Buffer, at: number): number {
  if (byteAt(bytes, at) !== QUOTE) fail(bytes, at, "expected a key in double quotes");
  return skipString(bytes, at);
}

function skipColon(bytes: Buffer, at: number): number {
  const colon = skipSpace(bytes, at);
  if (byteAt(bytes, colon) !== COLON) fail(bytes, colon, "expected a colon");
  return skipSpace(bytes, colon + 1);
}

function kindAt(bytes: Buffer, at: number): JsonKind {
  const first = byteAt(bytes, at);
  if (first === OPEN_OBJECT) return "object";
  if (first === OPEN_ARRAY) return "array";
  return scalarKind(first);
}

function scalarKind(first: number): JsonScalarKind {
  if (first === QUOTE) return "string";
  if (first === 0x6e) return "null";
  return first === 0x74 || first === 0x66 ? "boolean" : "number";
}

function skipScalar(bytes: Buffer, at: number, first: number): number {
  if (first === QUOTE) return skipString(bytes, at);
  if (first === MINUS || isDigit(first)) return skipNumber(bytes, at);
  if (first === 0x74) return skipWord(bytes, at, "true");
  if (first === 0x66) return skipWord(bytes, at, "false");
  if (first === 0x6e) return skipWord(bytes, at, "null");
  return fail(bytes, at, "expected a value");
}

function skipWord(bytes: Buffer, at: number, word: string): number {
  for (let index = 0; index < word.length; index++)
    if (byteAt(bytes, at + index) !== word.charCodeAt(index))
      fail(bytes, at + index, "expected a value");
  return at + word.length;
}

function skipNumber(bytes: Buffer, start: number): number {
  let at = byteAt(bytes, start) === MINUS ? start + 1 : start;
  at = byteAt(bytes, at) === ZERO ? at + 1 : skipDigits(bytes, at);
  if (byteAt(bytes, at) === DOT) at = skipDigits(bytes, at + 1);
  if ((byteAt(bytes, at) | 0x20) === LOWER_E) {
    const sign = byteAt(bytes, at + 1);
    at = skipDigits(bytes, sign === PLUS || sign === MINUS ? at + 2 : at + 1);
  }
  return at;
}

function skipDigits(bytes: Buffer, start: number): number {
  let at = start;
  while (isDigit(byteAt(bytes, at))) at++;
  if (at === start) fail(bytes, at, "a number is malformed");
  return at;
}

function skipString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; ) {
    const byte = bytes[at]!;
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at = skipEscape(bytes, at);
    else if (byte < 0x20) fail(bytes, at, "a string holds a raw control character");
    else at++;
  }
  return fail(bytes, bytes.length, "the text ends too early");
}

function skipEscape(bytes: Buffer, start: number): number {
  const letter = byteAt(bytes, start + 1);
  if (letter === LOWER_U) {
    for (let at = start + 2; at < start + 6; at++)
      if (!isHex(byteAt(bytes, at))) fail(bytes, at, "an escape in a string is malformed");
    return start + 6;
  }
  if (letter === END || !'"\\/bfnrt'.includes(String.fromCharCode(letter)))
    fail(bytes, start + 1, "an escape in a string is malformed");
  return start + 2;
}

function skipSpace(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length) {
    const byte = bytes[at]!;
    if (byte > 0x20 || (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)) break;
    at++;
  }
  return at;
}

function byteAt(bytes: Buffer, at: number): number {
  return at < bytes.length ? bytes[at]! : END;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

function isHex(byte: number): boolean {
  const letter = byte | 0x20;
  return isDigit(byte) || (byte > 0 && letter >= 0x61 && letter <= 0x66);
}

function asBuffer(bytes: Uint8Array): Buffer {
  if (Buffer.isBuffer(bytes)) return bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function requireUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw new JsonSyntaxError(0, "the bytes are not UTF-8");
}

function requireEnd(bytes: Buffer, valueEnd: number): void {
  const at = skipSpace(bytes, valueEnd);
  if (at < bytes.length) throw new JsonSyntaxError(at, "something follows the value");
}

function fail(bytes: Buffer, at: number, reason: JsonSyntaxReason): never {
  throw new JsonSyntaxError(at, at >= bytes.length ? "the text ends too early" : reason);
}
