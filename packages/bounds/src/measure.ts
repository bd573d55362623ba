import { isContinuation } from "./utf8.ts";

/** Bytes in a kibibyte. */
export const KIB = 1024;
/** Bytes in a mebibyte. */
export const MIB = 1024 * KIB;

const LF = 0x0a;

/** UTF-8 bytes of a text. A lone surrogate counts as the 3 bytes of U+FFFD, which is what it is written as. */
export function countBytes(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/** Code points of a text: a surrogate pair counts as one, and so does a lone surrogate. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += unitsAt(text, index)) count++;
  return count;
}

/** Lines of a text: the number of LF plus one; the empty text has none. */
export function countLines(text: string): number {
  if (text === "") return 0;
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/** UTF-16 units of the code point that starts at `index`: 2 for a surrogate pair, else 1. */
export function unitsAt(text: string, index: number): 1 | 2 {
  const isHigh = (text.charCodeAt(index) & 0xfc00) === 0xd800;
  const isPair = isHigh && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
  return isPair ? 2 : 1;
}

/** UTF-8 bytes of the code point that starts at `index`, where `units` is what {@link unitsAt} says of it. */
export function bytesAt(text: string, index: number, units: 1 | 2): 1 | 2 | 3 | 4 {
  if (units === 2) return 4;
  const unit = text.charCodeAt(index);
  if (unit < 0x80) return 1;
  return unit < 0x800 ? 2 : 3;
}

/** A place in a text as people count: both from 1, `column` in code points. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * The line and column of an offset: UTF-16 units into a text, or bytes into UTF-8. Linear in the offset. An offset
 * past the end gives the position just after the last character.
 */
export function positionAt(input: string | Uint8Array, offset: number): Position {
  return typeof input === "string" ? positionInText(input, offset) : positionInBytes(input, offset);
}

function positionInText(text: string, offset: number): Position {
  const end = Math.min(offset, text.length);
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) {
    line++;
    lineStart = at + 1;
  }
  let column = 1;
  for (let at = lineStart; at + unitsAt(text, at) <= end; at += unitsAt(text, at)) column++;
  return { line, column };
}

function positionInBytes(bytes: Uint8Array, offset: number): Position {
  const end = Math.min(offset, bytes.length);
  let line = 1;
  let lineStart = 0;
  for (let at = bytes.indexOf(LF); at !== -1 && at < end; at = bytes.indexOf(LF, at + 1)) {
    line++;
    lineStart = at + 1;
  }
  let column = 1;
  for (let at = lineStart + 1; at <= end; at++) if (!isContinuation(bytes[at])) column++;
  return { line, column };
}
