import { createHash } from "node:crypto";

/** Puts `text` in the place of `length` UTF-16 units at `offset`. */
export interface TextEdit {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/**
 * What takes an edit back to the byte: edits of the edited text, which is known by its hash. Small and free of what
 * was inserted, so that it can be kept.
 */
export interface Undo {
  /** {@link hashText} of the text that the edits belong to. */
  readonly hash: string;
  readonly edits: readonly TextEdit[];
}

/** Applies edits that do not overlap; those of one offset in the order given. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = "";
  let kept = 0;
  for (const { offset, length, text: added } of inOrder(edits)) {
    if (offset < kept) throw new RangeError("The edits overlap.");
    result += text.slice(kept, offset) + added;
    kept = offset + length;
  }
  return result + text.slice(kept);
}

/** The edits that lead from the edited text back. */
export function undoOf(text: string, edits: readonly TextEdit[], edited: string): Undo {
  let shift = 0;
  const back = inOrder(edits).map(({ offset, length, text: added }) => {
    const edit = {
      offset: offset + shift,
      length: added.length,
      text: text.slice(offset, offset + length),
    };
    shift += added.length - length;
    return edit;
  });
  return { hash: hashText(edited), edits: back };
}

/** The text as it was before the edit, or `undefined` if this is not the text that the edit led to. */
export function applyUndo(text: string, undo: Undo): string | undefined {
  return hashText(text) === undo.hash ? applyEdits(text, undo.edits) : undefined;
}

/** SHA-256 of a text's UTF-8 bytes, in hex. */
export function hashText(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

function inOrder(edits: readonly TextEdit[]): TextEdit[] {
  return [...edits].sort((one, other) => one.offset - other.offset);
}
