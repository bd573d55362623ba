const LF = 0x0a;
const CR = 0x0d;

/** Calls `onLine` for each line ended by LF, CR or CRLF and returns where the unended rest starts. Linear in the bytes. */
export function eachLine(bytes: Buffer, from: number, onLine: (line: Buffer) => void): number {
  let start = from;
  let lf = bytes.indexOf(LF, start);
  let cr = bytes.indexOf(CR, start);
  while (lf !== -1 || cr !== -1) {
    const end = lf === -1 || (cr !== -1 && cr < lf) ? cr : lf;
    onLine(bytes.subarray(start, end));
    start = end === cr && lf === cr + 1 ? end + 2 : end + 1;
    if (lf !== -1 && lf < start) lf = bytes.indexOf(LF, start);
    if (cr !== -1 && cr < start) cr = bytes.indexOf(CR, start);
  }
  return start;
}

/** Drops a byte order mark at the start of the stream, even if it comes in several chunks. */
export function createByteOrderMarkFilter() {
  const mark = Buffer.from([0xef, 0xbb, 0xbf]);
  /** The bytes that may still be a mark; undefined once the stream has begun. */
  let head: Buffer | undefined = Buffer.alloc(0);

  return {
    push(chunk: Buffer): Buffer {
      if (head === undefined) return chunk;
      head = Buffer.concat([head, chunk]);
      if (head.length < mark.length && mark.subarray(0, head.length).equals(head))
        return Buffer.alloc(0);
      const start = head.subarray(0, mark.length).equals(mark) ? head.subarray(mark.length) : head;
      head = undefined;
      return start;
    },
    end(): Buffer {
      const rest = head ?? Buffer.alloc(0);
      head = undefined;
      return rest;
    },
  };
}
