import { isAscii, isUtf8 } from "node:buffer";
import { foldText } from "./word.ts";

/** A text and the form in which it is compared. Both have the same lines. */
export interface SearchText {
  readonly text: string;
  /** What {@link foldText} makes of it; undefined for ASCII, where lower case is all there is to it and is soon made. */
  readonly folded: string | undefined;
}

/** Reads bytes; undefined where they are not UTF-8. */
export function searchTextOf(bytes: Buffer): SearchText | undefined {
  if (isAscii(bytes)) return { text: bytes.toString("latin1"), folded: undefined };
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString("utf8");
  return { text, folded: foldText(text) };
}

/** The text as it is compared. */
export function foldedOf({ text, folded }: SearchText): string {
  return folded ?? text.toLowerCase();
}

/** Bytes that a text occupies in memory, about: one for each ASCII character, else two for each unit of both forms. */
export function bytesOf({ text, folded }: SearchText): number {
  return folded === undefined ? text.length : 2 * (text.length + folded.length);
}
