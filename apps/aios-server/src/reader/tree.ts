import { isAscii, isUtf8 } from "node:buffer";
import { type BigIntStats, constants } from "node:fs";
import { AiosError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Access } from "../memory/gate.ts";
import { type Entry, fileStamp, guarded, kindOf, namesOf } from "./contained.ts";
import { type Disk, nodeDisk } from "./disk.ts";
import { type Anchor, type Folder, openFolders } from "./folders.ts";
import { isSame, type Stamp } from "./stamp.ts";
import type { KeptFolder, TextCache } from "./text-cache.ts";
import type { Texts } from "./texts.ts";

/**
 * Reads many files below one root for one call, with the same care as {@link Contained} and fewer looks: a folder's own
 * listing tells what to open, a file is judged by its open descriptor, and what was read counts only once
 * {@link Tree.verify} and {@link Tree.verifyGuesses} have seen all of it again. Counting is the caller's.
 */
export interface Tree extends Disposable {
  /**
   * The entries of a folder, the root by "", in code unit order; undefined where it is missing. `count` is told how many
   * are taken before they are, and may throw to stop. As long as the folder is kept, the list is the same one.
   */
  list(
    path: string,
    source: string,
    count: (entries: number) => void,
  ): readonly Entry[] | undefined;
  /**
   * Reads files of one folder in turn, until `admit` refuses one: of that nothing is read. The folder and its files must
   * have been listed or looked at.
   */
  read(path: string, names: readonly string[], source: string, admit: Admit): ReadFiles;
  /** The sizes of files of one folder in bytes; undefined where one is missing. */
  sizesOf(path: string, names: readonly string[], source: string): readonly (number | undefined)[];
  /** Looks again at all that this call itself read and listed; throws SOURCE_CHANGED where it is otherwise by now. */
  verify(): void;
  /**
   * Whether everything is true that was taken from the cache unseen. What is not is forgotten, and whatever came of it,
   * a fault included, must be made anew.
   */
  verifyGuesses(): boolean;
}

/** Whether so many files may be read that have so many bytes together. */
type Admit = (size: number, files: number) => boolean;

/** The files of a folder that were read, which are the first of those that were asked for. */
export interface ReadFiles {
  readonly texts: Texts;
  readonly rows: readonly number[];
}

interface Visit extends ReadFiles {
  readonly kept: KeptFolder;
  /** The path of the folder. */
  readonly base: string;
  readonly source: string;
  /** Rows from here on were read by this call, those before it are kept from others. */
  readonly firstOwn: number;
}

/** Files are made into texts together, up to about so many bytes. */
const CHUNK_BYTES = 1024 * 1024;

