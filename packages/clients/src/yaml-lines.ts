import {
  isCollection,
  isMap,
  isPair,
  isScalar,
  type Pair,
  type ParsedNode,
  type YAMLMap,
} from "yaml";
import type { TextEdit } from "./edit.ts";
import { lineStart, nextLine } from "./layout.ts";

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
export function linesOf(text: string, member: Member): { start: number; end: number } {
  const end = endOf(member.value ?? member.key);
  return {
    start: lineStart(text, member.key.range[0]),
    end: text[end - 1] === "\n" ? end : nextLine(text, end),
  };
}

/** Adds lines where a line starts, or at the end of a text that has no final line end and keeps none. */
export function insertLines(text: string, offset: number, lines: string, eol: string): TextEdit {
  const isUnended = offset === text.length && !/(^\uFEFF?|\n)$/.test(text);
  return { offset, length: 0, text: isUnended ? eol + lines : lines + eol };
}

export function removeLines(
  text: string,
  { start, end }: { start: number; end: number },
): TextEdit {
  const isUnended = text[end - 1] !== "\n";
  const from = isUnended ? text.slice(0, start).replace(/\r?\n$/, "").length : start;
  return { offset: from, length: end - from, text: "" };
}

/** Where a value ends. A block collection's own range goes on over comments, so the last part's end is taken. */
function endOf(node: ParsedNode): number {
  const last = isCollection(node) && node.flow !== true ? node.items.at(-1) : undefined;
  if (last === undefined) return node.range[1];
  if (!isPair(last)) return endOf(last as ParsedNode);
  const { key, value } = last as Member;
  return endOf(value ?? key);
}
