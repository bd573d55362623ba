import { isUtf8 } from "node:buffer";
import { type BigIntStats, constants, type Stats } from "node:fs";
import { type FileHandle, open, readlink, realpath, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { MIB } from "@core/bounds";
import { ClientFileError } from "./error.ts";

/** A larger file is not read. A client that keeps its history beside its servers reaches a few MiB. */
export const MAX_FILE_BYTES = 32 * MIB;

/** As many as Linux follows. */
const MAX_LINKS = 40;

// A pipe without a writer would block in open, and a terminal could become the controlling one.
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** A client's file as it was read, with what tells later whether it still is that file. */
export interface ClientFileState {
  /** The path that was asked for. */
  readonly path: string;
  /** Where the path's links lead: the file that is read and written. */
  readonly target: string;
  /** The whole text with its byte order mark; `undefined` if there is no file. */
  readonly text: string | undefined;
  readonly stamp: FileStamp | undefined;
}

/** What changes, beside the text, when a file is replaced, written or given other rights. */
export interface FileStamp {
  readonly device: bigint;
  readonly inode: bigint;
  readonly size: bigint;
  readonly modified: bigint;
  readonly changed: bigint;
  readonly mode: number;
  readonly owner: number;
  readonly group: number;
}

/**
 * Reads a client's file, links followed, also those that lead to no file yet. Throws ClientFileError NOT_A_FILE,
 * UNREADABLE, TOO_LARGE (more than 32 MiB) or BAD_ENCODING; a missing file is no error.
 */
export async function readClientFile(path: string): Promise<ClientFileState> {
  try {
    const target = await followLinks(path);
    const found = await readTarget(path, target);
    return { path, target, text: found?.text, stamp: found?.stamp };
  } catch (error) {
    if (error instanceof ClientFileError) throw error;
    const code = errorCode(error);
    const place = { file: path };
    if (code === "ELOOP")
      throw new ClientFileError("NOT_A_FILE", "is a link that leads in a circle", place);
    throw new ClientFileError("UNREADABLE", `cannot be read (${code})`, place, { cause: error });
  }
}

/** The `code` of a system error, which names no path. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error";
}

/** Where the links end; a last link that leads to nothing yields the place where its file would be. */
async function followLinks(path: string): Promise<string> {
  let at = resolve(path);
  for (let hops = 0; hops < MAX_LINKS; hops++) {
    const real = await unlessMissing(realpath(at));
    if (real !== undefined) return real;
    const link = await unlessMissing(readlink(at));
    if (link === undefined) return at;
    at = resolve(await realpath(dirname(at)), link);
  }
  throw Object.assign(new Error("too many links"), { code: "ELOOP" });
}

async function unlessMissing<T>(attempt: Promise<T>): Promise<T | undefined> {
  try {
    return await attempt;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function readTarget(path: string, target: string) {
  // Looked at before opening, because opening alone can wait for a pipe or move a device.
  const stats = await unlessMissing(stat(target));
  if (stats === undefined) return undefined;
  requireRegular(stats, path);
  const handle = await unlessMissing(open(target, OPEN_FLAGS));
  if (handle === undefined) return undefined;
  try {
    const opened = await handle.stat({ bigint: true });
    requireRegular(opened, path);
    const text = decode(await readBounded(handle, opened.size, path), path);
    return { text, stamp: stampOf(opened) };
  } finally {
    await handle.close();
  }
}

function requireRegular(stats: Stats | BigIntStats, file: string): void {
  if (stats.isFile()) return;
  const kind = stats.isDirectory() ? "a folder" : "a device, pipe or socket";
  throw new ClientFileError("NOT_A_FILE", `is ${kind}; it must be a regular file`, { file });
}

async function readBounded(handle: FileHandle, size: bigint, file: string): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.min(Number(size), MAX_FILE_BYTES) + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
  }
  if (length <= MAX_FILE_BYTES)
    throw new ClientFileError("CHANGED", "grew while it was read; try again", { file });
  throw new ClientFileError("TOO_LARGE", `is larger than ${MAX_FILE_BYTES / MIB} MiB`, { file });
}

function decode(bytes: Buffer, file: string): string {
  // A text that is not written back as the same bytes could not be edited byte for byte.
  if (!isUtf8(bytes))
    throw new ClientFileError("BAD_ENCODING", "is not UTF-8; save it as UTF-8", { file });
  return bytes.toString("utf8");
}

function stampOf(stats: BigIntStats): FileStamp {
  return {
    device: stats.dev,
    inode: stats.ino,
    size: stats.size,
    modified: stats.mtimeNs,
    changed: stats.ctimeNs,
    mode: Number(stats.mode & 0o7777n),
    owner: Number(stats.uid),
    group: Number(stats.gid),
  };
}
