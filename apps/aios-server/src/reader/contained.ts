import { isAscii, isUtf8 } from "node:buffer";
import type { BigIntStats, Dirent } from "node:fs";
import { cutBytes, LimitError, type Meter } from "@core/bounds";
import { AiosError, type ErrorCode } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Access } from "../memory/gate.ts";
import { type Disk, isMissing, nodeDisk } from "./disk.ts";
import { type Anchor, openFolders } from "./folders.ts";
import type { RecallSource } from "./kept-sources.ts";
import { isSame, latestChange, type Stamp, stampOf } from "./stamp.ts";

/** What one read may cost in all: `bytes`, `files` opened, `entries` of folders listed. */
export type ReadMeter = Meter<"bytes" | "files" | "entries">;

/** What is read, in words for an error sentence, and the most that it may be. */
export interface Shelf {
  readonly source: string;
  /** Bytes of the file, or entries of the folder. */
  readonly maximum: number;
  /** How many bytes are read from the start of a file; what follows them is not looked at. All unless given. */
  readonly head?: number;
}

/** A file's text as it stood at `stamp`; of a longer file than its shelf's `head`, the start. */
interface SourceFile {
  readonly text: string;
  readonly stamp: Stamp;
}

/** What stands in a folder under one name. */
export interface Entry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
}

/**
 * Reads inside one AIOS folder, and nowhere else (S21). Paths are relative and use `/`. A missing file or folder is
 * undefined; a link, a special file, a change while reading, bad UTF-8 or a crossed limit is an `AiosError`.
 */
export interface Contained extends Disposable {
  /** What the memory policy granted to this call. */
  readonly access: Access;
  read(path: string, shelf: Shelf): SourceFile | undefined;
  /** What `make` makes of a file's text, or made of it in an earlier call that read it as it is now. */
  parse<T>(path: string, shelf: Shelf, make: (text: string) => T): T | undefined;
  /** The entries of a folder in code unit order. */
  list(path: string, shelf: Shelf): Entry[] | undefined;
  /** Throws SOURCE_CHANGED unless everything that was read or listed is still as it was; may be asked at any time. */
  verify(): void;
  /** When anything that was read or listed was last changed, in nanoseconds since 1970. */
  readonly changedNs: bigint;
}

/**
 * Opens the folder for one call. Needs an {@link Access}, which memory "off" has none of. Throws FOLDER_NOT_AIOS
 * unless an `aios.json` stands in it, which from then on must not change.
 */
