import type { BigIntStats } from "node:fs";
import { AiosError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Disk } from "./disk.ts";
import { isSame, latestChange, type Stamp, stampOf } from "./stamp.ts";

/** A real folder inside the AIOS folder, or that folder itself. */
export interface Folder {
  /** Its path from the AIOS folder, "" for that one. */
  readonly path: string;
  /** What its entries' names are appended to; holds only until the next folder is entered. */
  readonly at: string;
  readonly stamp: Stamp;
}

/**
 * How folders are reached. By "descriptor", each is opened from its parent's own descriptor, so that nothing which
 * happens to the names above it can lead elsewhere. By "name", where the system has no /proc/self/fd, the caller
 * compares the stamps of all folders above before and after each use.
 */
export type Anchor = "descriptor" | "name";

/** The folders that one call has entered, with their stamps. */
export interface Folders extends Disposable {
  readonly anchor: Anchor;
  /** Does something in a folder, or where none is, and sees to it that it is the same in the same state all the while. */
  within<T>(path: string, source: string, act: (folder: Folder | undefined) => T): T;
  /** The state in which a folder was first entered; undefined for one that was not. */
  stampOf(path: string): Stamp | undefined;
  /** Counts a folder as entered that another thread saw in this state. */
  adopt(path: string, stamp: Stamp): void;
  /** Throws SOURCE_CHANGED unless every folder that was entered is as it was; may be asked at any time. */
  verifyAll(): void;
  /** When any of them was last changed, in nanoseconds since 1970. */
  readonly changedNs: bigint;
}

interface OpenFolder extends Folder {
  readonly descriptor: number | undefined;
}

/** Opens the AIOS folder itself, which may be reached through one link that stays as it is. */
export function openFolders(root: string, disk: Disk, wanted: Anchor = "descriptor"): Folders {
  const seen = disk.stat(root);
  if (!seen?.isDirectory()) throw new AiosError("FOLDER_NOT_AIOS");
  const rootStamp = stampOf(seen);
  const rootFolder = openRoot(root, rootStamp, disk, wanted);
  const anchor: Anchor = rootFolder.descriptor === undefined ? "name" : "descriptor";

  /** Every folder ever entered, and those that are open now, the least recently used first. */
  const stamps = new Map<string, Stamp>();
  const open = new Map<string, OpenFolder>();

  function openChild(at: string, path: string, source: string): OpenFolder | undefined {
    const known = stamps.get(path);
    // A descriptor is compared anyway; what cannot be opened any more has changed as well.
    const stamp = known && anchor === "descriptor" ? known : look(at, known, source);
    if (stamp === undefined) return undefined;
    stamps.set(path, stamp);
    if (anchor === "name") return { path, at, stamp, descriptor: undefined };

    const descriptor = disk.openFolder(at, { follow: false });
    expectSame(descriptor, stamp, disk, source);
    return { path, at: throughDescriptor(descriptor), stamp, descriptor };
  }

  function look(at: string, known: Stamp | undefined, source: string): Stamp | undefined {
    const status = disk.lstat(at);
    const stamp = status && folderStamp(status, source);
    if (known && !(stamp && isSame(known, stamp)))
      throw new AiosError("SOURCE_CHANGED", { source });
    return stamp;
  }

  function closeOldest(): void {
    const [path, folder] = open.entries().next().value!;
    open.delete(path);
    if (folder.descriptor !== undefined) disk.close(folder.descriptor);
  }

  let isClosed = false;

  /** The folder at a path, entered from the folder above it; undefined where one is missing. Never through a link. */
  function enter(path: string, source: string): OpenFolder | undefined {
    if (path === "") return rootFolder;
    const known = open.get(path);
    if (known) open.delete(path);
    const folder = known ?? enterBelow(path, source);
    if (folder === undefined) return undefined;
    open.set(path, folder);
    if (open.size > limits.maxOpenFolders) closeOldest();
    return folder;
  }

  function enterBelow(path: string, source: string): OpenFolder | undefined {
    const parent = enter(parentOf(path), source);
    return (
      parent && openChild(`${parent.at}/${path.slice(path.lastIndexOf("/") + 1)}`, path, source)
    );
  }

  function verifyRoot(): void {
    const now = disk.stat(root);
    if (now === undefined || !isSame(stampOf(now), rootStamp))
      throw new AiosError("SOURCE_CHANGED", { source: "the folder" });
  }

  /** By name, which is enough: only the very folder in the very state in which it was entered has its stamp. */
  function verifyOne(path: string, stamp: Stamp, source: string): void {
    const now = disk.lstat(`${root}/${path}`);
    if (now === undefined || !isSame(now, stamp)) throw new AiosError("SOURCE_CHANGED", { source });
  }

  function verifyDownTo(path: string, source: string): void {
    if (path === "") verifyRoot();
    else {
      verifyDownTo(parentOf(path), source);
      verifyOne(path, stamps.get(path)!, source);
    }
  }

  return {
    anchor,
    within(path, source, act) {
      // A closed descriptor's number soon stands for something else.
      if (isClosed) throw new Error("The folder was used after it was closed");
      const folder = enter(path, source);
      const isNamed = folder !== undefined && anchor === "name";
      if (isNamed) verifyDownTo(path, source);
      const result = act(folder);
      if (isNamed) verifyDownTo(path, source);
      return result;
    },
    adopt(path, stamp) {
      // The state that was seen first is the one to compare with.
      if (path !== "" && !stamps.has(path)) stamps.set(path, stamp);
    },
    stampOf: (path) => (path === "" ? rootStamp : stamps.get(path)),
    verifyAll() {
      verifyRoot();
      for (const [path, stamp] of stamps) verifyOne(path, stamp, "a folder");
    },
    get changedNs() {
      return latestChange([...stamps.values()], rootStamp.ctimeNs);
    },
    [Symbol.dispose]() {
      if (isClosed) return;
      isClosed = true;
      for (const { descriptor } of [...open.values(), rootFolder])
        if (descriptor !== undefined) disk.close(descriptor);
    },
  };
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}

function folderStamp(status: BigIntStats, source: string): Stamp {
  if (status.isSymbolicLink()) throw new AiosError("SOURCE_LINKED", { source });
  if (!status.isDirectory()) throw new AiosError("SOURCE_NOT_REGULAR", { source });
  return stampOf(status);
}

function openRoot(root: string, stamp: Stamp, disk: Disk, wanted: Anchor): OpenFolder {
  const byName = { path: "", at: root, stamp, descriptor: undefined };
  if (wanted === "name") return byName;
  const descriptor = tryOpenRoot(root, disk);
  if (descriptor === undefined) return byName;
  expectSame(descriptor, stamp, disk, "the folder");
  const at = throughDescriptor(descriptor);
  const through = disk.stat(at);
  if (through && isSame(stampOf(through), stamp)) return { path: "", at, stamp, descriptor };
  disk.close(descriptor);
  return byName;
}

/** Throws SOURCE_CHANGED, and closes the descriptor, unless it is of what was seen under the name. */
function expectSame(descriptor: number, stamp: Stamp, disk: Disk, source: string): void {
  let isRight = false;
  try {
    isRight = isSame(stampOf(disk.fstat(descriptor)), stamp);
  } finally {
    if (!isRight) disk.close(descriptor);
  }
  if (!isRight) throw new AiosError("SOURCE_CHANGED", { source });
}

function tryOpenRoot(root: string, disk: Disk): number | undefined {
  try {
    return disk.openFolder(root, { follow: true });
  } catch {
    // Windows gives no descriptors of folders; whatever else is wrong shows at the first look by name.
    return undefined;
  }
}

function throughDescriptor(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}
