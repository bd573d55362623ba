import { isAscii, isUtf8 } from "node:buffer";
import { type BigIntStats, constants } from "node:fs";
import { AiosError } from "../errors.ts";
import { fileStamp } from "./contained.ts";
import type { Disk } from "./disk.ts";
import type { Stamp } from "./stamp.ts";

/** A text and the form in which it is compared. Both have the same lines. */
export interface SearchText {
  readonly text: string;
  /** Undefined for ASCII, where lower case is all there is to it and is soon made. */
  readonly folded: string | undefined;
}

/**
 * Some files of one folder that were read one after another, in columns and outside of the heap instead of as an object
 * for each: thousands of small things that live long are what a garbage collector is slow with.
 */
export interface Block {
  /** The seven numbers of each file's stamp. */
  readonly stamps: BigInt64Array<ArrayBuffer>;
  /** When anything about any of them was last changed, in nanoseconds since 1970. */
  readonly changedNs: bigint;
  readonly text: Strip;
  readonly folded: Strip | undefined;
}

/** Texts one after another, in bytes of their own, and where each of them ends in UTF-16 units. */
interface Strip {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly encoding: "latin1" | "utf16le";
  readonly ends: readonly number[];
}

/** Whether so many files may be read that have so many bytes together. */
export type Admit = (size: number, files: number) => boolean;

/** Reads files into blocks. */
export interface BlockReader {
  /** Reads the file at a path unless it is not admitted, and tells whether it did. */
  read(target: string, source: string, admit: Admit): boolean;
  /** How many files were read since the last block. */
  readonly length: number;
  /** Whether it is time for {@link finish}. */
  readonly isFull: boolean;
  /** Makes a block of what was read; throws SOURCE_NOT_UTF8. */
  finish(source: string): Block;
  /** Forgets what was read since the last block. */
  drop(): void;
}

/** About how much is read into one block. */
const BLOCK_BYTES = 1024 * 1024;
const BLOCK_FILES = 256;
const FIELDS = 7;

/** Makes a reader that has read nothing yet. `fold` makes of a text the form in which it is compared. */
export function createBlockReader(disk: Disk, fold: (text: string) => string): BlockReader {
  const stamps = createStamps(BLOCK_FILES);
  let scratch: Buffer<ArrayBuffer> = Buffer.allocUnsafeSlow(0);
  let ends: number[] = [];
  let changedNs = 0n;

  const end = () => ends.at(-1) ?? 0;

  /** Asks for one byte more than there should be, so that a file that grew shows itself. */
  function read(target: string, source: string, admit: Admit): boolean {
    const descriptor = disk.openFile(target);
    try {
      const status = disk.fstat(descriptor);
      requireFile(status, source);
      const size = Number(status.size);
      if (!admit(size, 1)) return false;
      fill(descriptor, size, source);
      writeStamp(stamps, ends.length, status);
      if (status.ctimeNs > changedNs) changedNs = status.ctimeNs;
      ends.push(end() + size);
      return true;
    } finally {
      disk.close(descriptor);
    }
  }

  function fill(descriptor: number, size: number, source: string): void {
    const start = end();
    if (scratch.length <= start + size) scratch = enlarged(scratch, start + size + 1);
    let filled = start;
    for (let count = -1; count !== 0 && filled < start + size; filled += count)
      count = disk.read(descriptor, scratch, filled);
    if (filled !== start + size) throw new AiosError("SOURCE_CHANGED", { source });
  }

  function drop(): void {
    ends = [];
    changedNs = 0n;
  }

  return {
    read,
    get length() {
      return ends.length;
    },
    get isFull() {
      return ends.length === BLOCK_FILES || end() >= BLOCK_BYTES;
    },
    finish(source) {
      const own = ends;
      const bytes = scratch.subarray(0, end());
      const newest = changedNs;
      drop();
      return {
        stamps: stamps.slice(0, FIELDS * own.length),
        changedNs: newest,
        ...(isAscii(bytes) ? asciiStrip(bytes, own) : foldedStrips(bytes, own, source, fold)),
      };
    },
    drop,
  };
}

/** How many files a block holds. */
export function countFiles({ text }: Block): number {
  return text.ends.length;
}

/** The text of a file, by its place in the block. */
export function textAt({ text, folded }: Block, at: number): SearchText {
  return { text: stripAt(text, at), folded: folded && stripAt(folded, at) };
}

/** All texts one after another, and only in the form in which they are compared if that is another. */
export function wholeOf({ text, folded }: Block): SearchText {
  const whole = decoded(folded ?? text);
  return folded ? { text: "", folded: whole } : { text: whole, folded: undefined };
}

/** The file in which a place in {@link wholeOf} is, and where that file ends. */
export function fileAt({ text, folded }: Block, place: number): { at: number; end: number } {
  const { ends } = folded ?? text;
  const at = firstAbove(ends, place);
  return { at, end: ends[at]! };
}

