import { createScanner, type Node } from "jsonc-parser";
import { isMap } from "./dialect.ts";
import type { TextEdit } from "./edit.ts";
import { indentAt, lineEndOf, skipBlanks, skipBlanksBack } from "./layout.ts";
import type { EntryMap, EntryValue } from "./table.ts";

/** Writes values into one JSON text in the way in which that text is written. */
export interface JsonWriter {
  /** A whole document for a text that has no value yet. */
  document(value: EntryMap): TextEdit;
  /** A new last member of an object. */
  insert(map: Node, key: string, value: EntryMap): TextEdit[];
  /** Another value for a member. */
  replace(member: Node, value: EntryMap): TextEdit;
}

const DEFAULT_INDENT = "  ";

export function createJsonWriter(text: string, root: Node | undefined): JsonWriter {
  const eol = lineEndOf(text);
  const first = root?.children?.[0];
  const isOneLine = first !== undefined && !text.slice(root!.offset, endOf(root!)).includes("\n");
  const space = first && isTight(text, first) ? "" : " ";
  const unit = root && first && startsLine(text, first) ? step(text, root, first) : DEFAULT_INDENT;

  const pretty = (value: EntryValue, indent: string, deeper: string): string => {
    if (!isMap(value) || Object.keys(value).length === 0) return inline(value, " ");
    const inner = indent + deeper;
    const members = Object.entries(value).map(
      ([key, part]) => `${inner}${JSON.stringify(key)}: ${pretty(part, inner, deeper)}`,
    );
    return `{${eol}${members.join(`,${eol}`)}${eol}${indent}}`;
  };

  const insertLines = (map: Node, gap: Gap, member: { key: string; value: EntryMap }) => {
    const sibling = map.children!.find((child) => startsLine(text, child));
    const outer = indentAt(text, map.offset);
    const deeper = sibling ? step(text, map, sibling) : unit;
    const indent = sibling ? indentAt(text, sibling.offset) : outer + deeper;
    const lines = `${eol}${indent}${JSON.stringify(member.key)}: ${pretty(member.value, indent, deeper)}`;
    const close = endOf(map) - 1;
    if (map.children!.length > 0) return [edit(gap.end, gap.end, lines + gap.trailing)];
    if (!gap.isCommented) return [edit(map.offset + 1, close, `${lines}${eol}${outer}`)];
    const breaks = text.slice(gap.end, close).includes("\n");
    return [edit(gap.end, gap.end, breaks ? lines : `${lines}${eol}${outer}`)];
  };

  const insertInline = (map: Node, gap: Gap, member: { key: string; value: EntryMap }) => {
    const written = inlineMember(member.key, member.value, space);
    if (map.children!.length > 0 || gap.isCommented)
      return [edit(gap.end, gap.end, space + written + gap.trailing)];
    return [edit(map.offset + 1, endOf(map) - 1, written)];
  };

  return {
    document: (value) => {
      const bare = text.replace(/^\uFEFF/, "");
      const endsLine = bare === "" || bare.endsWith("\n");
      const lead = endsLine || bare.trim() === "" ? "" : eol;
      const written = lead + pretty(value, "", DEFAULT_INDENT) + (endsLine ? eol : "");
      return edit(text.length, text.length, written);
    },
    insert: (map, key, value) => {
      const last = map.children!.at(-1);
      const gap = readGap(text, last ? endOf(last) : map.offset + 1, endOf(map) - 1);
      const isInline = last ? !startsLine(text, map.children![0]!) : isOneLine;
      const splice = isInline && !gap.endsInLineComment ? insertInline : insertLines;
      const comma = last && gap.comma === undefined ? [edit(endOf(last), endOf(last), ",")] : [];
      return [...comma, ...splice(map, gap, { key, value })];
    },
    replace: (member, value) => {
      const old = member.children![1]!;
      const written = startsLine(text, member)
        ? pretty(value, indentAt(text, member.offset), step(text, member.parent!, member))
        : inline(value, space);
      return edit(old.offset, endOf(old), written);
    },
  };
}

