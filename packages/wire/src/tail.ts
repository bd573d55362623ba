import { StringDecoder } from "node:string_decoder";

/** Rewrites a text that arrives in pieces; it may hold some of it back until more has come. */
export interface TextStream {
  push(text: string): string;
  end(): string;
}

export interface Tail {
  push(chunk: Uint8Array): void;
  /** Releases what was held back; nothing may be pushed afterwards. */
  end(): void;
  /** The last whole lines that fit both limits, or the end of the last line where that alone is too long. */
  text(): string;
}

/** A terminal's escape sequences, and control characters but tab and line feed. */
const CONTROLS =
  /\x1b(?:\[[\x20-\x3f]*[\x40-\x7e]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[\x20-\x7e])|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
/** An escape sequence whose end has not come yet. */
const OPEN_SEQUENCE = /\x1b(?:\[[\x20-\x3f]{0,64}|\][^\x07\x1b]{0,256})?$/;

/**
 * The end of a child's stderr, for people and error messages. Controls go first and secrets second, so that no escape
 * sequence can hide a secret from the scrubber; both see the text as one, wherever its chunks end.
 */
export function createTail({
  maxBytes,
  maxLines,
  scrub,
}: {
  maxBytes: number;
  maxLines: number;
  scrub?: TextStream | undefined;
}): Tail {
  const decoder = new StringDecoder("utf8");
  let open = "";
  let kept = "";

  function add(text: string): void {
    kept += scrub ? scrub.push(text) : text;
    // Cut rarely, and far from what is shown.
    if (kept.length > 4 * maxBytes) kept = kept.slice(-2 * maxBytes);
  }

  return {
    push(chunk) {
      const text = open + decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
      open = OPEN_SEQUENCE.exec(text)?.[0] ?? "";
      add(text.slice(0, text.length - open.length).replace(CONTROLS, ""));
    },
    end() {
      add(decoder.end());
      if (scrub) kept += scrub.end();
    },
    text() {
      const lines = kept.trimEnd().split("\n").slice(-maxLines);
      while (lines.length > 1 && Buffer.byteLength(lines.join("\n")) > maxBytes) lines.shift();
      return lastBytes(lines.join("\n"), maxBytes);
    },
  };
}

/** The end of a text in at most `maxBytes` of UTF-8, on a code point border. */
function lastBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let start = bytes.length - maxBytes;
  while ((bytes[start]! & 0xc0) === 0x80) start++;
  return bytes.toString("utf8", start);
}
