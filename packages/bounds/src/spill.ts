import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import {
  chmod,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  rm,
  rmdir,
  unlink,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LimitError, requireMaximum } from "./limit.ts";
import { countBytes, KIB } from "./measure.ts";
import { currentOwner, hasEnded, type Owner } from "./owner.ts";

/** Why a spill could not be kept or read. */
export type SpillErrorCode = "SPILL_DISK_FULL" | "SPILL_FAILED" | "SPILL_CLOSED" | "SPILL_UNKNOWN";

const sentences: Readonly<Record<SpillErrorCode, string>> = {
  SPILL_DISK_FULL: "Cannot keep this output: the disk is full. What was kept before is intact.",
  SPILL_FAILED: "Cannot keep or read this output: the temporary folder refused it.",
  SPILL_CLOSED: "Cannot keep or read this output: the store is closed.",
  SPILL_UNKNOWN: "Cannot read this output: the store holds none of that name.",
};

/** A spill could not be kept or read. The message names no path; `cause` is the system's error, for a log only. */
export class SpillError extends Error {
  readonly code: SpillErrorCode;

  constructor(code: SpillErrorCode, cause?: unknown) {
    super(sentences[code], { cause });
    this.name = "SpillError";
    this.code = code;
  }
}

/** A kept output. Only `name` is for a reader outside; `path` is for the host. */
export interface Spill {
  /** 32 hexadecimal digits, a dot and the extension. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
}

/** Where and how much a store keeps. */
export interface SpillOptions {
  /** The start of the folder's name: lower-case letters, digits and dashes. */
  readonly app: string;
  /** The most bytes that the store holds at once. */
  readonly quotaBytes: number;
  /** The folder that the store's own is made in. */
  readonly parent?: string;
  /** Finds out who this process is. */
  readonly owner?: () => Promise<Owner>;
  /** Writes all of a spill into its new, empty file. */
  readonly writeFile?: (file: FileHandle, data: string | Uint8Array) => Promise<void>;
}

/** Keeps outputs that are too large to hand over, in a private folder that it makes when the first one comes. */
export interface SpillStore {
  /**
   * Keeps `data` (a text as UTF-8) in a file of its own, with `extension` of lower-case letters and digits. Rejects
   * with `LimitError` "spillBytes" over the quota, or with `SpillError`; then nothing of it is left and nothing
   * else is lost.
   */
  write(data: string | Uint8Array, extension: string): Promise<Spill>;
  /** Up to `maxBytes` of a kept output from byte `start` on. Rejects with `SpillError`. */
  read(name: string, start?: number, maxBytes?: number): Promise<Buffer>;
  /** Deletes a kept output and frees its part of the quota. Rejects with `SpillError`. */
  remove(name: string): Promise<void>;
  /** Bytes kept or being written. */
  readonly usedBytes: number;
  /** Waits for running writes, then removes the folder and everything in it. Can be called again. */
  [Symbol.asyncDispose](): Promise<void>;
}

const OWNER_RECORD = "owner.json";
const OWNER_RECORD_MAX_BYTES = 4 * KIB;
const SPILL_NAME = /^[0-9a-f]{32}\.[a-z0-9]{1,16}$/;

/** Makes a store. Touches no disk before the first write. */
export function createSpillStore({
  app,
  quotaBytes,
  parent = tmpdir(),
  owner = currentOwner,
  writeFile = (file, data) => file.writeFile(data),
}: SpillOptions): SpillStore {
  requireApp(app);
  requireMaximum("quotaBytes", quotaBytes);
  const kept = new Map<string, Spill>();
  const writing = new Set<Promise<unknown>>();
  let usedBytes = 0;
  let folder: Promise<string> | undefined;
  let disposed: Promise<void> | undefined;

  async function openFolder(): Promise<string> {
    folder ??= createFolder(app, parent, owner);
    try {
      return await folder;
    } catch (error) {
      folder = undefined;
      throw error;
    }
  }

  async function keep(data: string | Uint8Array, extension: string, bytes: number): Promise<Spill> {
    usedBytes += bytes;
    try {
      const name = `${randomBytes(16).toString("hex")}.${extension}`;
      const path = join(await openFolder(), name);
      await createFile(path, (file) => writeFile(file, data));
      const spill = Object.freeze({ name, path, bytes });
      kept.set(name, spill);
      return spill;
    } catch (error) {
      usedBytes -= bytes;
      throw spillError(error);
    }
  }

  function find(name: string): Spill {
    if (disposed !== undefined) throw new SpillError("SPILL_CLOSED");
    const spill = kept.get(name);
    if (spill === undefined) throw new SpillError("SPILL_UNKNOWN");
    return spill;
  }

  async function removeAll(): Promise<void> {
    await Promise.allSettled(writing);
    if (folder !== undefined) await rm(await folder, { recursive: true, force: true });
    kept.clear();
    usedBytes = 0;
  }

  return {
    async write(data, extension) {
      if (!SPILL_NAME.test(`${"0".repeat(32)}.${extension}`))
        throw new RangeError("a spill's extension is 1 to 16 lower-case letters and digits");
      if (disposed !== undefined) throw new SpillError("SPILL_CLOSED");
      const bytes = typeof data === "string" ? countBytes(data) : data.byteLength;
      if (usedBytes + bytes > quotaBytes)
        throw new LimitError("spillBytes", quotaBytes, usedBytes + bytes);
      const written = keep(data, extension, bytes);
      writing.add(written);
      try {
        return await written;
      } finally {
        writing.delete(written);
      }
    },
    async read(name, start = 0, maxBytes = Infinity) {
      const { path, bytes } = find(name);
      try {
        return await readRange(path, start, Math.max(0, Math.min(maxBytes, bytes - start)));
      } catch (error) {
        throw spillError(error);
      }
    },
    async remove(name) {
      const { path, bytes } = find(name);
      kept.delete(name);
      try {
        await rm(path, { force: true });
        usedBytes -= bytes;
      } catch (error) {
        throw spillError(error);
      }
    },
    get usedBytes() {
      return usedBytes;
    },
    async [Symbol.asyncDispose]() {
      disposed ??= removeAll();
      await disposed;
    },
  };
}

function requireApp(app: string): void {
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(app))
    throw new RangeError("app must be lower-case letters, digits and dashes");
}

