import {
  type Block,
  bytesAt,
  bytesOf,
  changedNsAt,
  copyStamps,
  countFiles,
  createStamps,
  fileAt,
  modifiedAt,
  type SearchText,
  sizeAt,
  textAt,
  wholeOf,
} from "./block.ts";

/** Finds the next place that may be of interest, at or after a place; -1 where there is none. */
export type FindNext = (texts: SearchText, from: number) => number;

/** The texts of files of one folder. A file is a row; rows are only ever added. */
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
  /** The stamps of rows, one after another. */
  stampsOf(rows: readonly number[]): BigInt64Array;
  /** The rows that hold a place which is found. */
  find(next: FindNext): ReadonlySet<number>;
  /** Adds a row for each file of a block, by its name. */
  add(names: readonly string[], block: Block): void;
  /** Makes a file unknown again; its row stays readable to those who have it. */
  forget(name: string): void;
  /** Does so for the files from a row on that were changed at a time or after it, in nanoseconds since 1970, and tells whether there were any. */
  forgetSince(row: number, changedNs: bigint): boolean;
}

/** Some rows, and the bytes that their files have together. */
interface Rows {
  readonly rows: readonly number[];
  readonly size: number;
}

/** A block, and the row of its first file. */
interface Home {
  readonly firstRow: number;
  readonly block: Block;
}

/** Makes an empty table. */
export function createTexts(): Texts {
  const names: string[] = [];
  /** The rows by name, as far as somebody had to ask. */
  const index = new Map<string, number>();
  let indexed = 0;
  const homes: Home[] = [];
  /** The home of each row. */
  const homeOf: Home[] = [];
  let bytes = 0;
  let forgottenBytes = 0;
  let hasForgotten = false;
  /** The last answers of rowsOf: whoever keeps its list of names gets the rows without a search for each. */
  let found = new WeakMap<readonly string[], Rows>();

  function rowOf(name: string): number | undefined {
    for (; indexed < names.length; indexed++) index.set(names[indexed]!, indexed);
    return index.get(name);
  }

  function rowsOf(wanted: readonly string[]): Rows | undefined {
    const known = found.get(wanted);
    if (known) return known;
    const rows: number[] = [];
    let size = 0;
    for (const [at, name] of wanted.entries()) {
      // Most often all files of a folder are wanted, in the order in which they were read.
      const row = !hasForgotten && names[at] === name ? at : rowOf(name);
      if (row === undefined) return undefined;
      rows.push(row);
      size += sizeOf(row);
    }
    const made = { rows, size };
    found.set(wanted, made);
    return made;
  }

  function forget(name: string): void {
    const row = rowOf(name);
    if (row === undefined) return;
    index.delete(name);
    hasForgotten = true;
    found = new WeakMap();
    forgottenBytes += inBlock(row, bytesAt);
  }

  function inBlock<T>(row: number, ask: (block: Block, at: number) => T): T {
    const { block, firstRow } = homeOf[row]!;
    return ask(block, row - firstRow);
  }
  const sizeOf = (row: number) => inBlock(row, ({ stamps }, at) => sizeAt(stamps, at));

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
    rowOf,
    nameOf: (row) => names[row]!,
    rowsOf,
    sizeOf,
    modifiedAt: (row) => inBlock(row, ({ stamps }, at) => modifiedAt(stamps, at)),
    textOf: (row) => inBlock(row, textAt),
    stampsOf(rows) {
      const stamps = createStamps(rows.length);
      for (let from = 0, to = 1; from < rows.length; from = to++) {
        // Most often they are a whole block, or much of it.
        while (rows[to] === rows[to - 1]! + 1 && homeOf[rows[to]!] === homeOf[rows[from]!]) to++;
        const { block, firstRow } = homeOf[rows[from]!]!;
        copyStamps(block.stamps, rows[from]! - firstRow, to - from, stamps, from);
      }
      return stamps;
    },
    find(next) {
      const holders = new Set<number>();
      for (const { firstRow, block } of homes) {
        const whole = wholeOf(block);
        for (let place = next(whole, 0); place !== -1; ) {
          const { at, end } = fileAt(block, place);
          holders.add(firstRow + at);
          place = next(whole, end);
        }
      }
      return holders;
    },
    add(added, block) {
      const home = { firstRow: names.length, block };
      homes.push(home);
      for (let at = 0; at < countFiles(block); at++) {
        names.push(added[at]!);
        homeOf.push(home);
      }
      bytes += bytesOf(block);
    },
    forget,
    forgetSince(row, changedNs) {
      const fresh = homes.filter(
        ({ firstRow, block }) => firstRow >= row && block.changedNs >= changedNs,
      );
      const late = fresh.flatMap(({ firstRow, block }) =>
        names
          .slice(firstRow, firstRow + countFiles(block))
          .filter((_, at) => changedNsAt(block.stamps, at) >= changedNs),
      );
      late.forEach(forget);
      return late.length > 0;
    },
  };
}
