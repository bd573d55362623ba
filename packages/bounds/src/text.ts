import { requireAmount } from "./limit.ts";
import { bytesAt, countBytes, countLines, unitsAt } from "./measure.ts";
import { isContinuation } from "./utf8.ts";

/** The limits that a cut knows, in the order in which one is named when several bite at the same character. */
export type CutLimit = "bytes" | "codePoints" | "units" | "lines";

/** How much a cut may keep. A missing limit does not bind. */
export interface CutLimits {
  /** UTF-8 bytes. */
  readonly maxBytes?: number;
  readonly maxCodePoints?: number;
  /** UTF-16 units, which is what `text.length` counts. */
  readonly maxUnits?: number;
  /** Lines: LF + 1. */
  readonly maxLines?: number;
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
 * The longest start of a text within all limits. Never splits a code point or a surrogate pair. Linear in what is
 * kept; the rest is only counted.
 */
export function cutText(text: string, limits: CutLimits): Cut {
  const whole = extentOf(text);
  const end = findEnd(text, whole, limits);
  if (end.limit === undefined)
    return { text, complete: true, kept: whole, left: { bytes: 0, lines: 0, units: 0 } };
  const start = text.slice(0, end.units);
  const kept = extentOf(start);
  const left = {
    bytes: whole.bytes - kept.bytes,
    lines: whole.lines - kept.lines,
    units: whole.units - kept.units,
  };
  return { text: start, complete: false, limit: end.limit, kept, left };
}

function extentOf(text: string): Extent {
  return { bytes: countBytes(text), lines: countLines(text), units: text.length };
}

function findEnd(
  text: string,
  whole: Extent,
  limits: CutLimits,
): { readonly units: number; readonly limit?: CutLimit } {
  const maxBytes = requireAmount("maxBytes", limits.maxBytes ?? Infinity);
  const maxCodePoints = requireAmount("maxCodePoints", limits.maxCodePoints ?? Infinity);
  const maxUnits = requireAmount("maxUnits", limits.maxUnits ?? Infinity);
  const maxLines = requireAmount("maxLines", limits.maxLines ?? Infinity);
  const fits =
    whole.bytes <= maxBytes &&
    whole.units <= Math.min(maxCodePoints, maxUnits) &&
    whole.lines <= maxLines;
  if (fits) return { units: whole.units };

  let bytes = 0;
  let codePoints = 0;
  let lines = 1;
  for (let index = 0; index < text.length; ) {
    const units = unitsAt(text, index);
    bytes += bytesAt(text, index, units);
    codePoints += 1;
    if (text.charCodeAt(index) === 0x0a) lines += 1;
    if (bytes > maxBytes) return { units: index, limit: "bytes" };
    if (codePoints > maxCodePoints) return { units: index, limit: "codePoints" };
    if (index + units > maxUnits) return { units: index, limit: "units" };
    if (lines > maxLines) return { units: index, limit: "lines" };
    index += units;
  }
  return { units: whole.units };
}

/** The longest start of UTF-8 bytes that is at most `maxBytes` long and ends between two code points; a view, not a copy. */
export function cutBytes(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.length <= requireAmount("maxBytes", maxBytes)) return bytes;
  let end = Math.floor(maxBytes);
  while (end > 0 && isContinuation(bytes[end])) end--;
  return bytes.subarray(0, end);
}
