import { AiosError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Access } from "../memory/gate.ts";
import { type Entry, fileStamp, guarded, kindOf, namesOf } from "./contained.ts";
import { type Disk, nodeDisk } from "./disk.ts";
import { type Anchor, type Folder, openFolders } from "./folders.ts";
import { isSame, type Stamp } from "./stamp.ts";
import type { KeptFolder, KeptText, TextCache } from "./text-cache.ts";

/**
 * Reads many files below one root for one call, with the same care as {@link Contained} and fewer looks: a folder's own
 * listing tells what to open, a file is judged by its open descriptor, and what was read counts only once
 * {@link Tree.verify} has seen all of it again. Counting is the caller's.
 */
export interface Tree<T> extends Disposable {
  /**
   * The entries of a folder, the root by "", in code unit order; undefined where it is missing. `count` is asked before each is taken
   * and may throw to stop.
   */
  list(path: string, source: string, count: () => void): readonly Entry[] | undefined;
  /** Does something with the files of one folder. Only one folder is visited at a time. */
  visit<R>(path: string, source: string, act: (files: Files<T>) => R): R;
  /**
   * Looks again at all that was read and listed. Throws SOURCE_CHANGED where this call itself saw it otherwise; false
   * where a kept text has turned out to be old: it is forgotten, and what was made of it must be made anew.
   */
  verify(): boolean;
}

/** The files of the visited folder, by name. */
export interface Files<T> {
  /** The size of a file in bytes; undefined where there is none. */
  sizeOf(name: string): number | undefined;
  /** A file's text; undefined where `admit` refused its size, in which case nothing of it was read. */
  read(name: string, admit: (size: number) => boolean): KeptText<T> | undefined;
}

interface Seen {
  readonly path: string;
  readonly stamp: Stamp;
  readonly source: string;
}

/**
 * Opens a root for one call; it must be a folder. `textOf` makes of a file's bytes, which it must not hold on to, what
 * is searched and kept; undefined where they are not UTF-8.
 */
export function openTree<T>(
  _access: Access,
  options: {
    root: string;
    cache: TextCache<T>;
    textOf: (bytes: Buffer) => T | undefined;
    now: () => number;
    disk?: Disk;
    anchor?: Anchor;
  },
): Tree<T> {
  const { root, cache, textOf, now, disk = nodeDisk, anchor } = options;
  const folders = guarded("the folder", () => openFolders(root, disk, anchor));
  const read: Seen[] = [];
  const assumed: (Seen & { readonly kept: KeptFolder<T>; readonly name: string })[] = [];
  let scratch = Buffer.allocUnsafe(64 * 1024);

  /** Whether a change that came after it would be sure to show in the stamp, however coarse the disk's clock is. */
  function isSettled({ ctimeNs }: Stamp): boolean {
    return now() - Number(ctimeNs / 1_000_000n) >= limits.minCachedAgeMs;
  }

  function enter(names: readonly string[], source: string): Folder | undefined {
    const folder = folders.enter(names, source);
    if (folder && folders.anchor === "name") folders.verifyDownTo(names, source);
    return folder;
  }

  function leave(names: readonly string[], source: string): void {
    if (folders.anchor === "name") folders.verifyDownTo(names, source);
  }

  function list(path: string, source: string, count: () => void): readonly Entry[] | undefined {
    const names = namesBelow(path, source);
    return guarded(source, () => {
      const folder = enter(names, source);
      if (folder === undefined) return undefined;
      const kept = cache.folder(`${root}/${path}`);
      const known = kept.listing(folder.stamp);
      if (known) {
        for (let at = 0; at < known.length; at++) count();
        return known;
      }
      const entries: Entry[] = [];
      for (const entry of disk.entries(folder.at)) {
        count();
        entries.push({ name: entry.name, kind: kindOf(entry) });
      }
      entries.sort((a, b) => (a.name < b.name ? -1 : 1));
      leave(names, source);
      if (isSettled(folder.stamp)) kept.keepListing(folder.stamp, entries);
      return entries;
    });
  }

  function visit<R>(path: string, source: string, act: (files: Files<T>) => R): R {
    const names = namesBelow(path, source);
    const base = path === "" ? root : `${root}/${path}`;
    const kept = cache.folder(`${root}/${path}`);
    let entered: { readonly folder: Folder | undefined } | undefined;
    const folder = () => {
      entered ??= { folder: enter(names, source) };
      return entered.folder;
    };

    const files: Files<T> = {
      sizeOf(name) {
        const known = kept.text(name);
        if (known) return Number(known.stamp.size);
        const at = folder()?.at;
        const status = at === undefined ? undefined : disk.lstat(`${at}/${name}`);
        return status && Number(fileStamp(status, source).size);
      },
      read(name, admit) {
        const known = kept.text(name);
        if (known) {
          if (!admit(Number(known.stamp.size))) return undefined;
          assumed.push({ path: `${base}/${name}`, stamp: known.stamp, source, kept, name });
          return known;
        }
        const at = folder()?.at;
        if (at === undefined) throw new AiosError("SOURCE_CHANGED", { source });
        const made = readFile(`${at}/${name}`, source, admit);
        if (made === undefined) return undefined;
        read.push({ path: `${base}/${name}`, stamp: made.stamp, source });
        if (isSettled(made.stamp)) kept.keepText(name, made);
        return made;
      },
    };
    return guarded(source, () => {
      const result = act(files);
      if (entered?.folder) leave(names, source);
      return result;
    });
  }

  function readFile(
    target: string,
    source: string,
    admit: (size: number) => boolean,
  ): KeptText<T> | undefined {
    const descriptor = disk.openFile(target);
    try {
      const stamp = fileStamp(disk.fstat(descriptor), source);
      const size = Number(stamp.size);
      if (!admit(size)) return undefined;
      const text = textOf(readWhole(descriptor, size, source));
      if (text === undefined) throw new AiosError("SOURCE_NOT_UTF8", { source });
      return { stamp, text };
    } finally {
      disk.close(descriptor);
    }
  }

  /** Asks for one byte more than there should be, so that a file that grew shows itself. */
  function readWhole(descriptor: number, size: number, source: string): Buffer {
    if (scratch.length <= size) scratch = Buffer.allocUnsafe(size + 1);
    let filled = 0;
    while (filled <= size) {
      const count = disk.read(descriptor, scratch, filled);
      filled += count;
      if (count === 0 || filled === size) break;
    }
    if (filled !== size) throw new AiosError("SOURCE_CHANGED", { source });
    return scratch.subarray(0, size);
  }

  function isStill({ path, stamp }: Seen): boolean {
    const status = disk.lstat(path);
    return status !== undefined && isSame(status, stamp);
  }

  function verify(): boolean {
    return guarded("the folder", () => {
      // By name, which is enough: only the very file in the very state that was read has this stamp.
      for (const seen of read)
        if (!isStill(seen)) throw new AiosError("SOURCE_CHANGED", { source: seen.source });
      const old = assumed.filter((seen) => !isStill(seen));
      for (const { kept, name } of old) kept.dropText(name);
      folders.verifyAll();
      return old.length === 0;
    });
  }

  return { list, visit, verify, [Symbol.dispose]: () => folders[Symbol.dispose]() };
}

function namesBelow(path: string, source: string): readonly string[] {
  return path === "" ? [] : namesOf(path, source);
}
