import type { Access } from "../memory/gate.ts";
import { type Block, createBlockReader } from "./block.ts";
import type { Disk } from "./disk.ts";
import { type Anchor, openFolders } from "./folders.ts";
import { listFolder } from "./listing.ts";
import type { Shares } from "./shares.ts";
import { type Look, lookAgain, type ReadSlice, readSlice, type Slice } from "./slice.ts";

/** Where a helper reads, and how much. */
export interface ReadingGiven {
  readonly access: Access;
  readonly root: string;
  readonly anchor: Anchor;
  readonly shares: Shares;
}

/** What a helper can do for a tree. */
export function createReadingActors(disk: Disk, fold: (text: string) => string) {
  const blocks = createBlockReader(disk, fold);
  return {
    list({ root, anchor, shares }: ReadingGiven) {
      const folders = openFolders(root, disk, anchor);
      return {
        act: (path: string) => listFolder(path, { folders, disk, shares }),
        [Symbol.dispose]: () => folders[Symbol.dispose](),
      };
    },
    read({ root, anchor, shares }: ReadingGiven) {
      const folders = openFolders(root, disk, anchor);
      return {
        act: (slice: Slice) => readSlice(slice, { folders, blocks, shares }),
        transfer: ({ blocks }: ReadSlice) => blocks.flatMap(buffersOf),
        [Symbol.dispose]: () => folders[Symbol.dispose](),
      };
    },
    look: () => ({ act: (look: Look) => lookAgain(look, disk), [Symbol.dispose]: () => {} }),
  };
}

function buffersOf({ stamps, text, folded }: Block): ArrayBuffer[] {
  return [stamps.buffer, text.bytes.buffer, ...(folded ? [folded.bytes.buffer] : [])];
}
