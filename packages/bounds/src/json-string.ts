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
 * Plain ASCII strings that were decoded before. Messages repeat a few keys without end, and finding one here costs half
 * of making it. Each slot holds the last string of its hash, so that the memo never grows.
 */
const MEMO_LENGTH = 32;
const MEMO_SLOTS = 1024;
const memo = new Array<string>(MEMO_SLOTS).fill("");

function decodeShort(bytes: Buffer, start: number, length: number): string | undefined {
  if (length === 0) return "";
  const slot = slotOf(bytes, start, length);
  const known = memo[slot]!;
  if (known.length === length && isAt(bytes, start, known)) return known;
  for (let at = start; at < start + length; at++)
    if (bytes[at]! >= 0x80 || bytes[at] === BACKSLASH) return undefined;
  const text = bytes.toString("latin1", start, start + length);
  memo[slot] = text;
  return text;
}

/** A hash of the length and three bytes, by factors that part the keys of MCP messages. */
function slotOf(bytes: Buffer, start: number, length: number): number {
  const [first, middle, last] = [start, start + (length >> 1), start + length - 1];
  const hash = length + bytes[first]! * 31 + bytes[middle]! * 7 + bytes[last]! * 17;
  return hash & (MEMO_SLOTS - 1);
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
