import {
  byteAt,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  failUnclosed,
  type JsonScalarKind,
  kindAt,
  OPEN_ARRAY,
  OPEN_OBJECT,
  type Source,
  skipColon,
  skipKey,
  skipScalar,
  skipSpace,
} from "./json-skip.ts";
import { LimitError } from "./limit.ts";

/** Bounds of a scan. A missing one does not bind. */
export interface JsonLimits {
  /** Containers inside each other: `[]` has depth 1. */
  readonly maxDepth?: number | undefined;
  /** Values of every kind; keys do not count. */
  readonly maxValues?: number | undefined;
}

/** What a walk tells whoever listens, in the order of the text; offsets are bytes. */
export interface Listener {
  open(isObject: boolean, start: number, depth: number): void;
  close(isObject: boolean, end: number, depth: number): void;
  key(start: number, end: number, depth: number): void;
  scalar(kind: JsonScalarKind, start: number, end: number, depth: number): void;
}

/**
 * Walks the value that starts at `start` and returns the offset after it: `skipValue`, which asks for no listener and no
 * limits on its way, that tells what it meets. It accepts the same texts.
 */
export function walkValue(
  source: Source,
  start: number,
  listener: Listener,
  maxDepth: number,
  maxValues: number,
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
      listener.open(isObject, at, depth);
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
      listener.scalar(kindAt(bytes, at) as JsonScalarKind, at, end, depth);
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
      listener.close(isObject, at, depth);
      if (depth === 0) return at;
      at = skipSpace(bytes, at);
    }
  }
}

/** Walks a key and its colon, and returns where the value starts. */
function walkKey(source: Source, start: number, listener: Listener, depth: number) {
  const end = skipKey(source, start);
  listener.key(start, end, depth);
  return skipColon(source.bytes, end);
}
