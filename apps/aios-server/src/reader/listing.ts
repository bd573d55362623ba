import { AiosError } from "../errors.ts";
import { limits } from "../limits.ts";
import { type Entry, guarded, kindOf } from "./contained.ts";
import type { Disk } from "./disk.ts";
import type { Folders } from "./folders.ts";
import { type Shares, takeUpTo } from "./shares.ts";
import type { Stamp } from "./stamp.ts";

/** The entries that a folder had at its stamp, in code unit order. */
export interface Listing {
  readonly stamp: Stamp;
  readonly entries: readonly Entry[];
}

/** A listing as it goes from one thread to another; without a stamp, nothing is said of the folder. */
export interface PackedListing {
  readonly stamp?: Stamp;
  /** The names with a `/` behind each, which is in none of them, and one letter for the kind of each. */
  readonly names: string;
  readonly kinds: string;
}

const KINDS = Object.freeze({ file: "f", folder: "d", link: "l", other: "o" });
const KIND_OF: Readonly<Record<string, Entry["kind"]>> = Object.freeze({
  f: "file",
  d: "folder",
  l: "link",
  o: "other",
});
const NOTHING: PackedListing = Object.freeze({ names: "", kinds: "" });
const SOURCE = "a folder";

/** Lists what is at a path of a disk; `count` is told of each entry before it is taken, and may throw to stop. */
export function readEntries(disk: Disk, at: string, count: (entries: number) => void): Entry[] {
  const entries: Entry[] = [];
  for (const entry of disk.entries(at)) {
    count(1);
    entries.push({ name: entry.name, kind: kindOf(entry) });
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Lists a folder if all goes well, within what all threads may list together. Whatever is wrong with it shows when it is
 * listed in its turn.
 */
export function listFolder(
  path: string,
  { folders, disk, shares }: { folders: Folders; disk: Disk; shares: Shares },
): PackedListing {
  let count = 0;
  const countEntry = () => {
    count++;
    if (count > limits.maxSearchFolderEntries || !takeUpTo(shares, 1)) throw new TooMany();
  };
  try {
    return guarded(SOURCE, () =>
      folders.within(path, SOURCE, (folder) =>
        folder === undefined
          ? NOTHING
          : packed(folder.stamp, readEntries(disk, folder.at, countEntry)),
      ),
    );
  } catch (error) {
    if (error instanceof TooMany || error instanceof AiosError) return NOTHING;
    throw error;
  }
}

class TooMany extends Error {}

function packed(stamp: Stamp, entries: readonly Entry[]): PackedListing {
  const { dev, ino, mode, nlink, size, mtimeNs, ctimeNs } = stamp;
  return {
    stamp: { dev, ino, mode, nlink, size, mtimeNs, ctimeNs },
    names: entries.map(({ name }) => `${name}/`).join(""),
    kinds: entries.map(({ kind }) => KINDS[kind]).join(""),
  };
}

/** The listing again; undefined where nothing is said. */
export function unpackListing({ stamp, names, kinds }: PackedListing): Listing | undefined {
  if (stamp === undefined) return undefined;
  const entries = names
    .split("/")
    .slice(0, -1)
    .map((name, at): Entry => ({ name, kind: KIND_OF[kinds[at]!]! }));
  return { stamp, entries };
}