/** Bytes that a block occupies, or one file in it. */
export function bytesOf({ text, folded }: Block): number {
  return text.bytes.length + (folded?.bytes.length ?? 0);
}

/** Bytes that one file of a block occupies. */
export function bytesAt({ text, folded }: Block, at: number): number {
  return stripBytesAt(text, at) + (folded ? stripBytesAt(folded, at) : 0);
}

/** The size of a file on the disk in bytes, and when it was changed last, by its place in a column of stamps. */
export function sizeAt(stamps: BigInt64Array, at: number): number {
  return Number(stamps[at * FIELDS]);
}

/** When a file was last written, in milliseconds since 1970. */
export function modifiedAt(stamps: BigInt64Array, at: number): number {
  return Number(stamps[at * FIELDS + 1]! / 1_000_000n);
}

/** When anything about a file was last changed, in nanoseconds since 1970. */
export function changedNsAt(stamps: BigInt64Array, at: number): bigint {
  return stamps[at * FIELDS + 2]!;
}

/** Room for the stamps of so many files. */
export function createStamps(files: number): BigInt64Array<ArrayBuffer> {
  return new BigInt64Array(FIELDS * files);
}

/** Copies the stamps of so many files from a place in one column to a place in another. */
export function copyStamps(
  from: BigInt64Array,
  start: number,
  files: number,
  to: BigInt64Array,
  at: number,
): void {
  to.set(from.subarray(FIELDS * start, FIELDS * (start + files)), FIELDS * at);
}

/** Whether a look sees a file in the state in which it was read. */
export function isSameAt(stamps: BigInt64Array, file: number, status: Stamp): boolean {
  const at = file * FIELDS;
  return (
    stamps[at + 2] === status.ctimeNs &&
    stamps[at + 3] === status.ino &&
    stamps[at] === status.size &&
    stamps[at + 1] === status.mtimeNs &&
    stamps[at + 4] === status.dev &&
    stamps[at + 5] === status.mode &&
    stamps[at + 6] === status.nlink
  );
}

function writeStamp(stamps: BigInt64Array, file: number, status: Stamp): void {
  const at = file * FIELDS;
  stamps[at] = status.size;
  stamps[at + 1] = status.mtimeNs;
  stamps[at + 2] = status.ctimeNs;
  stamps[at + 3] = status.ino;
  stamps[at + 4] = status.dev;
  stamps[at + 5] = status.mode;
  stamps[at + 6] = status.nlink;
}

/** As {@link fileStamp}, without the stamp, and quick with what is a file. */
function requireFile(status: BigIntStats, source: string): void {
  if ((Number(status.mode) & constants.S_IFMT) !== constants.S_IFREG) fileStamp(status, source);
}

function enlarged(buffer: Buffer, length: number): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * buffer.length, BLOCK_BYTES));
  buffer.copy(larger);
  return larger;
}

function asciiStrip(bytes: Buffer, ends: readonly number[]): Pick<Block, "text" | "folded"> {
  // Not of a pool, so that it can go from one thread to another.
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return { text: { bytes: own, encoding: "latin1", ends }, folded: undefined };
}

function foldedStrips(
  bytes: Buffer,
  ends: readonly number[],
  source: string,
  fold: (text: string) => string,
): Pick<Block, "text" | "folded"> {
  const texts = ends.map((end, at) => {
    const file = bytes.subarray(ends[at - 1] ?? 0, end);
    if (!isUtf8(file)) throw new AiosError("SOURCE_NOT_UTF8", { source });
    return file.toString("utf8");
  });
  return { text: stripOf(texts), folded: stripOf(texts.map(fold)) };
}

function stripOf(texts: readonly string[]): Strip {
  let end = 0;
  const ends = texts.map(({ length }) => {
    end += length;
    return end;
  });
  const bytes = Buffer.allocUnsafeSlow(2 * end);
  bytes.write(texts.join(""), "utf16le");
  return { bytes, encoding: "utf16le", ends };
}

function stripAt(strip: Strip, at: number): string {
  const width = strip.encoding === "latin1" ? 1 : 2;
  return decoded(strip, width * (strip.ends[at - 1] ?? 0), width * strip.ends[at]!);
}

function decoded({ bytes, encoding }: Strip, start?: number, end?: number): string {
  return Buffer.from(bytes.buffer).toString(encoding, start, end);
}

function stripBytesAt({ encoding, ends }: Strip, at: number): number {
  const units = ends[at]! - (ends[at - 1] ?? 0);
  return encoding === "latin1" ? units : 2 * units;
}

/** The place of the first of ascending numbers that is above a number. */
function firstAbove(ascending: readonly number[], number: number): number {
  let low = 0;
  for (let high = ascending.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! > number) high = middle;
    else low = middle + 1;
  }
  return low;
}