/** Opens a root, which must be a folder, for one call that was granted access. `fold` makes of a text the form in which it is compared. */
export function openTree(
  _access: Access,
  options: {
    root: string;
    cache: TextCache;
    fold: (text: string) => string;
    now: number;
    disk?: Disk;
    anchor?: Anchor;
  },
): Tree {
  const { root, cache, fold, now, disk = nodeDisk, anchor } = options;
  const folders = guarded("the folder", () => openFolders(root, disk, anchor));
  const visits: Visit[] = [];
  /** Listings that were taken from the cache unseen. */
  const guesses: { readonly kept: KeptFolder; readonly base: string; readonly stamp: Stamp }[] = [];
  /** A change after this one would be sure to show in a stamp, however coarse the disk's clock is. */
  const settledNs = BigInt(now - limits.minCachedAgeMs) * 1_000_000n;
  let scratch: Buffer = Buffer.alloc(0);

  /** Does something in a folder, and where it is reached by name makes sure that it is the same all the while. */
  function within<R>(path: string, source: string, act: (folder: Folder | undefined) => R): R {
    const names = path === "" ? [] : namesOf(path, source);
    return guarded(source, () => {
      const folder = folders.enter(names, source);
      const isNamed = folder !== undefined && folders.anchor === "name";
      if (isNamed) folders.verifyDownTo(names, source);
      const result = act(folder);
      if (isNamed) folders.verifyDownTo(names, source);
      return result;
    });
  }

  function list(path: string, source: string, count: (entries: number) => void) {
    const kept = cache.folder(keyOf(path));
    const { listing } = kept;
    if (listing) {
      count(listing.entries.length);
      guesses.push({ kept, base: baseOf(path), stamp: listing.stamp });
      return listing.entries;
    }
    return within(path, source, (folder) => {
      if (folder === undefined) return undefined;
      const entries: Entry[] = [];
      for (const entry of disk.entries(folder.at)) {
        count(1);
        entries.push({ name: entry.name, kind: kindOf(entry) });
      }
      entries.sort((a, b) => (a.name < b.name ? -1 : 1));
      if (folder.stamp.ctimeNs < settledNs) kept.keepListing(folder.stamp, entries);
      return entries;
    });
  }

  function sizesOf(path: string, names: readonly string[], source: string) {
    return within(path, source, (folder) =>
      names.map((name) => {
        const status = folder && disk.lstat(`${folder.at}/${name}`);
        return status && Number(fileStamp(status, source).size);
      }),
    );
  }

  function read(path: string, names: readonly string[], source: string, admit: Admit): ReadFiles {
    const kept = cache.folder(keyOf(path));
    const { texts } = kept;
    const visit = { kept, texts, base: baseOf(path), source, firstOwn: texts.length };
    const known = texts.rowsOf(names);
    if (known && admit(known.size, names.length)) {
      visits.push({ ...visit, rows: known.rows });
      return { texts, rows: known.rows };
    }
    const rows: number[] = [];
    visits.push({ ...visit, rows });
    try {
      within(path, source, (folder) => readFiles(folder, names, { texts, rows, source, admit }));
    } catch (error) {
      // Rows may be without their texts.
      kept.drop();
      throw error;
    }
    if (texts.length > visit.firstOwn) kept.settle();
    return { texts, rows };
  }

  /** Adds rows of the files that are admitted, up to the first that is not. */
  function readFiles(
    folder: Folder | undefined,
    names: readonly string[],
    to: { texts: Texts; rows: number[]; source: string; admit: Admit },
  ): void {
    const { texts, rows, source, admit } = to;
    const unsettled: string[] = [];
    let ends: number[] = [];
    let end = 0;
    const finishChunk = () => {
      if (ends.length > 0) addTexts(texts, ends, source);
      ends = [];
      end = 0;
    };
    for (const name of names) {
      const known = texts.rowOf(name);
      if (known !== undefined) {
        if (!admit(texts.sizeOf(known), 1)) break;
        rows.push(known);
        continue;
      }
      if (folder === undefined) throw new AiosError("SOURCE_CHANGED", { source });
      const status = readFile(`${folder.at}/${name}`, end, source, admit);
      if (status === undefined) break;
      rows.push(texts.addRow(name, status));
      if (status.ctimeNs >= settledNs) unsettled.push(name);
      end += Number(status.size);
      ends.push(end);
      if (end >= CHUNK_BYTES) finishChunk();
    }
    finishChunk();
    for (const name of unsettled) texts.forget(name);
  }

  /** Reads a file to a place in the scratch, if it is admitted. Asks for one byte more than there should be. */
  function readFile(
    target: string,
    start: number,
    source: string,
    admit: Admit,
  ): BigIntStats | undefined {
    const descriptor = disk.openFile(target);
    try {
      const status = disk.fstat(descriptor);
      requireFile(status, source);
      const size = Number(status.size);
      if (!admit(size, 1)) return undefined;
      if (scratch.length <= start + size) scratch = enlarged(scratch, start + size + 1);
      let end = start;
      for (let count = -1; count !== 0 && end < start + size; end += count)
        count = disk.read(descriptor, scratch, end);
      if (end !== start + size) throw new AiosError("SOURCE_CHANGED", { source });
      return status;
    } finally {
      disk.close(descriptor);
    }
  }

  /** Makes texts of what is in the scratch, file by file up to its end. */
  function addTexts(texts: Texts, ends: readonly number[], source: string): void {
    const whole = scratch.subarray(0, ends.at(-1));
    if (isAscii(whole)) {
      texts.addAscii(whole, ends);
      return;
    }
    const decoded = ends.map((end, at) => {
      const bytes = whole.subarray(ends[at - 1] ?? 0, end);
      if (!isUtf8(bytes)) throw new AiosError("SOURCE_NOT_UTF8", { source });
      return bytes.toString("utf8");
    });
    texts.addTexts(decoded, fold);
  }

  /** By name, which is enough: only the very file in the very state that was read has this stamp. */
  function isStill({ base, texts }: Visit, row: number): boolean {
    const status = disk.lstat(`${base}/${texts.nameOf(row)}`);
    return status !== undefined && texts.isSame(row, status);
  }

  function verify(): void {
    guarded("the folder", () => {
      for (const visit of visits)
        for (const row of visit.rows)
          if (row >= visit.firstOwn && !isStill(visit, row))
            throw new AiosError("SOURCE_CHANGED", { source: visit.source });
      folders.verifyAll();
    });
  }

  function verifyGuesses(): boolean {
    return guarded("the folder", () => {
      const areListings = guesses.map(({ kept, base, stamp }) => {
        // The root alone may be reached through a link.
        const status = base === root ? disk.stat(base) : disk.lstat(base);
        const isTrue = status !== undefined && isSame(status, stamp);
        if (!isTrue) kept.forgetListing();
        return isTrue;
      });
      return [...areListings, ...visits.map(verifyKept)].every(Boolean);
    });
  }

  function verifyKept(visit: Visit): boolean {
    const { kept, texts, rows, firstOwn } = visit;
    const old = rows.filter((row) => row < firstOwn && !isStill(visit, row));
    for (const row of old) texts.forget(texts.nameOf(row));
    if (old.length > 0) kept.settle();
    return old.length === 0;
  }

  const keyOf = (path: string) => `${root}/${path}`;
  const baseOf = (path: string) => (path === "" ? root : `${root}/${path}`);

  return {
    list,
    read,
    sizesOf,
    verify,
    verifyGuesses,
    [Symbol.dispose]: () => folders[Symbol.dispose](),
  };
}

/** As {@link fileStamp}, without the stamp, and quick with what is a file. */
function requireFile(status: BigIntStats, source: string): void {
  if ((Number(status.mode) & constants.S_IFMT) !== constants.S_IFREG) fileStamp(status, source);
}

function enlarged(buffer: Buffer, length: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(length, 2 * buffer.length, CHUNK_BYTES));
  buffer.copy(larger);
  return larger;
}
