import type { Node } from "jsonc-parser";
import { isMap } from "./dialect.ts";
import { indentAt, lineEndOf, skipBlanksBack } from "./layout.ts";
import type { EntryValue } from "./row.ts";

/** How one JSON text is written, so that what is added looks like what is there. */
export interface JsonStyle {
  readonly eol: string;
  /** What follows a colon or comma on a line: a space, or nothing in a text that has been packed. */
  readonly space: " " | "";
  /** What a member is indented by, beyond the line of its object. */
  readonly step: string;
  /** Whether the text is one line, and stays one. */
  readonly isOneLine: boolean;
}

const DEFAULT_STEP = "  ";

export function styleOf(text: string, root: Node | undefined): JsonStyle {
  const first = root?.children?.[0];
  const eol = lineEndOf(text);
  if (root === undefined || first === undefined)
    return { eol, space: " ", step: DEFAULT_STEP, isOneLine: false };
  return {
    eol,
    space: /\s/.test(text[first.colonOffset! + 1]!) ? " " : "",
    step: stepOf(text, root, first),
    isOneLine: !text.slice(root.offset, endOf(root)).includes("\n"),
  };
}

/** What a member on its own line is indented by, beyond the line of its object. */
export function stepOf(text: string, map: Node, member: Node): string {
  const [outer, inner] = [indentAt(text, map.offset), indentAt(text, member.offset)];
  const isDeeper = startsLine(text, member) && inner.startsWith(outer) && inner !== outer;
  return isDeeper ? inner.slice(outer.length) : DEFAULT_STEP;
}

export function startsLine(text: string, node: Node): boolean {
  return text[skipBlanksBack(text, node.offset) - 1] === "\n";
}

export function endOf(node: Node): number {
  return node.offset + node.length;
}

/** A value with each member of a map on its own line; lists stay on one line. `indent` is that of the first line. */
export function writeLines(value: EntryValue, indent: string, style: JsonStyle): string {
  if (!isMap(value) || Object.keys(value).length === 0) return writeInline(value, " ");
  const { eol, step } = style;
  const inner = indent + step;
  const members = Object.entries(value).map(
    ([key, part]) => `${inner}${JSON.stringify(key)}: ${writeLines(part, inner, style)}`,
  );
  return `{${eol}${members.join(`,${eol}`)}${eol}${indent}}`;
}

/** A value on one line. */
export function writeInline(value: EntryValue, space: string): string {
  if (typeof value !== "object") return JSON.stringify(value);
  const isList = Array.isArray(value);
  const parts = Object.entries(value).map(([key, part]) =>
    isList
      ? writeInline(part, space)
      : `${JSON.stringify(key)}:${space}${writeInline(part, space)}`,
  );
  const inner = parts.join(`,${space}`);
  return isList ? `[${inner}]` : `{${inner}}`;
}
