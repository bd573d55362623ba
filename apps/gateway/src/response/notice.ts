import { MAX_QUOTED_CHARACTERS } from "../limits.ts";
import { type Size, sizeOfJson, sizeOfText, sumOf } from "./size.ts";

/** Where the whole of a cut answer is: the URI of its first page, or why it could not be kept. */
export type Kept = string | Error;

/** Keeps a text to be read by pages. */
export type Keep = (text: string) => Promise<Kept>;

/** The line that says what is left out of an answer, and where it is. */
export function noteOf(left: Size, isDropped: boolean, kept: Kept): string {
  const what = isDropped ? "the structured content does not fit; " : "";
  const rest = `${left.bytes} bytes (${left.lines} lines) of this answer are left out`;
  const where =
    typeof kept === "string"
      ? `resources/read ${kept} gives the whole answer by pages`
      : `they could not be kept: ${kept.message.slice(0, MAX_QUOTED_CHARACTERS)}`;
  return `[wraptool: ${what}${rest}; ${where}]`;
}

/** The block by which a client finds the whole, which has so many bytes. */
export function linkTo(uri: string, size: number): object {
  return {
    type: "resource_link",
    uri,
    name: "whole answer",
    description: "The whole answer by pages; each names the next in _meta",
    mimeType: "text/plain",
    size,
  };
}

/** As long as every URI of a spill is. */
const ANY_URI = `wraptool://spill/${"0".repeat(32)}?page=1`;

/**
 * What the line and the link take of the limits, for an answer of this size. Where the limits are so small that they would
 * leave nothing of the answer itself, they take half of them and stand there all the same.
 */
export function allowanceFor(answer: Size, limits: Size): Size {
  const note = sizeOfText(noteOf(answer, true, ANY_URI));
  const link = sizeOfJson(Buffer.from(JSON.stringify(linkTo(ANY_URI, answer.bytes))));
  const { bytes, lines } = sumOf([note, link]);
  return {
    bytes: Math.min(bytes, Math.floor(limits.bytes / 2)),
    lines: Math.min(lines, Math.floor(limits.lines / 2)),
  };
}
