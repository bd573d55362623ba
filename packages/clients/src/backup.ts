import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { hashText } from "./edit.ts";
import type { ClientFileState } from "./file.ts";

/** How many copies of one file are kept. */
const KEPT = 5;

/**
 * Copies the file that was read into `folder` (made with mode 0700) as a file of mode 0600, and removes all but the last
 * five copies of the same file. Returns the copy's name in the folder, or `undefined` if there is no file to copy.
 */
export async function backUpClientFile(
  { target, text }: ClientFileState,
  { folder, now }: { readonly folder: string; readonly now: Date },
): Promise<string | undefined> {
  if (text === undefined) return undefined;
  const file = hashText(target).slice(0, 16);
  // Names sort by time; the last part keeps apart what one millisecond brought.
  const name = `${file}-${now.toISOString().replace(/[-:.]/g, "")}-${randomUUID().slice(0, 8)}.bak`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const handle = await open(join(folder, name), "wx", 0o600);
  try {
    await handle.writeFile(text, "utf8");
    await handle.sync();
  } finally {
    await handle.close();
  }
  const copies = (await readdir(folder)).filter((other) => other.startsWith(`${file}-`)).sort();
  for (const old of copies.slice(0, -KEPT)) await unlink(join(folder, old));
  return name;
}
