const HEAD_BYTES = 4096;
const TAIL_BYTES = 4096;

/** What is kept of a message over its cap, so that its sender or its caller can still be told. */
export interface Oversize {
  /** The first bytes, at most 4 KiB. */
  readonly head: Buffer;
  /** The last bytes, at most 4 KiB; overlaps `head` in a short message. */
  readonly tail: Buffer;
  /** Length of the whole message in bytes; of an event, that of its data. */
  readonly bytes: number;
}

export interface OversizeRecorder {
  add(piece: Buffer): void;
  report(): Oversize;
}

/** Keeps both ends of a message that goes by; memory and time a byte do not depend on its length. */
export function createOversizeRecorder(): OversizeRecorder {
  const head = Buffer.alloc(HEAD_BYTES);
  const recent = Buffer.alloc(2 * TAIL_BYTES);
  let recentUsed = 0;
  let bytes = 0;

  function addToTail(piece: Buffer): void {
    const end = piece.subarray(Math.max(0, piece.length - TAIL_BYTES));
    if (recentUsed + end.length > recent.length) {
      recent.copyWithin(0, recentUsed - TAIL_BYTES, recentUsed);
      recentUsed = TAIL_BYTES;
    }
    recent.set(end, recentUsed);
    recentUsed += end.length;
  }

  return {
    add(piece) {
      if (bytes < HEAD_BYTES) head.set(piece.subarray(0, HEAD_BYTES - bytes), bytes);
      addToTail(piece);
      bytes += piece.length;
    },
    report() {
      return Object.freeze({
        head: head.subarray(0, Math.min(bytes, HEAD_BYTES)),
        tail: recent.subarray(Math.max(0, recentUsed - TAIL_BYTES), recentUsed),
        bytes,
      });
    },
  };
}
