import { readdir, rmdir, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Owner, ownerHasEnded } from "./owner.ts";
import {
  isSpillFolderName,
  listSpillFolder,
  OWNER_RECORD,
  readOwner,
  requireApp,
} from "./spill-folder.ts";

/** Which folders a sweep looks at, and how it judges their owners. */
export interface SweepOptions {
  readonly app: string;
  /** The folder in which the stores made theirs; the system's temporary folder if missing. */
  readonly parent?: string | undefined;
  /** The user whose folders these are; the one who calls if missing. Windows has no user ids. */
  readonly uid?: number | undefined;
  /** Whether an owner has certainly ended. */
  readonly hasEnded?: ((owner: Owner) => Promise<boolean>) | undefined;
}

/**
 * Removes the spill folders whose owners have ended without removing them, and returns their basenames. Touches only
 * real folders of this user that look exactly as a store makes them, follows no symbolic link, and leaves
 * whatever it is not sure of. Other sweeps and stores may be at work in the same place.
 */
export async function sweepSpills({
  app,
  parent = tmpdir(),
  uid = process.getuid?.(),
  hasEnded = ownerHasEnded,
}: SweepOptions): Promise<string[]> {
  requireApp(app);
  const removed: string[] = [];
  for (const name of await namesIn(parent)) {
    if (!isSpillFolderName(app, name)) continue;
    if (await sweepFolder(join(parent, name), uid, hasEnded)) removed.push(name);
  }
  return removed;
}

async function namesIn(parent: string): Promise<string[]> {
  try {
    return await readdir(parent);
  } catch {
    // A parent that is missing or closed to us holds nothing of ours to remove.
    return [];
  }
}

async function sweepFolder(
  folder: string,
  uid: number | undefined,
  hasEnded: (owner: Owner) => Promise<boolean>,
): Promise<boolean> {
  try {
    const names = await listSpillFolder(folder, uid);
    if (names === undefined) return false;
    const owner = await readOwner(folder);
    if (owner === undefined || !(await hasEnded(owner))) return false;
    // The record goes last, so that a sweep which is interrupted can be taken up by the next.
    for (const name of names) if (name !== OWNER_RECORD) await unlink(join(folder, name));
    await unlink(join(folder, OWNER_RECORD));
    await rmdir(folder);
    return true;
  } catch {
    // Another sweep was faster, or the folder has no whole record: either way it is not ours to remove.
    return false;
  }
}
