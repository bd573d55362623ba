import { decodeString, requireUtf8 } from "./json-string.ts";
import {
  byteAt,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  fail,
  failUnclosed,
  type JsonKind,
  kindAt,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  requireEnd,
  type Source,
  skipColon,
  skipKey,
  skipSpace,
  skipString,
  sourceOf,
  walkValue,
} from "./json-walk.ts";
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
  const source = sourceOf(input);
  const members: JsonMember[] = [];
  const search = { path, maxMembers: requireAmount("maxMembers", maxMembers) };
  readWhole(source, start, (at) => collectMembers(source, at, members, search, 0));
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
  const source = sourceOf(input);
  const elements: JsonElement[] = [];
  requireAmount("maxElements", maxElements);
  readWhole(source, start, (at) => collectElements(source, at, elements, maxElements));
  return elements;
}

/** The text of a string member, element or key, whose span with its quotes is `[start, end)`. Throws `JsonSyntaxError`. */
export function readString(input: Uint8Array, start: number, end: number): string {
  const source = sourceOf(input);
  const { bytes } = source;
  if (byteAt(bytes, start) !== QUOTE || skipString(source, start) !== end)
    fail(bytes, start, "expected a string");
  return decodeString(bytes, start, end);
}

/** Reads at `start`, or else the whole input: then all of it must be UTF-8 and nothing may follow. */
function readWhole(
  { bytes }: Source,
  start: number | undefined,
  read: (start: number) => number,
): void {
  if (start !== undefined) {
    read(start);
    return;
  }
  requireUtf8(bytes);
  requireEnd(bytes, read(skipSpace(bytes, 0)));
}

interface MemberSearch {
  readonly path: readonly string[];
  readonly maxMembers: number;
}

/** Adds the members of the object at `start` and returns its end. Goes no deeper than the path is long. */
function collectMembers(
  source: Source,
  start: number,
  members: JsonMember[],
  search: MemberSearch,
  level: number,
): number {
  const { bytes } = source;
  const { path, maxMembers } = search;
  if (byteAt(bytes, start) !== OPEN_OBJECT) fail(bytes, start, "expected an object");
  const isRepeated = createRepeatTest(members);
  let at = skipSpace(bytes, start + 1);
  if (byteAt(bytes, at) === CLOSE_OBJECT) return at + 1;
  for (;;) {
    if (members.length >= maxMembers)
      throw new LimitError("members", maxMembers, members.length + 1);
    const keyStart = at;
    const keyEnd = skipKey(source, keyStart);
    const key = decodeString(bytes, keyStart, keyEnd);
    const duplicate = isRepeated(key);
    const valueStart = skipColon(bytes, keyEnd);
    const kind = kindAt(bytes, valueStart);
    const inner: JsonMember[] | undefined =
      kind === "object" && key === path[level] ? [] : undefined;
    const valueEnd =
      inner === undefined
        ? walkValue(source, valueStart)
        : collectMembers(source, valueStart, inner, search, level + 1);
    members.push({
      key,
      keyStart,
      keyEnd,
      kind,
      valueStart,
      valueEnd,
      duplicate,
      members: inner,
    });
    at = skipSpace(bytes, valueEnd);
    const next = byteAt(bytes, at);
    if (next === CLOSE_OBJECT) return at + 1;
    if (next !== COMMA) failUnclosed(bytes, at, true);
    at = skipSpace(bytes, at + 1);
  }
}

/** Up to this many members a look through them is faster than a set. */
const FEW_MEMBERS = 16;

/** Makes the test whether a key is among the members so far, for members that only grow by the tested keys. */
function createRepeatTest(members: readonly JsonMember[]): (key: string) => boolean {
  let known: Set<string> | undefined;
  return (key) => {
    if (members.length < FEW_MEMBERS) return hasKey(members, key);
    known ??= new Set(members.map((member) => member.key));
    const isRepeated = known.has(key);
    known.add(key);
    return isRepeated;
  };
}

function hasKey(members: readonly JsonMember[], key: string): boolean {
  for (const member of members) if (member.key === key) return true;
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
    const valueEnd = walkValue(source, at);
    elements.push({ kind, valueStart: at, valueEnd });
    at = skipSpace(bytes, valueEnd);
    const next = byteAt(bytes, at);
    if (next === CLOSE_ARRAY) return at + 1;
    if (next !== COMMA) failUnclosed(bytes, at, false);
    at = skipSpace(bytes, at + 1);
  }
}
