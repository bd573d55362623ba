import type { BigIntStats } from "node:fs";
import type { Stamp } from "./stamp.ts";

/** A text and the form in which it is compared. Both have the same lines. */
export interface SearchText {
  readonly text: string;
  /** Undefined for ASCII, where lower case is all there is to it and is soon made. */
  readonly folded: string | undefined;
}

/** Finds the next place that may be of interest, at or after a place; -1 where there is none. */
export type FindNext = (texts: SearchText, from: number) => number;

/**
 * The texts of files of one folder, in columns and outside of the heap instead of as an object for each: thousands of
 * small things that live long are what a garbage collector is slow with. A file is a row; rows are only ever added.
 */
export interface Texts {
  /** How many rows there are. */
  readonly length: number;
  /** Bytes that all rows occupy, and those among them that are forgotten. */
  readonly bytes: number;
  readonly forgottenBytes: number;
  /** The row of a file as far as it is remembered. */
  rowOf(name: string): number | undefined;
  /** The rows of files in their order, and the bytes of all of them; undefined where one is not remembered. */
  rowsOf(names: readonly string[]): Rows | undefined;
  nameOf(row: number): string;
  sizeOf(row: number): number;
  /** When the file was last written, in milliseconds since 1970. */
  modifiedAt(row: number): number;
  textOf(row: number): SearchText;
  /** Whether a look sees the file in the state in which it was read. */
  isSame(row: number, status: Stamp): boolean;
  /** The rows that hold a place which is found. */
  find(next: FindNext): ReadonlySet<number>;
  /** Adds a row for a file; its text follows with {@link addTexts}. */
  addRow(name: string, status: BigIntStats): number;
  /** Gives the last added rows their texts, of which `fold` makes the form in which they are compared. */
  addTexts(texts: readonly string[], fold: (text: string) => string): void;
  /** Gives the last added rows their texts, all of them ASCII and written one after another, by their ends. */
  addAscii(bytes: Buffer, ends: readonly number[]): void;
  /** Makes a file unknown again; its row stays readable to those who have it. */
  forget(name: string): void;
}

/** Some rows, and the bytes that their files have together. */
interface Rows {
  readonly rows: readonly number[];
  readonly size: number;
}

/** Texts one after another, in bytes outside of the heap, and where each of them ends in UTF-16 units. */
interface Strip {
  readonly bytes: Buffer;
  readonly encoding: "latin1" | "utf16le";
  readonly ends: readonly number[];
}

/** The texts of some rows. */
interface Chunk {
  readonly firstRow: number;
  readonly text: Strip;
  readonly folded: Strip | undefined;
}

const FIELDS = 7;
const FIRST_ROWS = 16;

/** Makes an empty table. */
export function createTexts(): Texts {
  const rows = new Map<string, number>();
  const names: string[] = [];
  const chunks: Chunk[] = [];
  /** The chunk of each row. */
  const homes: Chunk[] = [];
  let stamps = new BigInt64Array(FIELDS * FIRST_ROWS);
  let bytes = 0;
  let forgottenBytes = 0;
  /** The last answers of rowsOf: whoever keeps its list of names gets the rows without a search for each. */
  let found = new WeakMap<readonly string[], Rows>();

  function rowsOf(names: readonly string[]): Rows | undefined {
    const known = found.get(names);
    if (known) return known;
    const own: number[] = [];
    let size = 0;
    for (const name of names) {
      const row = rows.get(name);
      if (row === undefined) return undefined;
      own.push(row);
      size += sizeOf(row);
    }
    const made = { rows: own, size };
    found.set(names, made);
    return made;
  }

  const sizeOf = (row: number) => Number(stamps[row * FIELDS]);

  function addChunk(text: Strip, folded?: Strip): void {
    const chunk = { firstRow: homes.length, text, folded };
    for (let count = 0; count < text.ends.length; count++) homes.push(chunk);
    chunks.push(chunk);
    bytes += text.bytes.length + (folded?.bytes.length ?? 0);
  }

  function textOf(row: number): SearchText {
    const { text, folded, firstRow } = homes[row]!;
    return {
      text: textAt(text, row - firstRow),
      folded: folded && textAt(folded, row - firstRow),
    };
  }

  return {
    get length() {
      return names.length;
    },
    get bytes() {
      return bytes;
    },
    get forgottenBytes() {
      return forgottenBytes;
    },
    rowOf: (name) => rows.get(name),
    nameOf: (row) => names[row]!,
    rowsOf,
    sizeOf,
    modifiedAt: (row) => Number(stamps[row * FIELDS + 1]! / 1_000_000n),
    textOf,
    isSame(row, status) {
      const at = row * FIELDS;
      return (
        stamps[at + 2] === status.ctimeNs &&
        stamps[at + 3] === status.ino &&
        stamps[at] === status.size &&
        stamps[at + 1] === status.mtimeNs &&
        stamps[at + 4] === status.dev &&
        stamps[at + 5] === status.mode &&
        stamps[at + 6] === status.nlink
      );
    },
    find(next) {
      const holders = new Set<number>();
      for (const chunk of chunks) {
        const { ends } = chunk.folded ?? chunk.text;
        const whole = {
          text: chunk.folded ? "" : textsOf(chunk.text),
          folded: chunk.folded && textsOf(chunk.folded),
        };
        for (let place = next(whole, 0); place !== -1; ) {
          const at = firstAbove(ends, place);
          holders.add(chunk.firstRow + at);
          place = next(whole, ends[at]!);
        }
      }
      return holders;
    },
    addRow(name, { size, mtimeNs, ctimeNs, ino, dev, mode, nlink }) {
      const row = names.push(name) - 1;
      rows.set(name, row);
      const at = row * FIELDS;
      if (at === stamps.length) stamps = twice(stamps);
      stamps[at] = size;
      stamps[at + 1] = mtimeNs;
      stamps[at + 2] = ctimeNs;
      stamps[at + 3] = ino;
      stamps[at + 4] = dev;
      stamps[at + 5] = mode;
      stamps[at + 6] = nlink;
      return row;
    },
    addTexts(texts, fold) {
      addChunk(stripOf(texts), stripOf(texts.map(fold)));
    },
    addAscii: (bytes, ends) => addChunk({ bytes: Buffer.from(bytes), encoding: "latin1", ends }),
    forget(name) {
      const row = rows.get(name);
      if (row === undefined) return;
      rows.delete(name);
      found = new WeakMap();
      const { text, folded, firstRow } = homes[row]!;
      forgottenBytes += bytesAt(text, row - firstRow);
      if (folded) forgottenBytes += bytesAt(folded, row - firstRow);
    },
  };
}

function twice(stamps: BigInt64Array<ArrayBuffer>): BigInt64Array<ArrayBuffer> {
  const larger = new BigInt64Array(2 * stamps.length);
  larger.set(stamps);
  return larger;
}

function stripOf(texts: readonly string[]): Strip {
  let end = 0;
  const ends = texts.map(({ length }) => {
    end += length;
    return end;
  });
  return { bytes: Buffer.from(texts.join(""), "utf16le"), encoding: "utf16le", ends };
}

function textsOf({ bytes, encoding }: Strip): string {
  return bytes.toString(encoding);
}

function textAt({ bytes, encoding, ends }: Strip, at: number): string {
  const width = encoding === "latin1" ? 1 : 2;
  return bytes.toString(encoding, width * (ends[at - 1] ?? 0), width * ends[at]!);
}

function bytesAt({ encoding, ends }: Strip, at: number): number {
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
