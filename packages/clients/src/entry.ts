import { isDeepStrictEqual } from "node:util";
import { isMap } from "./dialect.ts";
import type { ClientRow, EntryMap, EntryShape, EntryValue } from "./row.ts";

/** A token as an entry gives it to the client: the secret itself, or the variable that holds it. */
export type EntryToken = { readonly literal: string } | { readonly variable: string };

/** What an entry says, whatever the client's way of writing it. */
export type ClientEntry =
  | { readonly kind: "http" | "sse"; readonly url: string; readonly token?: EntryToken }
  | { readonly kind: "stdio"; readonly command: string; readonly args: readonly string[] };

/**
 * Writes the entry of a name as the client expects it. Throws `RangeError` where the client has no such form: HTTP
 * without `row.http`, SSE without `row.sse`, or a variable without `row.reference`; ask the row first.
 */
export function buildEntry(row: ClientRow, name: string, entry: ClientEntry): EntryMap {
  if (entry.kind === "stdio") {
    const { command, args } = entry;
    return fillShape(row.stdio, {
      "<name>": name,
      "<command>": command,
      "<args>": args,
      "<argv>": [command, ...args],
      "<variables>": [],
    });
  }
  const shape = row[entry.kind];
  if (shape === undefined) throw new RangeError(`${row.title} does not speak ${entry.kind}.`);
  const { headers, variable, members } = writeToken(row, entry.token);
  return fillShape(members === undefined ? shape : replaceHeaders(shape, members), {
    "<name>": name,
    "<url>": entry.url,
    "<headers>": headers,
    "<variable>": variable,
    "<variables>": variable === undefined ? [] : [variable],
  });
}

/**
 * What the entry of a name in a client's file says, or `undefined` if it is anything but what {@link buildEntry} writes:
 * one more member, another type or another value makes it foreign. Where a client writes HTTP and SSE alike, it is
 * "http".
 */
export function readEntry(row: ClientRow, name: string, value: unknown): ClientEntry | undefined {
  for (const entry of guesses(row, value))
    if (isDeepStrictEqual(buildEntry(row, name, entry), value)) return entry;
  return undefined;
}

/** What a token puts into the slots of an entry, and the members that stand for its headers if it does so by members. */
function writeToken(
  row: ClientRow,
  token: EntryToken | undefined,
): { headers?: EntryMap; variable?: string; members?: EntryShape } {
  if (token === undefined) return {};
  if ("literal" in token) return { headers: bearer(token.literal) };
  const { variable } = token;
  const { reference } = row;
  if (reference === undefined)
    throw new RangeError(`${row.title} cannot take a token from its environment.`);
  if (reference.kind === "members") return { variable, members: reference.members };
  return { variable, headers: bearer(reference.before + variable + reference.after) };
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

function replaceHeaders(shape: EntryShape, members: EntryShape): EntryShape {
  const replaced = Object.entries(shape).flatMap(([key, value]) =>
    value === "<headers>" ? Object.entries(members) : [[key, value]],
  );
  return Object.fromEntries(replaced);
}

type Slots = Readonly<Record<string, EntryValue | undefined>>;

/** A slot without a value is left out, and so is a map that holds nothing else; a member that is no slot stays. */
function fillShape(shape: EntryMap, slots: Slots): EntryMap {
  const members = Object.entries(shape).flatMap(([key, part]): [string, EntryValue][] => {
    const value = fillPart(part, slots);
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(members);
}

function fillPart(part: EntryValue, slots: Slots): EntryValue | undefined {
  if (typeof part === "string" && /^<[a-z]+>$/.test(part)) return slots[part];
  if (!isMap(part) || Object.keys(part).length === 0) return part;
  const filled = fillShape(part, slots);
  return Object.keys(filled).length === 0 ? undefined : filled;
}

/** The entries that the value could have been written from, were it ours. */
function* guesses(row: ClientRow, value: unknown): Generator<ClientEntry> {
  if (typeof value !== "object" || value === null) return;
  const [command, ...args] = words(row, value);
  if (command !== undefined) yield { kind: "stdio", command, args };
  for (const kind of ["http", "sse"] as const) {
    const shape = row[kind];
    const url = shape && findSlot(shape, "<url>", value);
    if (shape === undefined || typeof url !== "string") continue;
    yield { kind, url };
    for (const token of tokens(row, shape, value)) yield { kind, url, token };
  }
}

function words(row: ClientRow, value: object): string[] {
  const at = (slot: string) => findSlot(row.stdio, slot, value);
  const list = [at("<argv>") ?? [at("<command>"), at("<args>")]].flat(2);
  return list.every((word) => typeof word === "string") ? list : [];
}

function* tokens(row: ClientRow, shape: EntryShape, value: object): Generator<EntryToken> {
  const { reference } = row;
  if (reference?.kind === "members") {
    const variable = findSlot(reference.members, "<variable>", value);
    if (typeof variable === "string") yield { variable };
  }
  const token = bearerToken(findSlot(shape, "<headers>", value));
  if (token === undefined) return;
  if (reference?.kind === "text") {
    const { before, after } = reference;
    if (token.startsWith(before) && token.endsWith(after))
      yield { variable: token.slice(before.length, token.length - after.length) };
  }
  yield { literal: token };
}

function bearerToken(headers: unknown): string | undefined {
  if (typeof headers !== "object" || headers === null) return undefined;
  const value = (headers as Record<string, unknown>).Authorization;
  return typeof value === "string" && value.startsWith("Bearer ") ? value.slice(7) : undefined;
}

/** What stands in an entry where its shape has the slot. */
function findSlot(shape: EntryShape, slot: string, value: unknown): unknown {
  const members: Readonly<Record<string, unknown>> = typeof value === "object" ? { ...value } : {};
  for (const [key, part] of Object.entries(shape)) {
    if (part === slot) return members[key];
    const found = isMap(part) ? findSlot(part, slot, members[key]) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
