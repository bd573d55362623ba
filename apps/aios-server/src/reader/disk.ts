import {
  type BigIntStats,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readSync,
  statSync,
} from "node:fs";

/** The few calls by which the folder is ever touched. All of them only look. */
export interface Disk {
  /** What the path names, a link itself and not what it points to; undefined where nothing is. */
  lstat(path: string): BigIntStats | undefined;
  /** What the path leads to, links followed; undefined where nothing is. */
  stat(path: string): BigIntStats | undefined;
  /** A descriptor of the folder at `path`, links followed in front of the last name only if `follow`. */
  openFolder(path: string, options: { follow: boolean }): number;
  /** A descriptor of the file at `path`; never follows a link and never waits for the other end of a pipe. */
  openFile(path: string): number;
  fstat(descriptor: number): BigIntStats;
  /** Bytes read into `buffer` from `offset` on; 0 at the end of the file. */
  read(descriptor: number, buffer: Uint8Array, offset: number): number;
  close(descriptor: number): void;
  /** The entries of a folder, one at a time. */
  entries(path: string): Iterable<Dirent>;
}

/** Absent on systems without them: there the stamps before and after take over. */
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_DIRECTORY = 0 } = constants;
const ENTRIES_AT_ONCE = 256;
const IN_NANOSECONDS = Object.freeze({ bigint: true });

/** The real disk, synchronous: one call at a time is cheap here and dear through the thread pool. */
export const nodeDisk: Disk = Object.freeze({
  lstat: (path) => orNothing(lstatSync, path),
  stat: (path) => orNothing(statSync, path),
  openFolder: (path, { follow }) =>
    openSync(path, O_RDONLY | O_DIRECTORY | (follow ? 0 : O_NOFOLLOW)),
  openFile: (path) => openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
  fstat: (descriptor) => fstatSync(descriptor, IN_NANOSECONDS),
  read: (descriptor, buffer, offset) =>
    readSync(descriptor, buffer, offset, buffer.length - offset, null),
  close: closeSync,
  *entries(path) {
    const folder = opendirSync(path, { bufferSize: ENTRIES_AT_ONCE });
    try {
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) yield entry;
    } finally {
      folder.closeSync();
    }
  },
} satisfies Disk);

function orNothing(look: typeof lstatSync, path: string): BigIntStats | undefined {
  try {
    return look(path, IN_NANOSECONDS);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Whether a system error says that nothing has this name. */
export function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === "ENOENT" || code === "ENOTDIR";
}
