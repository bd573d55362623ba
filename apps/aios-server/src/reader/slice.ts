import { AiosError } from "../errors.ts";
import { limits } from "../limits.ts";
import { type Block, type BlockReader, isSameAt } from "./block.ts";
import { guarded } from "./contained.ts";
import type { Disk } from "./disk.ts";
import type { Folders } from "./folders.ts";
import { type Shares, takeUpTo } from "./shares.ts";
import { isSame, type Stamp } from "./stamp.ts";

/** Some files of a folder, which any thread may read. */
export interface Slice {
  /** The path of the folder from the root, and the state in which it was seen. */
  readonly path: string;
  readonly stamp: Stamp;
  readonly names: readonly string[];
}

/** The files of a slice that were read, which are the first of them. */
export interface ReadSlice {
  readonly blocks: readonly Block[];
  /** Whether the folder or a file was seen to change meanwhile. */
  readonly isChanged: boolean;
}

/** Some files of a folder by its absolute path, with the stamps under which they were read. */
export interface Look {
  readonly base: string;
  readonly names: readonly string[];
  readonly stamps: BigInt64Array;
}

/** The places of those that have another stamp by now. */
export interface Looked {
  readonly changed: readonly number[];
}

const SOURCE = "a file";

/**
 * Reads the files of a slice as far as all goes well: up to one that is too large, or over the maximum, or with which
 * anything is wrong. What is wrong shows when it is read in its turn, but a change only now.
 */
export function readSlice(
  { path, stamp, names }: Slice,
  on: { folders: Folders; blocks: BlockReader; shares: Shares },
): ReadSlice {
  const { folders, blocks, shares } = on;
  const read: Block[] = [];
  const admit = (size: number) => size <= limits.maxSearchFileBytes && takeUpTo(shares, size);
  const finishBlock = () => {
    if (blocks.length > 0) read.push(blocks.finish(SOURCE));
  };
  let isChanged = false;
  try {
    guarded(SOURCE, () =>
      folders.within(path, SOURCE, (folder) => {
        if (folder === undefined || !isSame(folder.stamp, stamp))
          throw new AiosError("SOURCE_CHANGED", { source: SOURCE });
        for (const name of names) {
          if (!blocks.read(`${folder.at}/${name}`, SOURCE, admit)) break;
          if (blocks.isFull) finishBlock();
        }
        finishBlock();
      }),
    );
  } catch (error) {
    if (!(error instanceof AiosError)) throw error;
    isChanged = error.code === "SOURCE_CHANGED";
    blocks.drop();
  }
  return { blocks: read, isChanged };
}

/** Looks at files by name, which is enough: only the very file in the very state that was read has its stamp. */
export function lookAgain({ base, names, stamps }: Look, disk: Disk): Looked {
  const changed: number[] = [];
  for (const [at, name] of names.entries()) {
    const status = disk.lstat(`${base}/${name}`);
    if (status === undefined || !isSameAt(stamps, at, status)) changed.push(at);
  }
  return { changed };
}
