import type { BigIntStats } from "node:fs";

/**
 * Which file this is and in what state: two equal stamps mean that nobody wrote, replaced, linked or restored it in
 * between, because the kernel alone sets ctime. Times in nanoseconds.
 */
export type Stamp = Readonly<
  Pick<BigIntStats, "dev" | "ino" | "mode" | "nlink" | "size" | "mtimeNs" | "ctimeNs">
>;

/** The stamp of a status. */
export function stampOf({ dev, ino, mode, nlink, size, mtimeNs, ctimeNs }: BigIntStats): Stamp {
  return { dev, ino, mode, nlink, size, mtimeNs, ctimeNs };
}

/** Whether two looks saw the same thing in the same state. Written out, because a search asks it of every file. */
export function isSame(a: Stamp, b: Stamp): boolean {
  return (
    a.ctimeNs === b.ctimeNs &&
    a.ino === b.ino &&
    a.dev === b.dev &&
    a.size === b.size &&
    a.mtimeNs === b.mtimeNs &&
    a.mode === b.mode &&
    a.nlink === b.nlink
  );
}

/** The latest time at which any of these was changed, in nanoseconds since 1970; `atLeast` where all are older. */
export function latestChange(stamps: readonly Stamp[], atLeast = 0n): bigint {
  let latest = atLeast;
  for (const { ctimeNs } of stamps) if (ctimeNs > latest) latest = ctimeNs;
  return latest;
}
