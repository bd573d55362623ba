import { LimitError, requireAmount } from "./limit.ts";

/** Lets a stream's bytes pass up to a maximum. */
export interface ByteGate {
  /** Counts a chunk. Throws `LimitError` when it crosses the maximum, and for every chunk after that. */
  push(chunk: Uint8Array): void;
  /** Bytes seen so far, the refused ones included. */
  readonly bytes: number;
}

/** Makes a gate; `limit` is the name that its `LimitError` carries. It holds a number and never a chunk. */
export function createByteGate(options: {
  readonly maximum: number;
  readonly limit: string;
}): ByteGate {
  const maximum = requireAmount("maximum", options.maximum);
  let bytes = 0;
  return {
    push(chunk) {
      bytes += chunk.length;
      if (bytes > maximum) throw new LimitError(options.limit, maximum, bytes);
    },
    get bytes() {
      return bytes;
    },
  };
}
