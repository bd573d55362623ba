import type { SearchText } from "../reader/block.ts";

/** The text as it is compared. */
export function foldedOf({ text, folded }: SearchText): string {
  return folded ?? text.toLowerCase();
}

/** The lines of a text that are not blank. */
export function linesOf({ text, folded }: SearchText): SearchText[] {
  const foldedLines = folded?.split("\n");
  return text
    .split("\n")
    .map((line, at) => ({ text: line, folded: foldedLines?.[at] }))
    .filter((line) => line.text.trim() !== "");
}
