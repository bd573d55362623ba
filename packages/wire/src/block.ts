import type { Pieces } from "./pieces.ts";

const FIRST_BYTES = 64 * 1024;
const NO_MEMORY = Buffer.alloc(0);

/**
 * Gathers into one block of memory that is used again: what it gives is valid until the next `add`. Fresh memory is
 * dear, because the system clears each page of it at first touch, and an allocator asks for large blocks anew each
 * time. Something much shorter than the block lets it go, so that one long line does not cost its memory for ever.
 */
export function createBlock(): Pieces {
  let block: Buffer = NO_MEMORY;
  let bytes = 0;

  function makeRoom(length: number): void {
    if (length <= block.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, 2 * length));
    block.copy(larger, 0, 0, bytes);
    block = larger;
  }

  function add(piece: Buffer): void {
    makeRoom(bytes + piece.length);
    block.set(piece, bytes);
    bytes += piece.length;
  }

  function take(): Buffer {
    const whole = block.subarray(0, bytes);
    dropIfLargeFor(bytes);
    bytes = 0;
    return whole;
  }

  function dropIfLargeFor(length: number): void {
    if (block.length > Math.max(FIRST_BYTES, 4 * length)) block = NO_MEMORY;
  }

  return {
    add,
    get bytes() {
      return bytes;
    },
    take,
    end(last) {
      if (bytes > 0) {
        add(last);
        return take();
      }
      dropIfLargeFor(last.length);
      return last;
    },
  };
}
