import { renameSync } from "node:fs";
import { rename } from "node:fs/promises";
import { setTimeout as after } from "node:timers/promises";

/** Milliseconds between the attempts on Windows: two thirds of a second in all, as long as scanners usually hold a file. */
const WAITS_MS: readonly number[] = Object.freeze([10, 20, 40, 80, 160, 320]);

/** What Windows says of a file that another program has open. */
const HELD: ReadonlySet<string | undefined> = new Set(["EPERM", "EACCES", "EBUSY"]);

/** How a file is put in another's place; the real system if missing. `wait` takes milliseconds. */
export interface Replacing<Done> {
  readonly platform?: NodeJS.Platform | undefined;
  readonly rename?: ((from: string, to: string) => Done) | undefined;
  readonly wait?: ((ms: number) => Done) | undefined;
}

/**
 * Renames a file over another. On Windows that fails while any program has the other open, a virus scanner for one, so it
 * is tried again for a short while. Rejects with the system's error; then the other file stands.
 */
export async function replaceFile(
  from: string,
  to: string,
  {
    platform = process.platform,
    rename: move = rename,
    wait = after,
  }: Replacing<Promise<void>> = {},
): Promise<void> {
  for (const ms of waitsOn(platform)) {
    try {
      return await move(from, to);
    } catch (error) {
      if (!isHeld(error)) throw error;
    }
    await wait(ms);
  }
  await move(from, to);
}

/** The same for those who cannot wait without stopping: the thread sleeps between the attempts. */
export function replaceFileSync(
  from: string,
  to: string,
  { platform = process.platform, rename: move = renameSync, wait = sleep }: Replacing<void> = {},
): void {
  for (const ms of waitsOn(platform)) {
    try {
      move(from, to);
      return;
    } catch (error) {
      if (!isHeld(error)) throw error;
    }
    wait(ms);
  }
  move(from, to);
}

function waitsOn(platform: NodeJS.Platform): readonly number[] {
  return platform === "win32" ? WAITS_MS : [];
}

function isHeld(error: unknown): boolean {
  return HELD.has((error as NodeJS.ErrnoException).code);
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
