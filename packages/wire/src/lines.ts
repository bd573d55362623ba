import { createBlock } from "./block.ts";
import { createOversizeRecorder, type Oversize, type OversizeRecorder } from "./oversize.ts";
import { createPieces } from "./pieces.ts";

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
/** A byte order mark and a CR may surround a line that is exactly at its cap. */
const SURROUNDING_BYTES = 4;

export interface LineSplitterOptions {
  /** Cap of one line in bytes, without its line end and without a byte order mark. */
  readonly maxBytes: number;
  /**
   * Lines are lent for the time of `onLine`: a line in many chunks lies in memory that the next one overwrites, which
   * spares a long line fresh memory. For those that parse or copy each line at once. Without it a line is its reader's.
   */
  readonly lend?: boolean | undefined;
  /**
   * One line without its line end. It is a view of the pushed chunk where it lies wholly in one: read it or copy it
   * before the chunk's memory is used again. Must not throw.
   */
  onLine(line: Buffer): void;
  /** Called once for a line over the cap, when that line ends. The lines around it are unharmed. Must not throw. */
  onOversize(oversize: Oversize): void;
}

export interface LineSplitter {
  /** Without `lend`, keeps views of `chunk` until the lines in it have ended: the caller must not write to it afterwards. */
  push(chunk: Uint8Array): void;
  /** Delivers a final line that has no line end, and starts anew. */
  end(): void;
}

/**
 * Splits bytes into lines ended by LF or CRLF, in time linear in the bytes whatever the chunks. Blank lines are
 * skipped, and a byte order mark before a line is dropped. A line is decoded by nobody here.
 */
export function createLineSplitter(options: LineSplitterOptions): LineSplitter {
  const { maxBytes, onLine, onOversize } = options;
  const held = options.lend ? createBlock() : createPieces();
  let oversize: OversizeRecorder | undefined;

  function deliver(received: Buffer): void {
    const line = contentOf(received);
    if (line.length <= maxBytes) {
      if (!isBlank(line)) onLine(line);
      return;
    }
    const recorder = createOversizeRecorder();
    recorder.add(line);
    onOversize(recorder.report());
  }

  function hold(part: Buffer): void {
    if (oversize !== undefined) {
      oversize.add(part);
      return;
    }
    held.add(part);
    if (held.bytes > maxBytes + SURROUNDING_BYTES) {
      oversize = createOversizeRecorder();
      oversize.add(withoutByteOrderMark(held.take()));
    }
  }

  function endLine(rest: Buffer): void {
    if (oversize !== undefined) {
      oversize.add(rest);
      const report = withoutCarriageReturn(oversize.report());
      oversize = undefined;
      onOversize(report);
    } else {
      deliver(held.end(rest));
    }
  }

  return {
    push(chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      let start = 0;
      for (let lf = bytes.indexOf(LF); lf !== -1; lf = bytes.indexOf(LF, start)) {
        const line = bytes.subarray(start, lf);
        start = lf + 1;
        endLine(line);
      }
      if (start < bytes.length) hold(bytes.subarray(start));
    },
    end() {
      endLine(Buffer.alloc(0));
    },
  };
}

function contentOf(received: Buffer): Buffer {
  const line = withoutByteOrderMark(received);
  return line.at(-1) === CR ? line.subarray(0, -1) : line;
}

function withoutCarriageReturn(report: Oversize): Oversize {
  if (report.tail.at(-1) !== CR) return report;
  return { ...report, tail: report.tail.subarray(0, -1), bytes: report.bytes - 1 };
}

function withoutByteOrderMark(line: Buffer): Buffer {
  const marked = line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf;
  return marked ? line.subarray(3) : line;
}

function isBlank(line: Buffer): boolean {
  for (let at = 0; at < line.length; at++) {
    const byte = line[at];
    if (byte !== SPACE && byte !== TAB && byte !== CR) return false;
  }
  return true;
}
