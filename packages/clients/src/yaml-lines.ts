import {
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Pair,
  type ParsedNode,
  stringify,
  type YAMLMap,
} from "yaml";
import type { TextEdit } from "./edit.ts";
import { lineStart, nextLine, skipBlanksBack } from "./layout.ts";
import type { EntryValue } from "./row.ts";

/** A key of a map and its value, as the library places them. */
export type Member = Pair<ParsedNode, ParsedNode | null>;

const DEFAULT_STEP = 2;

export function findMember(root: ParsedNode | null, path: readonly string[]): Member | undefined {
  let node = root;
  let found: Member | undefined;
  for (const key of path) {
    found = membersOf(node).find((member) => isScalar(member.key) && member.key.value === key);
    if (found === undefined) return undefined;
    node = found.value;
  }
  return found;
}

export function membersOf(node: ParsedNode | null): readonly Member[] {
  return isMap(node) ? (node.items as Member[]) : [];
}

/** Whether a map is written with each key on its own line, and not in braces. */
export function isBlockMap(node: ParsedNode | null): node is YAMLMap.Parsed {
  return isMap(node) && node.flow !== true;
}

/** Whether a key has nothing after it, or braces or brackets with nothing in them: all become a block. */
export function isEmptyBlock(text: string, node: ParsedNode | null): boolean {
  if (node === null) return true;
  const [start, end] = node.range;
  if (isScalar(node)) return start === end;
  if (!isCollection(node) || node.flow !== true) return false;
  return /^(?:\{\s*\}|\[\s*\])$/.test(text.slice(start, end));
}

/** Removes the empty braces or brackets after a key. */
export function clearFlow(text: string, node: ParsedNode | null): TextEdit[] {
  if (!isMap(node) && !isSeq(node)) return [];
  const start = skipBlanksBack(text, node.range[0]);
  return [{ offset: start, length: node.range[1] - start, text: "" }];
}

export function columnOf(text: string, member: Member): number {
  return member.key.range[0] - lineStart(text, member.key.range[0]);
}

/** The columns from a key to the keys of its map: those of the first nested map. */
export function stepOf(text: string, root: ParsedNode | null): number {
  for (const member of membersOf(root)) {
    const inner = isBlockMap(member.value) ? membersOf(member.value)[0] : undefined;
    const step = inner === undefined ? 0 : columnOf(text, inner) - columnOf(text, member);
    if (step > 0) return step;
  }
  return DEFAULT_STEP;
}

/** The lines of a member, with the last one's end. Comments after its last value are not its own. */
export function linesOf(text: string, { key, value }: Member): { start: number; end: number } {
  return { start: lineStart(text, key.range[0]), end: endOfLines(text, value ?? key) };
}

/** Where the last line of a value ends. */
export function endOfLines(text: string, node: ParsedNode): number {
  const end = endOf(node);
  return text[end - 1] === "\n" ? end : nextLine(text, end);
}

/** Strings stay on one line, and are quoted also where only YAML 1.1 would take them for something else (`yes`). */
const WRITE_OPTIONS = { lineWidth: 0, blockQuote: false, compat: "yaml-1.1" } as const;

/** A value as lines from a column on, without the last line's end. */
export function writeLines(
  value: EntryValue,
  { column, step, eol }: { column: number; step: number; eol: string },
): string {
  const lines = stringify(value, { ...WRITE_OPTIONS, indent: step })
    .trimEnd()
    .split("\n");
  return lines.map((line) => " ".repeat(column) + line).join(eol);
}

/** Adds lines where a line starts, or at the end of a text that has no final line end and keeps none. */
export function insertLines(text: string, offset: number, lines: string, eol: string): TextEdit {
  const isUnended = offset === text.length && !/(^\uFEFF?|\n)$/.test(text);
  return { offset, length: 0, text: isUnended ? eol + lines : lines + eol };
}

/** Writes lines in the place of others; a last line without an end keeps none. */
export function replaceLines(
  text: string,
  { start, end }: { start: number; end: number },
  lines: string,
  eol: string,
): TextEdit {
  const ending = text[end - 1] === "\n" ? eol : "";
  return { offset: start, length: end - start, text: lines + ending };
}

export function removeLines(
  text: string,
  { start, end }: { start: number; end: number },
): TextEdit {
  const isUnended = text[end - 1] !== "\n";
  const from = isUnended ? text.slice(0, start).replace(/\r?\n$/, "").length : start;
  return { offset: from, length: end - from, text: "" };
}

/** Writes an empty map or list after a key that would be without a value, which is null. */
export function writeEmpty(text: string, { key }: Member, written: "{}" | "[]"): TextEdit {
  return { offset: text.indexOf(":", key.range[1]) + 1, length: 0, text: ` ${written}` };
}

/** Where a value ends. A block collection's own range goes on over comments, so the last part's end is taken. */
function endOf(node: ParsedNode): number {
  const last = isCollection(node) && node.flow !== true ? node.items.at(-1) : undefined;
  if (last === undefined) return node.range[1];
  if (!isPair(last)) return endOf(last as ParsedNode);
  const { key, value } = last as Member;
  return endOf(value ?? key);
}
