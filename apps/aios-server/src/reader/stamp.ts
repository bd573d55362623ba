import type { BigIntStats } from "node:fs";

const FIELDS = ["dev", "ino", "mode", "nlink", "size", "mtimeNs", "ctimeNs"] as const;

/**
 * Which file this is and in what state: two equal stamps mean that nobody wrote, replaced, linked or restored it in
 * between, because the kernel alone sets ctime. Times in nanoseconds.
 */
export type Stamp = { readonly [field in (typeof FIELDS)[number]]: bigint };

/** The stamp of a status. */
export function stampOf({ dev, ino, mode, nlink, size, mtimeNs, ctimeNs }: BigIntStats): Stamp {
  return { dev, ino, mode, nlink, size, mtimeNs, ctimeNs };
}

/** Whether two looks saw the same thing in the same state. */
export function isSame(a: Stamp, b: Stamp): boolean {
  return FIELDS.every((field) => a[field] === b[field]);
}