export function openContained(
  access: Access,
  options: {
    folder: string;
    meter: ReadMeter;
    disk?: Disk;
    anchor?: Anchor;
    recall?: RecallSource;
  },
): Contained {
  const { folder: root, meter, disk = nodeDisk, anchor: wanted, recall = makeAnew } = options;
  const folders = guarded("the folder", () => openFolders(root, disk, wanted));
  const files = new Map<string, { stamp: Stamp; source: string }>();
  let scratch: Buffer = Buffer.alloc(0);

  function read(path: string, shelf: Shelf): SourceFile | undefined {
    return visit(path, shelf, (target, stamp) => ({
      stamp,
      text: readStamped(target, stamp, shelf),
    }));
  }

  function parse<T>(path: string, shelf: Shelf, make: (text: string) => T): T | undefined {
    return visit(path, shelf, (target, stamp) =>
      recall(path, stamp, () => make(readStamped(target, stamp, shelf))),
    );
  }

  /** Does something with a file that is there and may be read. */
  function visit<T>(
    path: string,
    shelf: Shelf,
    act: (target: string, stamp: Stamp) => T,
  ): T | undefined {
    const { source, maximum, head = Infinity } = shelf;
    const names = namesOf(path, source);
    const visited = withFolder(names.slice(0, -1).join("/"), source, (at) => {
      const target = `${at}/${names.at(-1)}`;
      const stamp = lookAt(target, source);
      if (stamp === undefined) return undefined;
      const size = Number(stamp.size);
      takeUpTo("fileBytes", maximum, size, source);
      take({ files: 1, bytes: Math.min(size, head) }, source);
      return { stamp, result: act(target, stamp) };
    });
    if (visited) files.set(path, { stamp: visited.stamp, source });
    else if (files.has(path)) throw new AiosError("SOURCE_CHANGED", { source });
    return visited?.result;
  }

  function lookAt(target: string, source: string): Stamp | undefined {
    const status = disk.lstat(target);
    return status && fileStamp(status, source);
  }

  function readStamped(target: string, stamp: Stamp, { source, head = Infinity }: Shelf): string {
    const size = Number(stamp.size);
    const descriptor = disk.openFile(target);
    try {
      const expectSame = () => {
        if (!isSame(stampOf(disk.fstat(descriptor)), stamp))
          throw new AiosError("SOURCE_CHANGED", { source });
      };
      expectSame();
      const bytes =
        size > head ? readHead(descriptor, head, source) : readWhole(descriptor, size, source);
      expectSame();
      return decode(bytes, source);
    } finally {
      disk.close(descriptor);
    }
  }

  /** Asks for one byte more than there should be, so that a file that grew shows itself. */
  function readWhole(descriptor: number, size: number, source: string): Buffer {
    const buffer = scratchOf(size + 1);
    if (fill(descriptor, buffer, size) !== size) throw new AiosError("SOURCE_CHANGED", { source });
    return buffer.subarray(0, size);
  }

  /** One byte more tells whether a character goes on over the end, which is then in front of that character. */
  function readHead(descriptor: number, head: number, source: string): Buffer {
    const buffer = scratchOf(head + 1);
    if (fill(descriptor, buffer, head + 1) !== head + 1)
      throw new AiosError("SOURCE_CHANGED", { source });
    return buffer.subarray(0, cutBytes(buffer, head).length);
  }

  /** Bytes to read into, the same for one file after another: memory that was never used is slow. */
  function scratchOf(size: number): Buffer {
    if (scratch.length < size) scratch = Buffer.allocUnsafeSlow(size);
    return scratch.subarray(0, size);
  }

  /** Reads until `wanted` bytes are there or the file ends, and tells how many are. */
  function fill(descriptor: number, buffer: Buffer, wanted: number): number {
    let filled = 0;
    while (filled < wanted) {
      const count = disk.read(descriptor, buffer, filled);
      if (count === 0) break;
      filled += count;
    }
    return filled;
  }

  function list(path: string, { source, maximum }: Shelf): Entry[] | undefined {
    return withFolder(namesOf(path, source).join("/"), source, (at) => {
      const entries: Entry[] = [];
      for (const entry of disk.entries(at)) {
        takeUpTo("directoryEntries", maximum, entries.length + 1, source);
        take({ entries: 1 }, source);
        entries.push({ name: entry.name, kind: kindOf(entry) });
      }
      return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    });
  }

  /** Does something in a folder that is there. */
  function withFolder<T>(
    path: string,
    source: string,
    act: (at: string) => T | undefined,
  ): T | undefined {
    return guarded(source, () =>
      folders.within(path, source, (folder) => folder && act(folder.at)),
    );
  }

  function take(amounts: { files?: number; bytes?: number; entries?: number }, source: string) {
    const taken = meter.take(amounts);
    if (!taken.ok) throw limitCrossed(taken.limit, taken.maximum, taken.actual, source);
  }

  /** By name, which is enough: only the very file in the very state in which it was read has its stamp. */
  function verifyFile(path: string, stamp: Stamp, source: string): void {
    const now = guarded(source, () => disk.lstat(`${root}/${path}`));
    if (!now || !isSame(stampOf(now), stamp)) throw new AiosError("SOURCE_CHANGED", { source });
  }

  const reader: Contained = {
    access,
    read,
    parse,
    list,
    verify() {
      for (const [path, { stamp, source }] of files) verifyFile(path, stamp, source);
      guarded("the folder", () => folders.verifyAll());
    },
    get changedNs() {
      const stamps = [...files.values()].map(({ stamp }) => stamp);
      return latestChange(stamps, folders.changedNs);
    },
    [Symbol.dispose]: () => folders[Symbol.dispose](),
  };
  try {
    requireAiosFile();
    return reader;
  } catch (error) {
    reader[Symbol.dispose]();
    throw error;
  }

  function requireAiosFile(): void {
    const source = "aios.json";
    const stamp = withFolder("", source, (at) => lookAt(`${at}/aios.json`, source));
    if (stamp === undefined) throw new AiosError("FOLDER_NOT_AIOS");
    files.set("aios.json", { stamp, source });
  }
}

