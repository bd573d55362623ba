import { JsonSyntaxError } from "./json-error.ts";
import { type JsonScalarKind, requireEnd, skipSpace, sourceOf } from "./json-skip.ts";
import { requireUtf8 } from "./json-string.ts";
import { type JsonLimits, type Listener, walkValue } from "./json-walk.ts";
import { requireAmount } from "./limit.ts";
import { bytesAt, unitsAt } from "./measure.ts";

/** Where something is: `[start, end)`, and how many containers are around it. */
export interface JsonSpan {
  readonly start: number;
  readonly end: number;
  readonly depth: number;
}

/** A decoded key; its span includes the quotes. */
export interface JsonKey extends JsonSpan {
  readonly key: string;
  /** Whether an earlier key of the same object is the same once decoded. */
  readonly duplicate: boolean;
}

/** A value without parts. A number comes with the text that it is written as. */
export type JsonScalar = JsonSpan &
  (
    | { readonly kind: "number"; readonly lexeme: string }
    | { readonly kind: Exclude<JsonScalarKind, "number"> }
  );

/** What a scan reports, in the order of the text. */
export interface JsonVisitor {
  startObject?(at: Omit<JsonSpan, "end">): void;
  endObject?(span: JsonSpan): void;
  startArray?(at: Omit<JsonSpan, "end">): void;
  endArray?(span: JsonSpan): void;
  key?(key: JsonKey): void;
  scalar?(scalar: JsonScalar): void;
}

/**
 * Scans one JSON text and reports its parts. Accepts exactly the texts that `JSON.parse` accepts; bytes must be UTF-8,
 * and a byte order mark is refused. Offsets are bytes in bytes and UTF-16 units in a text. Linear and without
 * recursion, whatever the depth. Throws `JsonSyntaxError`, `LimitError` "depth" or "values", or what the
 * visitor throws; what was reported before stands.
 */
export function scanJson(
  input: string | Uint8Array,
  visitor: JsonVisitor,
  { maxDepth = Infinity, maxValues = Infinity }: JsonLimits = {},
): void {
  requireAmount("maxDepth", maxDepth);
  requireAmount("maxValues", maxValues);
  const isText = typeof input === "string";
  const source = sourceOf(isText ? Buffer.from(input, "utf8") : input);
  const { bytes } = source;
  if (!isText) requireUtf8(bytes);
  const offsetOf = isText ? createOffsets(input, bytes.length) : sameOffset;
  const sliceOf = (start: number, end: number) =>
    isText ? input.slice(start, end) : bytes.toString("utf8", start, end);
  const listener = createReporter(visitor, offsetOf, sliceOf);
  try {
    requireEnd(bytes, walkValue(source, skipSpace(bytes, 0), listener, maxDepth, maxValues));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new JsonSyntaxError(offsetOf(error.offset), error.reason);
  }
}

const sameOffset = (offset: number) => offset;

/** Makes a function from offsets in the UTF-8 of a text to offsets in the text. */
function createOffsets(text: string, byteLength: number): (offset: number) => number {
  if (byteLength === text.length) return sameOffset;
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

/** Turns what a walk tells, in bytes, into what a visitor is told. */
function createReporter(
  visitor: JsonVisitor,
  offsetOf: (offset: number) => number,
  sliceOf: (start: number, end: number) => string,
): Listener {
  const open: { readonly start: number; keys?: Set<string> }[] = [];
  return {
    open(isObject, at, depth) {
      const start = offsetOf(at);
      open.push({ start });
      if (isObject) visitor.startObject?.({ start, depth });
      else visitor.startArray?.({ start, depth });
    },
    close(isObject, at, depth) {
      const { start } = open.pop()!;
      const end = offsetOf(at);
      if (isObject) visitor.endObject?.({ start, end, depth });
      else visitor.endArray?.({ start, end, depth });
    },
    key(from, to, depth) {
      if (visitor.key === undefined) return;
      const [start, end] = [offsetOf(from), offsetOf(to)];
      const key = JSON.parse(sliceOf(start, end)) as string;
      const object = open.at(-1)!;
      object.keys ??= new Set();
      visitor.key({ key, start, end, depth, duplicate: object.keys.has(key) });
      object.keys.add(key);
    },
    scalar(kind, from, to, depth) {
      if (visitor.scalar === undefined) return;
      const [start, end] = [offsetOf(from), offsetOf(to)];
      if (kind !== "number") visitor.scalar({ kind, start, end, depth });
      else visitor.scalar({ kind, start, end, depth, lexeme: sliceOf(start, end) });
    },
  };
}
