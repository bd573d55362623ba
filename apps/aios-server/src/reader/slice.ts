import { AiosError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Access } from "../memory/gate.ts";
import { type Block, type BlockReader, createBlockReader, isSameAt } from "./block.ts";
import { guarded, namesOf } from "./contained.ts";
import type { Disk } from "./disk.ts";
import { type Anchor, type Folders, openFolders } from "./folders.ts";
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

/** Where slices are read, and how much of them. */
export interface SlicesGiven {
  readonly access: Access;
  readonly root: string;
  readonly anchor: Anchor;
  /** The most that may be read, and one number of how much was, by all threads together. */
  readonly maximum: number;
  readonly taken: Int32Array;
}

const SOURCE = "a file";

/**
 * Reads the files of a slice as far as all goes well: up to one that is too large, or over the maximum, or with which
 * anything is wrong. What is wrong shows when it is read in its turn, but a change only now.
 */
export function readSlice(
  { path, stamp, names }: Slice,
  on: { folders: Folders; blocks: BlockReader; given: Pick<SlicesGiven, "maximum" | "taken"> },
): ReadSlice {
  const { folders, blocks, given } = on;
  const read: Block[] = [];
  const admit = (size: number) =>
    size <= limits.maxSearchFileBytes && takeUpTo(given.maximum, size, given.taken);
  const finishBlock = () => {
    if (blocks.length > 0) read.push(blocks.finish(SOURCE));
  };
  let isChanged = false;
  try {
    guarded(SOURCE, () =>
      folders.within(path === "" ? [] : namesOf(path, SOURCE), SOURCE, (folder) => {
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

/** Takes so much of what all threads may have together, or nothing. */
function takeUpTo(maximum: number, size: number, taken: Int32Array): boolean {
  if (Atomics.add(taken, 0, size) + size <= maximum) return true;
  Atomics.sub(taken, 0, size);
  return false;
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

/** What a helper can do for a tree. */
export function createReadingActors(disk: Disk, fold: (text: string) => string) {
  const blocks = createBlockReader(disk, fold);
  return {
    read(given: SlicesGiven) {
      const folders = openFolders(given.root, disk, given.anchor);
      return {
        act: (slice: Slice) => readSlice(slice, { folders, blocks, given }),
        transfer: ({ blocks }: ReadSlice) => blocks.flatMap(buffersOf),
        [Symbol.dispose]: () => folders[Symbol.dispose](),
      };
    },
    look: () => ({ act: (look: Look) => lookAgain(look, disk) }),
  };
}

function buffersOf({ stamps, text, folded }: Block): ArrayBuffer[] {
  return [stamps.buffer, text.bytes.buffer, ...(folded ? [folded.bytes.buffer] : [])];
}
