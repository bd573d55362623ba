import { requireAmount } from "./limit.ts";
import { bytesAt, countBytes, countLines, unitsAt } from "./measure.ts";
import { isContinuation } from "./utf8.ts";

/** The limits that a cut knows, in the order in which one is named when several bite at the same character. */
export type CutLimit = "bytes" | "codePoints" | "units" | "lines";

/** How much a cut may keep. A missing limit does not bind. */
export interface CutLimits {
  /** UTF-8 bytes. */
  readonly maxBytes?: number | undefined;
  readonly maxCodePoints?: number | undefined;
  /** UTF-16 units, which is what `text.length` counts. */
  readonly maxUnits?: number | undefined;
  /** Lines: LF + 1. */
  readonly maxLines?: number | undefined;
}

/** An amount of text. In a {@link Cut}, kept and left add up to the whole text. */
export interface Extent {
  readonly bytes: number;
  readonly lines: number;
  readonly units: number;
}

/** What a cut kept, and an honest account of what it left. */
export interface Cut {
  readonly text: string;
  /** Whether the whole text was kept. */
  readonly complete: boolean;
  /** The limit that bit first; absent when the text is complete. */
  readonly limit?: CutLimit;
  readonly kept: Extent;
  readonly left: Extent;
}

/**
 * The longest start of a text within all limits. Never splits a code point or a surrogate pair. What is left is only
 * counted.
 */
export function cutText(text: string, limits: CutLimits): Cut {
  const whole = extentOf(text);
  const { limit, end } = firstLimit(text, whole, limits);
  if (limit === undefined)
    return { text, complete: true, kept: whole, left: { bytes: 0, lines: 0, units: 0 } };
  const start = text.slice(0, end);
  const kept = extentOf(start);
  const left = {
    bytes: whole.bytes - kept.bytes,
    lines: whole.lines - kept.lines,
    units: whole.units - kept.units,
  };
  return { text: start, complete: false, limit, kept, left };
}

function extentOf(text: string): Extent {
  return { bytes: countBytes(text), lines: countLines(text), units: text.length };
}

/** The limit with the shortest start, and where that ends; the first of several in the order of `CutLimit`. */
function firstLimit(text: string, whole: Extent, limits: CutLimits) {
  const maxBytes = requireAmount("maxBytes", limits.maxBytes ?? Infinity);
  const maxCodePoints = requireAmount("maxCodePoints", limits.maxCodePoints ?? Infinity);
  const maxUnits = requireAmount("maxUnits", limits.maxUnits ?? Infinity);
  const maxLines = requireAmount("maxLines", limits.maxLines ?? Infinity);

  let limit: CutLimit | undefined;
  let end = text.length;
  const bite = (name: CutLimit, place: number) => {
    if (place >= end) return;
    limit = name;
    end = place;
  };
  if (whole.bytes > maxBytes) bite("bytes", endOfBytes(text, maxBytes));
  if (whole.units > maxCodePoints) bite("codePoints", endOfCodePoints(text, maxCodePoints));
  if (whole.units > maxUnits) bite("units", endOfUnits(text, maxUnits));
  if (whole.lines > maxLines) bite("lines", endOfLines(text, maxLines));
  return { limit, end };
}

function endOfBytes(text: string, maxBytes: number): number {
  let bytes = 0;
  let index = 0;
  while (index < text.length) {
    const units = unitsAt(text, index);
    bytes += bytesAt(text, index, units);
    if (bytes > maxBytes) break;
    index += units;
  }
  return index;
}

function endOfCodePoints(text: string, maxCodePoints: number): number {
  let index = 0;
  for (let count = 1; count <= maxCodePoints && index < text.length; count++)
    index += unitsAt(text, index);
  return index;
}

function endOfUnits(text: string, maxUnits: number): number {
  const end = Math.floor(maxUnits);
  return end > 0 && unitsAt(text, end - 1) === 2 ? end - 1 : end;
}

function endOfLines(text: string, maxLines: number): number {
  if (maxLines < 1) return 0;
  let end = text.indexOf("\n");
  for (let lines = 2; lines <= maxLines; lines++) end = text.indexOf("\n", end + 1);
  return end;
}

/** The longest start of UTF-8 bytes that is at most `maxBytes` long and ends between two code points; a view, not a copy. */
export function cutBytes(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.length <= requireAmount("maxBytes", maxBytes)) return bytes;
  let end = Math.floor(maxBytes);
  while (end > 0 && isContinuation(bytes[end])) end--;
  return bytes.subarray(0, end);
}
