import { isDeepStrictEqual } from "node:util";
import type { ClientRow, EntryMap, EntryShape, EntryValue } from "./table.ts";

/** A token as an entry gives it to the client: the secret itself, or the variable that holds it. */
export type EntryToken = { readonly literal: string } | { readonly variable: string };

/** What an entry says, whatever the client's way of writing it. */
export type ClientEntry =
  | { readonly kind: "http" | "sse"; readonly url: string; readonly token?: EntryToken }
  | { readonly kind: "stdio"; readonly command: string; readonly args: readonly string[] };

/**
 * Writes the entry of a name as the client expects it. Throws `RangeError` where the client has no such form: SSE without
 * `row.sse`, or a variable without `row.reference`; ask the row first.
 */
export function buildEntry(row: ClientRow, name: string, entry: ClientEntry): EntryMap {
  if (entry.kind === "stdio") {
    const { command, args } = entry;
    return fillShape(row.stdio, {
      "<name>": name,
      "<command>": command,
      "<args>": args,
      "<argv>": [command, ...args],
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
  const { reference } = row;
  if (reference === undefined)
    throw new RangeError(`${row.title} cannot take a token from its environment.`);
  if (reference.kind === "members") return { ...token, members: reference.members };
  return { headers: bearer(reference.before + token.variable + reference.after) };
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

function replaceHeaders(shape: EntryShape, members: EntryShape): EntryShape {
  const replaced = Object.entries(shape).flatMap(([key, value]) =>
    value === "<headers>" ? Object.entries(members) : [[key, value]],
  );
  return Object.fromEntries(replaced);
}

/** A slot without a value is left out, a member that is no slot stays. */
function fillShape(
  shape: EntryMap,
  slots: Readonly<Record<string, EntryValue | undefined>>,
): EntryMap {
  const members: [string, EntryValue][] = [];
  for (const [key, value] of Object.entries(shape)) {
    const isSlot = typeof value === "string" && /^<[a-z]+>$/.test(value);
    if (!isSlot) members.push([key, value]);
    else if (slots[value] !== undefined) members.push([key, slots[value]]);
  }
  return Object.fromEntries(members);
}

/** The entries that the value could have been written from, were it ours. */
function* guesses(row: ClientRow, value: unknown): Generator<ClientEntry> {
  if (typeof value !== "object" || value === null) return;
  const members: Readonly<Record<string, unknown>> = { ...value };
  const [command, ...args] = words(row, members);
  if (command !== undefined) yield { kind: "stdio", command, args };
  for (const kind of ["http", "sse"] as const) {
    const shape = row[kind];
    const url = shape && members[slotKey(shape, "<url>") ?? ""];
    if (shape === undefined || typeof url !== "string") continue;
    yield { kind, url };
    for (const token of tokens(row, shape, members)) yield { kind, url, token };
  }
}

function words(row: ClientRow, members: Readonly<Record<string, unknown>>): string[] {
  const at = (slot: string) => members[slotKey(row.stdio, slot) ?? ""];
  const list = [at("<argv>") ?? [at("<command>"), at("<args>")]].flat(2);
  return list.every((word) => typeof word === "string") ? list : [];
}

function* tokens(
  row: ClientRow,
  shape: EntryShape,
  members: Readonly<Record<string, unknown>>,
): Generator<EntryToken> {
  const { reference } = row;
  if (reference?.kind === "members") {
    const variable = members[slotKey(reference.members, "<variable>") ?? ""];
    if (typeof variable === "string") yield { variable };
  }
  const headers = members[slotKey(shape, "<headers>") ?? ""];
  const token = bearerToken(headers);
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

function slotKey(shape: EntryShape, slot: string): string | undefined {
  return Object.keys(shape).find((key) => shape[key] === slot);
}
