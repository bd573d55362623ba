import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { chmod, type FileHandle, lstat, mkdir, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { KIB } from "./measure.ts";
import type { Owner } from "./owner.ts";

const APP = /^[a-z0-9][a-z0-9-]{0,63}$/;
const SPILL_NAME = /^[0-9a-f]{32}\.[a-z0-9]{1,16}$/;
export const OWNER_RECORD = "owner.json";
const OWNER_RECORD_MAX_BYTES = 4 * KIB;

/** Returns a name that may stand at the start of a folder's, or throws `RangeError`. */
export function requireApp(app: string): string {
  if (APP.test(app)) return app;
  throw new RangeError("app must be at most 64 lower-case letters, digits and dashes");
}

/** A new random name, which cannot be guessed from others. Throws `RangeError` for an unfit extension. */
export function createSpillName(extension: string): string {
  const name = `${randomBytes(16).toString("hex")}.${extension}`;
  if (SPILL_NAME.test(name)) return name;
  throw new RangeError("extension must be 1 to 16 lower-case letters and digits");
}

/** Whether a name in `parent` is one that {@link createSpillFolder} gives to an app's folder. */
export function isSpillFolderName(app: string, name: string): boolean {
  return name.startsWith(`${app}-`) && /^[0-9a-f]{16}$/.test(name.slice(app.length + 1));
}

/** Makes the folder `<parent>/<app>-<random>` of mode 0700 with its owner's record, or nothing. */
export async function createSpillFolder(
  app: string,
  parent: string,
  owner: Owner,
): Promise<string> {
  const folder = join(parent, `${app}-${randomBytes(8).toString("hex")}`);
  await mkdir(folder, { mode: 0o700 });
  try {
    // The umask may have taken bits of the owner away; it cannot have given any to others.
    await chmod(folder, 0o700);
    const record = JSON.stringify(owner);
    await createPrivateFile(join(folder, OWNER_RECORD), (file) => file.writeFile(record));
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return folder;
}

/** Makes a new file of mode 0600, whatever the umask, and has it filled, or leaves none. */
export async function createPrivateFile(
  path: string,
  fill: (file: FileHandle) => Promise<void>,
): Promise<void> {
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

/** Bytes of a file from `start` on, at most `maxBytes` of them. Follows no symbolic link. */
export async function readRange(path: string, start: number, maxBytes: number): Promise<Buffer> {
  // Windows has no such flag.
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const buffer = Buffer.alloc(maxBytes);
    let filled = 0;
    while (filled < maxBytes) {
      const { bytesRead } = await file.read(buffer, filled, maxBytes - filled, start + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  } finally {
    await file.close();
  }
}

/**
 * The names in a folder, if it is one that a store of this user made: a real folder of mode 0700 that holds an owner's
 * record, spills, and nothing else. Otherwise `undefined`. Without a `uid`, as on Windows, owner and mode say nothing.
 */
export async function listSpillFolder(
  folder: string,
  uid: number | undefined,
): Promise<string[] | undefined> {
  const stats = await lstat(folder);
  if (!stats.isDirectory()) return undefined;
  if (uid !== undefined && (stats.uid !== uid || (stats.mode & 0o777) !== 0o700)) return undefined;
  const entries = await readdir(folder, { withFileTypes: true });
  const isOurs = entries.every(
    (entry) => entry.isFile() && (entry.name === OWNER_RECORD || SPILL_NAME.test(entry.name)),
  );
  return isOurs ? entries.map((entry) => entry.name) : undefined;
}

/** The owner that a folder's record names, or `undefined` for a record that no store wrote whole. */
export async function readOwner(folder: string): Promise<Owner | undefined> {
  const bytes = await readRange(join(folder, OWNER_RECORD), 0, OWNER_RECORD_MAX_BYTES);
  const record = JSON.parse(bytes.toString("utf8")) as Partial<Owner> | null;
  const { pid, start, place } = record ?? {};
  if (!Number.isSafeInteger(pid) || pid! < 1) return undefined;
  if (typeof start !== "string" || typeof place !== "string") return undefined;
  return { pid: pid!, start, place };
}
