import { type FileHandle, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LimitError, requireAmount } from "./limit.ts";
import { countBytes } from "./measure.ts";
import { currentOwner, type Owner } from "./owner.ts";
import { SpillError, toSpillError } from "./spill-error.ts";
import {
  createPrivateFile,
  createSpillFolder,
  createSpillName,
  readRange,
  requireApp,
} from "./spill-folder.ts";

/** Attempts to remove a folder that is in use, 100 ms apart and more each time. */
const REMOVE_RETRIES = 3;

/** A kept output. */
export interface Spill {
  /** 32 random hexadecimal digits, a dot and the extension: all that leaves the host. */
  readonly name: string;
  /** Where the file is; for the host only. */
  readonly path: string;
  readonly bytes: number;
}

/** Where and how much a store keeps. */
export interface SpillOptions {
  /** The start of the folder's name: at most 64 lower-case letters, digits and dashes. */
  readonly app: string;
  /** The most bytes that the store keeps at once. */
  readonly quotaBytes: number;
  /** The folder in which the store makes its own; the system's temporary folder if missing. */
  readonly parent?: string | undefined;
  /** Who the folder belongs to; the process that calls if missing. */
  readonly owner?: (() => Promise<Owner>) | undefined;
  /** Writes a whole output into its new file. */
  readonly writeFile?: ((file: FileHandle, data: string | Uint8Array) => Promise<void>) | undefined;
}

/** Keeps outputs that are too large to hand over, in a private folder of its own. */
export interface SpillStore {
  /**
   * Keeps `data`, a text as UTF-8, in a new file with an extension of 1 to 16 lower-case letters and digits. Rejects
   * with `LimitError` "spillBytes" over the quota and with `SpillError`; then nothing of it is left, and
   * whatever was kept before is still there.
   */
  write(data: string | Uint8Array, extension: string): Promise<Spill>;
  /** Up to `maxBytes` of a kept output, from byte `start` on; none at its end. Rejects with `SpillError`. */
  read(name: string, start?: number, maxBytes?: number): Promise<Buffer>;
  /** Deletes a kept output and gives its part of the quota back. Rejects with `SpillError`. */
  remove(name: string): Promise<void>;
  /** Bytes that are kept or being written. */
  readonly usedBytes: number;
  /** Waits for running writes, then removes the folder with all that is in it. More calls do nothing. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Makes a store. It touches no disk before the first write. */
export function createSpillStore({
  app,
  quotaBytes,
  parent = tmpdir(),
  owner = currentOwner,
  writeFile = (file, data) => file.writeFile(data),
}: SpillOptions): SpillStore {
  requireApp(app);
  requireAmount("quotaBytes", quotaBytes);
  const kept = new Map<string, Spill>();
  const running = new Set<Promise<Spill>>();
  let usedBytes = 0;
  let folder: Promise<string> | undefined;
  let removal: Promise<void> | undefined;

  async function makeFolder(): Promise<string> {
    try {
      return await createSpillFolder(app, parent, await owner());
    } catch (error) {
      // The next write tries again.
      folder = undefined;
      throw error;
    }
  }

  async function keep(data: string | Uint8Array, name: string, bytes: number): Promise<Spill> {
    usedBytes += bytes;
    try {
      folder ??= makeFolder();
      const path = join(await folder, name);
      await createPrivateFile(path, (file) => writeFile(file, data));
      const spill = Object.freeze({ name, path, bytes });
      kept.set(name, spill);
      return spill;
    } catch (error) {
      usedBytes -= bytes;
      throw toSpillError(error);
    }
  }

  async function write(data: string | Uint8Array, extension: string): Promise<Spill> {
    requireOpen();
    const name = createSpillName(extension);
    const bytes = typeof data === "string" ? countBytes(data) : data.byteLength;
    if (usedBytes + bytes > quotaBytes)
      throw new LimitError("spillBytes", quotaBytes, usedBytes + bytes);
    const keeping = keep(data, name, bytes);
    running.add(keeping);
    try {
      return await keeping;
    } finally {
      running.delete(keeping);
    }
  }

  async function read(name: string, start = 0, maxBytes = Infinity): Promise<Buffer> {
    const { path, bytes } = find(name);
    requireAmount("start", start);
    requireAmount("maxBytes", maxBytes);
    try {
      const length = Math.min(maxBytes, Math.max(0, bytes - start));
      return await readRange(path, Math.floor(start), Math.floor(length));
    } catch (error) {
      throw toSpillError(error);
    }
  }

  async function remove(name: string): Promise<void> {
    const { path, bytes } = find(name);
    kept.delete(name);
    try {
      await rm(path, { force: true });
      usedBytes -= bytes;
    } catch (error) {
      kept.set(name, { name, path, bytes });
      throw toSpillError(error);
    }
  }

  function find(name: string): Spill {
    requireOpen();
    const spill = kept.get(name);
    if (spill === undefined) throw new SpillError("SPILL_UNKNOWN");
    return spill;
  }

  function requireOpen(): void {
    if (removal !== undefined) throw new SpillError("SPILL_CLOSED");
  }

  async function removeAll(): Promise<void> {
    await Promise.allSettled(running);
    kept.clear();
    usedBytes = 0;
    try {
      // On Windows a scanner that reads a file keeps it there for a moment.
      const removing = { recursive: true, force: true, maxRetries: REMOVE_RETRIES };
      if (folder !== undefined) await rm(await folder, removing);
    } catch (error) {
      throw toSpillError(error);
    }
  }

  return {
    write,
    read,
    remove,
    get usedBytes() {
      return usedBytes;
    },
    async [Symbol.asyncDispose]() {
      removal ??= removeAll();
      await removal;
    },
  };
}