/** The names of a relative path; throws SOURCE_PATH_UNSAFE where one could lead out of the folder. */
export function namesOf(
  path: string,
  source: string,
  platform: NodeJS.Platform = process.platform,
): string[] {
  const names = path.split("/");
  const isSafe = (name: string) =>
    isSafeName(name) && (platform !== "win32" || !isOtherNameOnWindows(name));
  const safe = names.length <= limits.maxPathDepth && names.every(isSafe);
  if (!safe) throw new AiosError("SOURCE_PATH_UNSAFE", { source });
  return names;
}

function isSafeName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[\\\0]/.test(name);
}

/**
 * Whether Windows reads the name as another: a dot or blank at its end is nothing there, a colon leads to a stream of a file or to
 * a drive, and some names are devices in every folder.
 */
function isOtherNameOnWindows(name: string): boolean {
  return (
    /[. ]$|:/.test(name) ||
    /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|$)/i.test(name)
  );
}

const makeAnew: RecallSource = (_path, _stamp, make) => make();

/** The text of UTF-8 bytes; most are ASCII, which need no decoding. */
function decode(bytes: Buffer, source: string): string {
  if (isAscii(bytes)) return bytes.toString("latin1");
  if (!isUtf8(bytes)) throw new AiosError("SOURCE_NOT_UTF8", { source });
  return bytes.toString("utf8");
}

/** The stamp of a regular file; throws SOURCE_LINKED or SOURCE_NOT_REGULAR for anything else. */
export function fileStamp(status: BigIntStats, source: string): Stamp {
  if (status.isSymbolicLink()) throw new AiosError("SOURCE_LINKED", { source });
  if (!status.isFile()) throw new AiosError("SOURCE_NOT_REGULAR", { source });
  return stampOf(status);
}

/** What a folder says that an entry of it is, without a look at the entry itself. */
export function kindOf(entry: Dirent): Entry["kind"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
}

/** The limits of reading, and what each counts. */
const COUNTED = Object.freeze({
  fileBytes: "bytes in this file",
  directoryEntries: "entries in this folder",
  recentSignals: "files of today and yesterday",
  bytes: "bytes in one call",
  files: "files in one call",
  entries: "folder entries in one call",
});
type ReadLimit = keyof typeof COUNTED;

function takeUpTo(limit: ReadLimit, maximum: number, actual: number, source: string): void {
  if (actual > maximum) throw limitCrossed(limit, maximum, actual, source);
}

/** The crossed limit as a safe sentence; the exact figures are in `cause`, a `LimitError`. */
export function limitCrossed(limit: ReadLimit, maximum: number, actual: number, source: string) {
  const rule = `at most ${maximum} ${COUNTED[limit]} are read; make it smaller`;
  const cause = new LimitError(limit, maximum, actual);
  return new AiosError("SOURCE_LIMIT", { source, rule }, { cause });
}

/** Runs a read and turns what the system says into the closed codes. */
export function guarded<T>(source: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const code: ErrorCode = hasVanished(error) ? "SOURCE_CHANGED" : "SOURCE_UNREADABLE";
    throw new AiosError(code, { source }, { cause: error });
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}

/** After a look that found it: gone, or a link put in its place. */
function hasVanished(error: NodeJS.ErrnoException): boolean {
  return isMissing(error) || error.code === "ELOOP";
}
