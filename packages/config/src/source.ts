import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from "node:fs";
import { findInvalidUtf8, MIB, positionAt } from "@core/bounds";
import { ConfigError } from "./error.ts";

/** How large a configuration file may be unless its reader says otherwise. */
export const DEFAULT_MAX_BYTES = MIB;

export interface SourceOptions {
  /** Bytes; more is a ConfigError TOO_LARGE. Default 1 MiB. */
  readonly maxBytes?: number | undefined;
  /** Refuse a file that its group or others can use at all, as a file of secrets has to be. */
  readonly ownerOnly?: boolean | undefined;
  /** Default: this one. Windows has no modes to check. */
  readonly platform?: NodeJS.Platform | undefined;
}

// A FIFO without a writer would otherwise block in open, and a terminal could become the controlling one.
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * The bytes of a regular file, links followed. A FIFO, a device, a socket or a folder is refused without waiting for
 * it. Throws ConfigError NOT_FOUND, NOT_A_FILE, UNREADABLE, OPEN_MODE or TOO_LARGE.
 */
export function readBytes(path: string, options: SourceOptions = {}): Buffer {
  const { maxBytes = DEFAULT_MAX_BYTES, ownerOnly = false, platform = process.platform } = options;
  let descriptor: number | undefined;
  try {
    // Looked at before opening, because opening alone can move some devices; and again once open, because the path
    // may have changed its target in between.
    requireFile(statSync(path), path);
    descriptor = openSync(path, OPEN_FLAGS);
    const stats = fstatSync(descriptor);
    requireFile(stats, path);
    if (ownerOnly && platform !== "win32") requireOwnerOnly(stats, path);
    requireSize(stats.size, maxBytes, path);
    return readAll(descriptor, stats.size, maxBytes, path);
  } catch (error) {
    throw error instanceof ConfigError ? error : unreadable(error, path);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The text of a regular file: readBytes, then decodeSource. */
export function readSource(path: string, options: SourceOptions = {}): string {
  return decodeSource(readBytes(path, options), path);
}

/** A text, or strictly decoded UTF-8, without its byte order mark. ConfigError BAD_ENCODING names the first wrong byte. */
export function decodeSource(source: string | Uint8Array, file: string): string {
  if (typeof source === "string") return source.startsWith("\uFEFF") ? source.slice(1) : source;
  const bytes = startsWithMark(source) ? source.subarray(UTF8_MARK.length) : source;
  const wrong = findInvalidUtf8(bytes);
  if (wrong === undefined) return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const place = { file, ...positionAt(bytes, wrong) };
  throw new ConfigError("BAD_ENCODING", "is not UTF-8; save the file as UTF-8", place);
}

const UTF8_MARK = [0xef, 0xbb, 0xbf];

function startsWithMark(bytes: Uint8Array): boolean {
  return UTF8_MARK.every((byte, index) => bytes[index] === byte);
}

export function requireSize(bytes: number, maxBytes: number, file: string): void {
  if (bytes <= maxBytes) return;
  throw new ConfigError("TOO_LARGE", `is too large: at most ${maxBytes} bytes are read`, { file });
}

/** Reads to the end, which may lie beyond `expected`: the file may be growing, or be one of /proc with no size. */
function readAll(descriptor: number, expected: number, maxBytes: number, file: string): Buffer {
  let buffer = Buffer.allocUnsafe(expected + 1);
  let length = 0;
  for (;;) {
    const count = readSync(descriptor, buffer, length, buffer.length - length, null);
    length += count;
    requireSize(length, maxBytes, file);
    if (count === 0) return buffer.subarray(0, length);
    if (length === buffer.length) buffer = Buffer.concat([buffer], 2 * length);
  }
}

function requireFile(stats: Stats, file: string): void {
  if (stats.isFile()) return;
  const kind = stats.isDirectory() ? "a folder" : "a device, pipe or socket";
  throw new ConfigError("NOT_A_FILE", `is ${kind}; it must be a regular file`, { file });
}

function requireOwnerOnly({ mode }: Stats, file: string): void {
  if ((mode & 0o077) === 0) return;
  const octal = (mode & 0o777).toString(8).padStart(4, "0");
  const reason = `can be used by others (mode ${octal}) but holds secrets; run chmod 600 on it`;
  throw new ConfigError("OPEN_MODE", reason, { file });
}

function unreadable(cause: unknown, file: string): ConfigError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown error";
  if (code === "ENOENT") return new ConfigError("NOT_FOUND", "does not exist", { file }, { cause });
  return new ConfigError("UNREADABLE", `cannot be read (${code})`, { file }, { cause });
}
