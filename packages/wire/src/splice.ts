import type { JsonMember } from "@core/bounds";

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

/** Bytes `[start, end)` of a message become `text`; where both are equal, `text` is put in. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string | Uint8Array;
}

/** What is to stand in an object afterwards. */
export interface MemberChanges {
  /** Members to take out, by decoded key. One that `set` names stays. */
  readonly remove?: (key: string) => boolean;
  /** Members by key, as JSON text: replaced where they stand, else put in front of the others. */
  readonly set?: Readonly<Record<string, string>>;
}

/**
 * Applies edits that do not overlap; those at one offset apply in the order given. Every byte outside of them is
 * copied as it is. Without edits it returns `bytes` itself. Throws RangeError for edits that overlap.
 */
export function splice(bytes: Buffer, edits: readonly Edit[]): Buffer {
  if (edits.length === 0) return bytes;
  const ordered = inOrder(bytes, edits);
  let length = bytes.length;
  for (const { start, end, text } of ordered) length += sizeOf(text) - (end - start);
  const spliced = makeRoom(length);
  let to = 0;
  let from = 0;
  for (const { start, end, text } of ordered) {
    to = copy(spliced, to, bytes, from, start);
    to = write(spliced, to, text);
    from = end;
  }
  copy(spliced, to, bytes, from, bytes.length);
  return spliced;
}

/**
 * Applies edits to `bytes` themselves if every text fits into the place of what it replaces, filled up with spaces;
 * else changes nothing and returns false. For edits of whole JSON values and members, between which space is free.
 * Throws RangeError for edits that overlap.
 */
export function spliceInPlace(bytes: Buffer, edits: readonly Edit[]): boolean {
  const ordered = inOrder(bytes, edits);
  for (const { start, end, text } of ordered) {
    if (sizeOf(text) > end - start) return false;
  }
  for (const { start, end, text } of ordered) {
    const filled = write(bytes, start, text);
    if (filled < end) bytes.fill(SPACE, filled, end);
  }
  return true;
}

/** Small results lie together in slabs: Node's own of 8 KiB are used up, and made anew, by every few messages. */
const SLAB_BYTES = 64 * 1024;
const LARGEST_IN_SLAB = 4 * 1024;
let slab = Buffer.alloc(0);
let used = 0;

function makeRoom(length: number): Buffer {
  if (length > LARGEST_IN_SLAB) return Buffer.allocUnsafe(length);
  if (length > slab.length - used) {
    slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
    used = 0;
  }
  used += length;
  return slab.subarray(used - length, used);
}

function inOrder(bytes: Buffer, edits: readonly Edit[]): readonly Edit[] {
  const ordered = areInOrder(edits) ? edits : sorted(edits);
  let from = 0;
  for (const { start, end } of ordered) {
    if (start < from || end < start || end > bytes.length) {
      throw new RangeError("cannot splice: the edits overlap or leave the message");
    }
    from = end;
  }
  return ordered;
}

function areInOrder(edits: readonly Edit[]): boolean {
  for (let index = 1; index < edits.length; index++) {
    if (edits[index]!.start < edits[index - 1]!.start) return false;
  }
  return true;
}

/** Up to these amounts a loop is faster than what Node has for it: its calls cost more than so little work. */
const FEW_EDITS = 8;
const FEW_UNITS = 32;
const FEW_BYTES = 32;

/** Stable, so that edits at one offset keep their order. */
function sorted(edits: readonly Edit[]): readonly Edit[] {
  const ordered = edits.slice();
  if (edits.length > FEW_EDITS) return ordered.sort((a, b) => a.start - b.start);
  for (let index = 1; index < ordered.length; index++) {
    const edit = ordered[index]!;
    let at = index;
    for (; at > 0 && ordered[at - 1]!.start > edit.start; at--) ordered[at] = ordered[at - 1]!;
    ordered[at] = edit;
  }
  return ordered;
}

function sizeOf(text: string | Uint8Array): number {
  return typeof text !== "string" || isShortAscii(text) ? text.length : Buffer.byteLength(text);
}

/** Writes a text and returns where it ends. */
function write(target: Buffer, at: number, text: string | Uint8Array): number {
  if (typeof text === "string") {
    if (text.length > FEW_UNITS) return at + target.write(text, at);
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      if (unit > 0x7f) return at + target.write(text, at);
      target[at + index] = unit;
    }
  } else {
    target.set(text, at);
  }
  return at + text.length;
}

function isShortAscii(text: string): boolean {
  if (text.length > FEW_UNITS) return false;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}

/** Copies bytes `[start, end)` of a message and returns where they end in the target. */
function copy(target: Buffer, to: number, bytes: Buffer, start: number, end: number): number {
  if (end - start > FEW_BYTES) return to + bytes.copy(target, to, start, end);
  for (let at = start; at < end; at++) target[to + at - start] = bytes[at]!;
  return to + end - start;
}

/**
 * The edits that make an object hold what `changes` says, added to `edits`. `start` is the offset of its brace, `members`
 * are all its members in order.
 */
export function editMembers(
  start: number,
  members: readonly JsonMember[],
  { remove, set = {} }: MemberChanges,
  edits: Edit[] = [],
): Edit[] {
  const wanted = Object.keys(set);
  const first = edits.length;
  let found = 0;
  let anyKept = false;
  for (let index = 0; index < members.length; index++) {
    const { key, valueStart, valueEnd, duplicate } = members[index]!;
    const isWanted = Object.hasOwn(set, key);
    if (!isWanted && remove?.(key)) {
      edits.push(removal(members, index, anyKept));
      continue;
    }
    anyKept = true;
    if (!isWanted) continue;
    edits.push({ start: valueStart, end: valueEnd, text: set[key]! });
    if (!duplicate) found++;
  }
  if (found === wanted.length) return edits;
  const added = wanted
    .filter((key) => !members.some((member) => member.key === key))
    .map((key) => `${JSON.stringify(key)}:${set[key]}`)
    .join(",");
  // In front of a removal at the same offset.
  edits.splice(first, 0, { start: start + 1, end: start + 1, text: anyKept ? `${added},` : added });
  return edits;
}

/** A member goes with the comma before it or, as long as none is kept before it, with the comma behind it. */
function removal(members: readonly JsonMember[], index: number, anyKept: boolean): Edit {
  const member = members[index]!;
  if (anyKept) return { start: members[index - 1]!.valueEnd, end: member.valueEnd, text: "" };
  return { start: member.keyStart, end: members[index + 1]?.keyStart ?? member.valueEnd, text: "" };
}

/**
 * A valid JSON text on one line, for a transport that ends messages with LF: CR and LF become spaces. In valid JSON
 * they stand only between tokens. On a text that was not read as JSON before, this would not be safe.
 */
export function onOneLine(json: Buffer): Buffer {
  if (!json.includes(LF) && !json.includes(CR)) return json;
  const line = Buffer.from(json);
  for (let at = 0; at < line.length; at++) {
    if (line[at] === LF || line[at] === CR) line[at] = SPACE;
  }
  return line;
}