/** Removes a member with its line and its comma. Comments stay, as does all else in the object. */
export function removeMember(text: string, member: Node): TextEdit[] {
  const map = member.parent!;
  const [open, close] = [map.offset + 1, endOf(map) - 1];
  const siblings = map.children!;
  const index = siblings.indexOf(member);
  const [previous, next] = [siblings[index - 1], siblings[index + 1]];
  const before = readGap(text, previous ? endOf(previous) : open, member.offset);
  const after = readGap(text, endOf(member), next?.offset ?? close);
  if (siblings.length === 1 && !before.isCommented && !after.isCommented)
    return [edit(open, close, "")];

  const comma = after.comma ?? before.comma;
  const isAdjacent =
    after.comma !== undefined && text.slice(endOf(member), after.comma).trim() === "";
  const end = isAdjacent ? after.comma! + 1 : endOf(member);
  const span = widen(text, member.offset, end, { before, hasNext: next !== undefined });
  return comma === undefined || isAdjacent ? [span] : [edit(comma, comma + 1, ""), span];
}

/** A removed span with the white space that belongs to it: its whole line, or the blanks on one side. */
function widen(
  text: string,
  start: number,
  end: number,
  { before, hasNext }: { before: Gap; hasNext: boolean },
): TextEdit {
  const lead = skipBlanksBack(text, start);
  const rest = skipBlanks(text, end);
  const startsOwnLine = text[lead - 1] === "\n";
  const endsLine = text[rest] === "\n" || text[rest] === "\r";
  // What closes the object may not follow a line comment, which would swallow it.
  const closes = text[rest] === "}" && !before.endsInLineComment;
  if (startsOwnLine && (endsLine || closes))
    return edit(text[lead - 2] === "\r" ? lead - 2 : lead - 1, end, "");
  if (startsOwnLine || hasNext) return edit(start, rest, "");
  return edit(lead, end, "");
}

/** What stands between two members, or between a member and a brace. */
interface Gap {
  /** Where the last comma or comment ends; where the gap starts if there is none. */
  readonly end: number;
  readonly comma: number | undefined;
  /** The comma that a new last member is written with, so that the style of the object stays. */
  readonly trailing: "," | "";
  readonly isCommented: boolean;
  readonly endsInLineComment: boolean;
}

function readGap(text: string, from: number, to: number): Gap {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  let end = from;
  let comma: number | undefined;
  let lastComment: string | undefined;
  let endsInLineComment = false;
  while (scanner.getPosition() < to) {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    const sign = text[offset]!;
    if (/\s/.test(sign)) continue;
    end = offset + scanner.getTokenLength();
    if (sign === ",") comma = offset;
    else lastComment = text.slice(offset, offset + 2);
    endsInLineComment = sign === "/" && lastComment === "//";
  }
  const isCommented = lastComment !== undefined;
  return { end, comma, trailing: comma === undefined ? "" : ",", isCommented, endsInLineComment };
}

function inline(value: EntryValue, space: string): string {
  if (typeof value !== "object") return JSON.stringify(value);
  if (!isMap(value)) {
    const items = (value as readonly EntryValue[]).map((item) => inline(item, space));
    return `[${items.join(`,${space}`)}]`;
  }
  const members = Object.entries(value).map(([key, part]) => inlineMember(key, part, space));
  return `{${members.join(`,${space}`)}}`;
}

function inlineMember(key: string, value: EntryValue, space: string): string {
  return `${JSON.stringify(key)}:${space}${inline(value, space)}`;
}

/** The indentation from an object's own line to that of a member. */
function step(text: string, map: Node, member: Node): string {
  const [outer, inner] = [indentAt(text, map.offset), indentAt(text, member.offset)];
  return inner.startsWith(outer) && inner !== outer ? inner.slice(outer.length) : DEFAULT_INDENT;
}

function isTight(text: string, member: Node): boolean {
  return !/\s/.test(text[member.colonOffset! + 1]!);
}

function startsLine(text: string, node: Node): boolean {
  return text[skipBlanksBack(text, node.offset) - 1] === "\n";
}

function edit(start: number, end: number, text: string): TextEdit {
  return { offset: start, length: end - start, text };
}

function endOf(node: Node): number {
  return node.offset + node.length;
}
