import { JsonSyntaxError } from "./json-error.ts";
import { BACKSLASH } from "./json-walk.ts";
import { findInvalidUtf8 } from "./utf8.ts";

/** The text of a whole string, whose span with its quotes has been walked. Throws where it is not UTF-8. */
export function decodeString(bytes: Buffer, start: number, end: number): string {
  const length = end - start - 2;
  const plain = length <= MEMO_LENGTH ? decodeShort(bytes, start + 1, length) : undefined;
  return plain ?? decodeAny(bytes, start, end);
}

/**
 * Short plain strings that were decoded before, by a hash of their bytes; a newer one takes the place of an older.
 * Messages repeat a few keys without end, and finding one here costs half of making it.
 */
const MEMO_LENGTH = 32;
const MEMO_SLOTS = 256;
const memo = new Array<string>(MEMO_SLOTS).fill("");

function decodeShort(bytes: Buffer, start: number, length: number): string | undefined {
  let hash = length;
  for (let at = start; at < start + length; at++) {
    const byte = bytes[at]!;
    if (byte >= 0x80 || byte === BACKSLASH) return undefined;
    hash = (Math.imul(hash, 31) + byte) | 0;
  }
  const slot = hash & (MEMO_SLOTS - 1);
  const known = memo[slot]!;
  if (known.length === length && isAt(bytes, start, known)) return known;
  const text = bytes.toString("latin1", start, start + length);
  memo[slot] = text;
  return text;
}

function isAt(bytes: Buffer, start: number, text: string): boolean {
  for (let index = 0; index < text.length; index++)
    if (bytes[start + index] !== text.charCodeAt(index)) return false;
  return true;
}

function decodeAny(bytes: Buffer, start: number, end: number): string {
  const quoted = bytes.subarray(start, end);
  requireUtf8(quoted, start);
  const text = quoted.toString("utf8");
  return text.includes("\\") ? (JSON.parse(text) as string) : text.slice(1, -1);
}

/** Throws `JsonSyntaxError` at the first byte that is not UTF-8; `start` is the offset of the first byte given. */
export function requireUtf8(bytes: Buffer, start = 0): void {
  const invalid = findInvalidUtf8(bytes);
  if (invalid !== undefined) throw new JsonSyntaxError(start + invalid, "the bytes are not UTF-8");
}
