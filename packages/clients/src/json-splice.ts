import { createScanner, type Node } from "jsonc-parser";
import type { TextEdit } from "./edit.ts";
import {
  endOf,
  type JsonStyle,
  startsLine,
  stepOf,
  styleOf,
  writeInline,
  writeLines,
} from "./json-style.ts";
import { indentAt, skipBlanks, skipBlanksBack } from "./layout.ts";
import type { EntryMap } from "./row.ts";

/** Adds a whole document to a text that has no value yet; a text without a final line end keeps none. */
export function insertDocument(text: string, value: EntryMap): TextEdit {
  const style = styleOf(text, undefined);
  const bare = text.replace(/^\uFEFF/, "");
  const endsLine = bare === "" || bare.endsWith("\n");
  const lead = endsLine || bare.trim() === "" ? "" : style.eol;
  const written = writeLines(value, "", style) + (endsLine ? style.eol : "");
  return edit(text.length, text.length, lead + written);
}

/** Adds a last member to an object, in the way in which its other members are written. */
export function insertMember(
  text: string,
  map: Node,
  [key, value]: readonly [string, EntryMap],
  style: JsonStyle,
): TextEdit[] {
  const close = endOf(map) - 1;
  const [first, last] = [map.children![0], map.children!.at(-1)];
  const gap = readGap(text, last ? endOf(last) : map.offset + 1, close);
  const isBare = last === undefined && !gap.isCommented;
  const onOneLine = first ? !startsLine(text, first) : style.isOneLine;

  const comma = last && gap.comma === undefined ? [edit(endOf(last), endOf(last), ",")] : [];
  const place = isBare ? ([map.offset + 1, close] as const) : ([gap.end, gap.end] as const);
  if (onOneLine && !gap.endsInLineComment) {
    const written = `${JSON.stringify(key)}:${style.space}${writeInline(value, style.space)}`;
    return [...comma, edit(...place, (isBare ? "" : style.space) + written + gap.trailing)];
  }
  const outer = indentAt(text, map.offset);
  const sibling = map.children!.find((child) => startsLine(text, child));
  const step = sibling ? stepOf(text, map, sibling) : style.step;
  const indent = sibling ? indentAt(text, sibling.offset) : outer + step;
  const written = `${JSON.stringify(key)}: ${writeLines(value, indent, { ...style, step })}`;
  const breaks = last !== undefined || (!isBare && text.slice(gap.end, close).includes("\n"));
  const tail = breaks ? "" : style.eol + outer;
  return [...comma, edit(...place, style.eol + indent + written + gap.trailing + tail)];
}

/** Gives a member another value. */
export function replaceMember(
  text: string,
  member: Node,
  value: EntryMap,
  style: JsonStyle,
): TextEdit {
  const old = member.children![1]!;
  const step = stepOf(text, member.parent!, member);
  const written = startsLine(text, member)
    ? writeLines(value, indentAt(text, member.offset), { ...style, step })
    : writeInline(value, style.space);
  return edit(old.offset, endOf(old), written);
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

function edit(start: number, end: number, text: string): TextEdit {
  return { offset: start, length: end - start, text };
}
