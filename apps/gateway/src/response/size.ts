import { countBytes, countLines, scanJson } from "@core/bounds";

/** How much of `max_output` something takes, or how much of it there is. */
export interface Size {
  readonly bytes: number;
  readonly lines: number;
}

export function sizeOfText(text: string): Size {
  return { bytes: countBytes(text), lines: countLines(text) };
}

/** JSON counts with its bytes, and with the lines of the texts in it. */
export function sizeOfJson(json: Buffer): Size {
  let lines = countLines(json.toString("utf8"));
  scanJson(json, {
    scalar({ kind, start, end }) {
      if (kind === "string") lines += countLines(JSON.parse(json.toString("utf8", start, end))) - 1;
    },
  });
  // Empty strings have no line at all, which is one less than a text without a line end.
  return { bytes: json.length, lines: Math.max(1, lines) };
}

export function sumOf(sizes: readonly Size[]): Size {
  return {
    bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
    lines: sizes.reduce((sum, { lines }) => sum + lines, 0),
  };
}

export function fits({ bytes, lines }: Size, limits: Size): boolean {
  return bytes <= limits.bytes && lines <= limits.lines;
}

/** What is left of the limits. */
export function less(limits: Size, { bytes, lines }: Size): Size {
  return { bytes: Math.max(0, limits.bytes - bytes), lines: Math.max(0, limits.lines - lines) };
}