function spillError(error: unknown): SpillError {
  const code = (error as NodeJS.ErrnoException).code;
  const isFull = code === "ENOSPC" || code === "EDQUOT";
  return new SpillError(isFull ? "SPILL_DISK_FULL" : "SPILL_FAILED", error);
}

async function createFolder(
  app: string,
  parent: string,
  owner: () => Promise<Owner>,
): Promise<string> {
  const record = JSON.stringify(await owner());
  const folder = join(parent, `${app}-${randomBytes(8).toString("hex")}`);
  await mkdir(folder, { mode: 0o700 });
  try {
    // A umask can only have taken away from the mode.
    await chmod(folder, 0o700);
    await createFile(join(folder, OWNER_RECORD), (file) => file.writeFile(record));
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return folder;
}

/** Makes a new file of mode 0600, lets `fill` write it, and leaves nothing behind when that fails. */
async function createFile(path: string, fill: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    try {
      await file.chmod(0o600);
      await fill(file);
    } finally {
      await file.close();
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

async function readRange(path: string, start: number, length: number): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const buffer = Buffer.alloc(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await file.read(buffer, filled, length - filled, start + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  } finally {
    await file.close();
  }
}

/** Which stores a sweep looks at, and how it judges their owners. */
export interface SweepOptions {
  readonly app: string;
  readonly parent?: string;
  /** Whether an owner has certainly ended. */
  readonly hasEnded?: (owner: Owner) => Promise<boolean>;
}

/**
 * Removes the folders that ended processes left behind, and returns their basenames. Touches only real folders of a
 * store's exact shape that belong to this user, follows no symbolic link, and leaves what it is not sure of.
 * Another sweep or a dispose may run at the same time.
 */
export async function sweepSpills({
  app,
  parent = tmpdir(),
  hasEnded: isEnded = hasEnded,
}: SweepOptions): Promise<string[]> {
  requireApp(app);
  const shape = new RegExp(`^${app}-[0-9a-f]{16}$`);
  const removed: string[] = [];
  for (const name of await readdir(parent)) {
    if (!shape.test(name)) continue;
    try {
      if (await sweepFolder(join(parent, name), isEnded)) removed.push(name);
    } catch {
      // Someone else removed it first, or it is not ours to remove: either way it is left alone.
    }
  }
  return removed;
}

async function sweepFolder(
  folder: string,
  isEnded: (owner: Owner) => Promise<boolean>,
): Promise<boolean> {
  if (!(await isPrivateFolder(folder))) return false;
  const names = await readdir(folder);
  if (!names.every((name) => name === OWNER_RECORD || SPILL_NAME.test(name))) return false;
  const owner = await readOwner(join(folder, OWNER_RECORD));
  if (owner === undefined || !(await isEnded(owner))) return false;
  // The record goes last: a sweep that is interrupted can be taken up by the next.
  for (const name of names) if (name !== OWNER_RECORD) await unlink(join(folder, name));
  await unlink(join(folder, OWNER_RECORD));
  await rmdir(folder);
  return true;
}

async function isPrivateFolder(folder: string): Promise<boolean> {
  const stats = await lstat(folder);
  if (!stats.isDirectory()) return false;
  if (process.getuid === undefined) return true;
  return stats.uid === process.getuid() && (stats.mode & 0o777) === 0o700;
}

async function readOwner(path: string): Promise<Owner | undefined> {
  const bytes = await readRange(path, 0, OWNER_RECORD_MAX_BYTES);
  const record = JSON.parse(bytes.toString("utf8")) as Partial<Owner> | null;
  const { pid, start, place } = record ?? {};
  const isWhole = typeof pid === "number" && typeof start === "string" && typeof place === "string";
  return isWhole ? { pid, start, place } : undefined;
}
