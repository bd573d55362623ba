/** Pieces shorter than this are copied into pages: a peer that sends single bytes must not cost one object a byte. */
const SMALL_BYTES = 1024;
const PAGE_BYTES = 16 * 1024;

/** The bytes of one line or event, gathered from chunks: each byte is copied at most twice, whatever the chunk size. */
export interface Pieces {
  /** Keeps `piece` by reference where it is large: the caller must not write to it afterwards. */
  add(piece: Buffer): void;
  readonly bytes: number;
  /** All bytes in order, as the piece itself where there is only one, and starts anew. */
  take(): Buffer;
  /** All bytes with `last` behind them, as `last` itself where there are no others, and starts anew. */
  end(last: Buffer): Buffer;
}

export function createPieces(): Pieces {
  let pieces: Buffer[] = [];
  let bytes = 0;
  let page: Buffer = Buffer.alloc(0);
  let used = 0;

  function sealPage(): void {
    if (used === 0) return;
    pieces.push(page.subarray(0, used));
    page = page.subarray(used);
    used = 0;
  }

  function addSmall(piece: Buffer): void {
    if (page.length - used < piece.length) {
      sealPage();
      page = Buffer.allocUnsafe(PAGE_BYTES);
    }
    page.set(piece, used);
    used += piece.length;
  }

  function add(piece: Buffer): void {
    bytes += piece.length;
    if (piece.length < SMALL_BYTES) {
      addSmall(piece);
    } else {
      sealPage();
      pieces.push(piece);
    }
  }

  function take(): Buffer {
    sealPage();
    const whole = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, bytes);
    pieces = [];
    bytes = 0;
    return whole;
  }

  return {
    add,
    get bytes() {
      return bytes;
    },
    take,
    end(last) {
      if (bytes === 0) return last;
      add(last);
      return take();
    },
  };
}
