import { JsonSyntaxError } from "./json-error.ts";
import { BACKSLASH } from "./json-skip.ts";
import { findInvalidUtf8 } from "./utf8.ts";

/** The text of a whole string, whose span with its quotes has been skipped. Throws where it is not UTF-8. */
export function decodeString(bytes: Buffer, start: number, end: number): string {
  return (
    recallString(bytes, start, end) ??
    memoizeString(bytes, start, end) ??
    decodeAny(bytes, start, end)
  );
}

/**
 * Plain ASCII strings that were decoded before, with their bytes. Messages repeat a few keys without end, and finding one
 * here costs a third of making it. Each slot holds the last string of its hash, so that the memo never grows.
 */
const MEMO_LENGTH = 32;
const MEMO_SLOTS = 1024;
const memo = new Array<string>(MEMO_SLOTS).fill("");
const memoBytes = new Uint8Array(MEMO_SLOTS * MEMO_LENGTH);

/** The string of this span, quotes and all, if it was decoded before. */
export function recallString(bytes: Buffer, start: number, end: number): string | undefined {
  const length = end - start - 2;
  if (length > MEMO_LENGTH) return undefined;
  const slot = slotOf(bytes, start, end);
  const known = memo[slot]!;
  if (known.length !== length) return undefined;
  for (let index = 0; index < length; index++)
    if (bytes[start + 1 + index] !== memoBytes[slot * MEMO_LENGTH + index]) return undefined;
  return known;
}

/** Plain ASCII alone is remembered, where a byte is a character. */
function memoizeString(bytes: Buffer, start: number, end: number): string | undefined {
  const length = end - start - 2;
  if (length > MEMO_LENGTH) return undefined;
  for (let at = start + 1; at < end - 1; at++)
    if (bytes[at]! >= 0x80 || bytes[at] === BACKSLASH) return undefined;
  const slot = slotOf(bytes, start, end);
  memo[slot] = intern(bytes.toString("latin1", start + 1, end - 1));
  for (let index = 0; index < length; index++)
    memoBytes[slot * MEMO_LENGTH + index] = bytes[start + 1 + index]!;
  return memo[slot];
}

/** V8 interns the names of properties, and compares interned strings and literals by their addresses. */
function intern(text: string): string {
  return Object.keys({ [text]: true })[0]!;
}

/** A hash of the length and three bytes, by factors that part the keys of MCP messages. */
function slotOf(bytes: Buffer, start: number, end: number): number {
  const length = end - start - 2;
  const first = bytes[start + 1]!;
  const middle = bytes[start + 1 + (length >> 1)]!;
  const last = bytes[end - 2]!;
  return (length + first * 31 + middle * 7 + last * 17) & (MEMO_SLOTS - 1);
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
