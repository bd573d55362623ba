import { mkdir, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { ClientFileError } from "@core/clients";
import { LOCK_POLL_MS, LOCK_STALE_MS, LOCK_WAIT_MS } from "../limits.ts";

/**
 * Does `work` while no other run of ours does any for the same file: between reading and renaming, each would lose what
 * the other wrote. The lock is a folder beside the file, which only one can make; one that a dead run left is broken.
 * Throws ClientFileError CHANGED when the others do not come to an end.
 */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = `${file}.lock`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const deadline = performance.now() + LOCK_WAIT_MS;
  while (!(await tryLock(lock))) {
    if (performance.now() > deadline)
      throw new ClientFileError("CHANGED", "other runs keep writing it; try again", { file });
    await after(LOCK_POLL_MS);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

async function tryLock(lock: string): Promise<boolean> {
  try {
    await mkdir(lock, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const made = await stat(lock).catch(() => undefined);
  if (made && Date.now() - made.mtimeMs > LOCK_STALE_MS)
    await rm(lock, { recursive: true, force: true });
  return false;
}
