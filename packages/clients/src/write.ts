import { randomUUID } from "node:crypto";
import { type FileHandle, link, mkdir, open, rename, rmdir, unlink } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Replacing, replaceFile } from "@core/bounds";
import { ClientFileError, type ClientFileErrorCode } from "./error.ts";
import { type ClientFileState, errorCode, readClientFile } from "./file.ts";

/** What a write did. */
export interface Written {
  /** False if the text was there already: then neither bytes nor times of the file were touched. */
  readonly isWritten: boolean;
  readonly madeFile: boolean;
  /** The outermost folder that had to be made for the file. */
  readonly madeFolder: string | undefined;
}

// Written by hand, since write-file-atomic lets nothing come between its writing and its renaming, where the check for
// another program's change belongs; it also replaces links that lead to no file yet, and read-only files.

export interface WriteOptions {
  /** Whether a file that has to be made is for its owner alone. */
  readonly holdsSecret?: boolean | undefined;
  /** How the new file takes the place of the old one; as this system does it if missing. */
  readonly replacing?: Replacing<Promise<void>> | undefined;
}

/**
 * Puts a text in the place of the file that was read, whole or not at all: written beside it, synced, compared with what
 * was read, then renamed over it. Links stay links; mode and owner stay. A new file is made with mode 0600 if the text
 * `holdsSecret`, and so are its folders with 0700; otherwise the process's umask decides. Throws ClientFileError
 * CHANGED, READ_ONLY or WRITE_FAILED, and the file is as it was.
 */
export async function writeClientFile(
  state: ClientFileState,
  text: string,
  { holdsSecret = false, replacing = {} }: WriteOptions = {},
): Promise<Written> {
  if (text === state.text) return { isWritten: false, madeFile: false, madeFolder: undefined };
  try {
    requireWritable(state);
    const folder = dirname(state.target);
    const madeFolder = await mkdir(folder, { recursive: true, mode: holdsSecret ? 0o700 : 0o777 });
    const temporary = join(folder, `.${basename(state.target)}.${randomUUID()}.tmp`);
    try {
      await writeTemporary(temporary, text, state, holdsSecret);
      await (state.stamp === undefined
        ? putNew(temporary, state)
        : putOver(temporary, state, replacing));
    } catch (error) {
      // Whether it can be tidied up or not, the first error is the one to tell.
      await unlink(temporary).catch(() => undefined);
      await removeFolders(folder, madeFolder);
      throw error;
    }
    await syncFolder(folder);
    return { isWritten: true, madeFile: state.stamp === undefined, madeFolder };
  } catch (error) {
    throw failure(error, state);
  }
}

/**
 * Removes the file that was read, and the empty folders up to `madeFolder`. Throws ClientFileError CHANGED, READ_ONLY or
 * WRITE_FAILED.
 */
export async function removeClientFile(
  state: ClientFileState,
  { madeFolder }: { readonly madeFolder?: string | undefined } = {},
): Promise<void> {
  try {
    requireWritable(state);
    await requireUnchanged(state);
    await unlink(state.target);
    await removeFolders(dirname(state.target), madeFolder);
  } catch (error) {
    throw failure(error, state);
  }
}

/** A rename would replace also what may not be written, so that is asked first; root could, and is told no all the same. */
function requireWritable({ path, stamp }: ClientFileState): void {
  if (stamp === undefined) return;
  const user = process.getuid?.();
  const isOwner = user === stamp.owner;
  if (user !== undefined && user !== 0 && !isOwner)
    throw refuse(path, "READ_ONLY", "belongs to another user");
  if ((stamp.mode & (isOwner ? 0o200 : 0o222)) === 0)
    throw refuse(path, "READ_ONLY", "is read-only");
}

async function requireUnchanged(state: ClientFileState): Promise<void> {
  // What can no longer be read has changed as well.
  const now = await readClientFile(state.path).catch(() => undefined);
  if (now !== undefined && isDeepStrictEqual(now, state)) return;
  throw refuse(
    state.path,
    "CHANGED",
    "was changed by another program after it was read; try again",
  );
}

async function writeTemporary(
  temporary: string,
  text: string,
  { stamp }: ClientFileState,
  holdsSecret: boolean,
): Promise<void> {
  const isOpenToOthers = stamp === undefined && !holdsSecret;
  const handle = await open(temporary, "wx", isOpenToOthers ? 0o666 : 0o600);
  try {
    await handle.writeFile(text, "utf8");
    if (stamp !== undefined) {
      await keepOwner(handle, stamp);
      await handle.chmod(stamp.mode);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function keepOwner(
  handle: FileHandle,
  { owner, group }: { owner: number; group: number },
): Promise<void> {
  const { uid, gid } = await handle.stat();
  if (uid === owner && gid === group) return;
  await handle.chown(owner, group);
}

/** On Windows there may be several attempts, and in between another program may write, so each begins with a look. */
async function putOver(
  temporary: string,
  state: ClientFileState,
  { rename: move = rename, ...replacing }: Replacing<Promise<void>>,
): Promise<void> {
  await replaceFile(temporary, state.target, {
    ...replacing,
    async rename(from, to) {
      await requireUnchanged(state);
      await move(from, to);
    },
  });
}

/** A link fails where a rename would replace a file that was made in the meantime. */
async function putNew(temporary: string, state: ClientFileState): Promise<void> {
  await requireUnchanged(state);
  try {
    await link(temporary, state.target);
    await unlink(temporary);
  } catch (error) {
    if (errorCode(error) === "EEXIST")
      throw refuse(state.path, "CHANGED", "was made by another program in the meantime; try again");
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(errorCode(error))) throw error;
    // Some file systems have no hard links; the check just before is the best there is.
    await rename(temporary, state.target);
  }
}

async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, "r");
    await handle.sync().finally(() => handle.close());
  } catch {
    // The new file stands; some platforms cannot sync folders.
  }
}

/** Removes empty folders from the inside out, `outermost` the last. */
async function removeFolders(folder: string, outermost: string | undefined): Promise<void> {
  if (outermost === undefined || relative(outermost, folder).startsWith("..")) return;
  try {
    await rmdir(folder);
  } catch {
    // Something else lives there by now, so the folder is no longer only ours.
    return;
  }
  if (folder !== outermost) await removeFolders(dirname(folder), outermost);
}

function failure(error: unknown, { path }: ClientFileState): ClientFileError {
  if (error instanceof ClientFileError) return error;
  const code = errorCode(error);
  if (["EACCES", "EPERM", "EROFS"].includes(code))
    return refuse(path, "READ_ONLY", `may not be written (${code})`, error);
  return refuse(path, "WRITE_FAILED", `could not be written (${code}) and is as it was`, error);
}

function refuse(
  file: string,
  code: ClientFileErrorCode,
  reason: string,
  cause?: unknown,
): ClientFileError {
  return new ClientFileError(code, reason, { file }, { cause });
}
