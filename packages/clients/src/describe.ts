import { parseClientDocument } from "./document.ts";
import { createMask } from "./mask.ts";
import type { ClientFormat } from "./row.ts";

/** Lines shown around a change. */
const CONTEXT = 3;

/**
 * An edit as a unified diff of one hunk, from the first to the last line that differs; empty if nothing does. All
 * credentials in it are masked: `secrets`, and whatever stands below a key that names one, before or after.
 */
export function describeEdit(
  before: string,
  after: string,
  options: { file: string; format: ClientFormat; secrets?: readonly string[] },
): string {
  if (before === after) return "";
  const values = [before, after].map((text) => parseClientDocument(text, options).value);
  const mask = createMask(values, options.secrets);
  const [old, now] = [splitLines(before), splitLines(after)];
  const same = commonStart(old, now);
  const sameEnd = commonStart(old.slice(same).reverse(), now.slice(same).reverse());
  const start = Math.max(0, same - CONTEXT);
  const [oldEnd, newEnd] = [old.length - sameEnd, now.length - sameEnd];
  const tail = old.slice(oldEnd, oldEnd + CONTEXT);
  const hunk = [
    ...mark(" ", old.slice(start, same)),
    ...mark("-", old.slice(same, oldEnd)),
    ...mark("+", now.slice(same, newEnd)),
    ...mark(" ", tail),
  ];
  const span = (end: number) => `${end === 0 ? 0 : start + 1},${end - start}`;
  const header = `@@ -${span(oldEnd + tail.length)} +${span(newEnd + tail.length)} @@`;
  return mask([`--- ${options.file}`, `+++ ${options.file}`, header, ...hunk, ""].join("\n"));
}

/** A text's lines without their ends; a last line without an end says so, as diffs do. */
function splitLines(text: string): string[] {
  const lines = text.split("\n");
  const last = lines.pop()!;
  return last === "" ? lines : [...lines, `${last}\n\\ No newline at end of file`];
}

function mark(sign: string, lines: readonly string[]): string[] {
  return lines.map((line) => sign + line.replace(/\r$/, ""));
}

function commonStart(one: readonly string[], other: readonly string[]): number {
  let count = 0;
  while (count < one.length && count < other.length && one[count] === other[count]) count++;
  return count;
}
