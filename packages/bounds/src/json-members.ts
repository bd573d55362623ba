import {
  byteAt,
  bytesOf,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  fail,
  failUnclosed,
  type JsonKind,
  kindAt,
  OPEN_ARRAY,
  OPEN_OBJECT,
  passingSourceOf,
  QUOTE,
  requireEnd,
  type Source,
  skipColon,
  skipKey,
  skipSpace,
  skipString,
  skipValue,
} from "./json-skip.ts";
import { decodeString, recallString, requireUtf8 } from "./json-string.ts";
import { LimitError, requireAmount } from "./limit.ts";

/** A value in its input: bytes `[valueStart, valueEnd)`, without the space around it. */
export interface JsonElement {
  readonly kind: JsonKind;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** A member of an object: its decoded key, the key's span with its quotes, and its value. */
export interface JsonMember extends JsonElement {
  readonly key: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  /** Whether an earlier member of the same object has the same decoded key. */
  readonly duplicate: boolean;
  /** The value's own members, where it is an object on the path that was asked for. */
  readonly members: readonly JsonMember[] | undefined;
}

/**
 * The members of an object as spans, in the order of the text. Values are walked and not decoded, but the walk checks
 * them in full: what is accepted here, `JSON.parse` accepts. Repeated keys are told of this object (and of those
 * on the path), not of the values inside; depth is not bounded, as a level costs one bit.
 *
 * Without `start` the object is the whole input, which must be UTF-8 throughout. With `start` (the `valueStart` of a
 * member or element) the object begins there, what follows it is not looked at, and UTF-8 is checked in its
 * keys only. `path` opens objects on the way down in the same pass: `["params", "_meta"]` gives the members of
 * `params`, and in them those of its `_meta`. Throws `JsonSyntaxError` with a byte offset, and `LimitError` "members"
 * where one of these objects has more than `maxMembers`: a member costs far more memory than the few bytes it may have.
 */
export function readMembers(
  input: Uint8Array,
  start?: number,
  path: readonly string[] = [],
  maxMembers = Infinity,
): JsonMember[] {
  const source = passingSourceOf(input);
  const members: JsonMember[] = [];
  requireAmount("maxMembers", maxMembers);
  const end = collectMembers(source, firstByte(source, start), members, path, 0, maxMembers);
  if (start === undefined) requireEnd(source.bytes, end);
  return members;
}

/**
 * The elements of an array as spans; what {@link readMembers} says of `start`, checks and errors holds here too, with
 * `LimitError` "elements".
 */
export function readElements(
  input: Uint8Array,
  start?: number,
  maxElements = Infinity,
): JsonElement[] {
  const source = passingSourceOf(input);
  const elements: JsonElement[] = [];
  requireAmount("maxElements", maxElements);
  const end = collectElements(source, firstByte(source, start), elements, maxElements);
  if (start === undefined) requireEnd(source.bytes, end);
  return elements;
}

/** The text of a string member, element or key, whose span with its quotes is `[start, end)`. Throws `JsonSyntaxError`. */
export function readString(input: Uint8Array, start: number, end: number): string {
  const bytes = bytesOf(input);
  const isQuoted =
    start + 2 <= end && byteAt(bytes, start) === QUOTE && byteAt(bytes, end - 1) === QUOTE;
  // What was decoded before is a string beyond doubt, with no quote in it.
  const known = isQuoted ? recallString(bytes, start, end) : undefined;
  if (known !== undefined) return known;
  if (!isQuoted || skipString(passingSourceOf(bytes), start) !== end)
    fail(bytes, start, "expected a string");
  return decodeString(bytes, start, end);
}

/** Where to read: at `start`, or else what is the whole input, which must be UTF-8 throughout. */
function firstByte({ bytes }: Source, start: number | undefined): number {
  if (start !== undefined) return start;
  requireUtf8(bytes);
  return skipSpace(bytes, 0);
}

/** Adds the members of the object at `start` and returns its end. Goes no deeper than the path is long. */
function collectMembers(
  source: Source,
  start: number,
  members: JsonMember[],
  path: readonly string[],
  level: number,
  maxMembers: number,
): number {
  const { bytes } = source;
  if (byteAt(bytes, start) !== OPEN_OBJECT) fail(bytes, start, "expected an object");
  let known: Set<string> | undefined;
  let traits = 0;
  let at = skipSpace(bytes, start + 1);
  if (byteAt(bytes, at) === CLOSE_OBJECT) return at + 1;
  for (;;) {
    if (members.length >= maxMembers)
      throw new LimitError("members", maxMembers, members.length + 1);
    const keyStart = at;
    const keyEnd = skipKey(source, keyStart);
    const key = decodeString(bytes, keyStart, keyEnd);
    if (members.length === FEW_MEMBERS) known = new Set(members.map((member) => member.key));
    // A key whose length and first character are new is no repetition: most are spared the look through the others.
    const trait = 1 << (key.length ^ key.charCodeAt(0));
    const duplicate =
      (traits & trait) !== 0 && (known === undefined ? hasKey(members, key) : known.has(key));
    traits |= trait;
    known?.add(key);
    const valueStart = skipColon(bytes, keyEnd);
    const kind = kindAt(bytes, valueStart);
    let inner: JsonMember[] | undefined;
    if (kind === "object" && key === path[level]) {
      inner = [];
      at = collectMembers(source, valueStart, inner, path, level + 1, maxMembers);
    } else {
      at = skipValue(source, valueStart);
    }
    members.push({
      key,
      keyStart,
      keyEnd,
      kind,
      valueStart,
      valueEnd: at,
      duplicate,
      members: inner,
    });
    at = skipSpace(bytes, at);
    const next = byteAt(bytes, at);
    if (next === CLOSE_OBJECT) return at + 1;
    if (next !== COMMA) failUnclosed(bytes, at, true);
    at = skipSpace(bytes, at + 1);
  }
}

/** Up to this many members a look through them is faster than a set. */
const FEW_MEMBERS = 16;

function hasKey(members: readonly JsonMember[], key: string): boolean {
  for (let index = 0; index < members.length; index++) if (members[index]!.key === key) return true;
  return false;
}

/** Adds the elements of the array at `start` and returns its end. */
function collectElements(
  source: Source,
  start: number,
  elements: JsonElement[],
  maxElements: number,
): number {
  const { bytes } = source;
  if (byteAt(bytes, start) !== OPEN_ARRAY) fail(bytes, start, "expected an array");
  let at = skipSpace(bytes, start + 1);
  if (byteAt(bytes, at) === CLOSE_ARRAY) return at + 1;
  for (;;) {
    if (elements.length >= maxElements)
      throw new LimitError("elements", maxElements, elements.length + 1);
    const kind = kindAt(bytes, at);
    const valueEnd = skipValue(source, at);
    elements.push({ kind, valueStart: at, valueEnd });
    at = skipSpace(bytes, valueEnd);
    const next = byteAt(bytes, at);
    if (next === CLOSE_ARRAY) return at + 1;
    if (next !== COMMA) failUnclosed(bytes, at, false);
    at = skipSpace(bytes, at + 1);
  }
}
