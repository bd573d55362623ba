import { cutText } from "@core/bounds";
import { type Edit, splice } from "@core/wire";
import type { Block, BlockList } from "./block.ts";
import { fits, less, type Size, sumOf } from "./size.ts";

/** A block as a client gets it. */
export interface Shown {
  readonly list: BlockList;
  readonly json: Buffer;
}

/** Keeps blocks from the first as long as there is room, and of the text that crosses the limit its start. */
export function cutBlocks(
  blocks: readonly Block[],
  limits: Size,
): { readonly blocks: Shown[]; readonly left: Size } {
  let room = limits;
  let isCut = false;
  const left: Size[] = [];
  const shown: Shown[] = [];
  for (const { list, json, text, span, size } of blocks) {
    // No text after the cut is shown, or the start of one would seem to go on with the next.
    const isDone = isCut && text !== undefined;
    if (!isDone && fits(size, room)) {
      room = less(room, size);
      shown.push({ list, json });
      continue;
    }
    const cut =
      isDone || text === undefined
        ? undefined
        : cutText(text, { maxBytes: room.bytes, maxLines: room.lines });
    left.push(cut?.left ?? size);
    isCut = true;
    room = { bytes: 0, lines: 0 };
    if (cut === undefined || span === undefined || cut.text === "") continue;
    const edit: Edit = { ...span, text: JSON.stringify(cut.text) };
    shown.push({ list, json: splice(json, [edit]) });
  }
  return { blocks: shown, left: sumOf(left) };
}
