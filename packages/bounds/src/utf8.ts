import { isUtf8 } from "node:buffer";

/**
 * The offset of the first byte that is not valid UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above
 * U+10FFFF, no unfinished sequence), or `undefined` when all are.
 */
export function findInvalidUtf8(bytes: Uint8Array): number | undefined {
  if (isUtf8(bytes)) return undefined;
  let at = 0;
  for (let length = 1; length > 0; at += length) length = sequenceLength(bytes, at);
  return at;
}

/** Bytes of the valid sequence that starts at an offset; 0 when it is not valid. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0xff;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const second = bytes[at + 1] ?? 0;
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return 0;
  for (let index = 2; index < length; index++) if (!isContinuation(bytes[at + index])) return 0;
  return length;
}

/** Whether a byte is the second, third or fourth of a UTF-8 sequence. */
export function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
