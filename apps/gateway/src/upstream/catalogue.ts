import { collectPages, type JsonElement, readElements, readMembers } from "@core/bounds";
import { METHOD_NOT_FOUND, membersOf, stringAt } from "@core/wire";
import { UpstreamError } from "../errors.ts";
import { MAX_LIST_PAGES, MAX_LISTED_ENTRIES } from "../limits.ts";
import type { Answer } from "./answer.ts";
import type { Connection } from "./connection.ts";
import { errorCodeOf, errorText } from "./error-answer.ts";
import { LISTS, type ListKind } from "./list-kind.ts";

/** A tool, resource, template or prompt as its server lists it. */
export interface ListedEntry {
  /** What names it: its name, URI or URI template. */
  readonly name: string;
  /** The whole definition, and in it the span of the name with its quotes. */
  readonly bytes: Buffer;
  readonly nameStart: number;
  readonly nameEnd: number;
}

/**
 * Reads all pages of one of a server's lists. A definition that is odd is kept as it came, and one without a single clear
 * name is left out alone; of several with one name the first counts. A server that does not have such a list has an
 * empty one.
 */
export async function readCatalogue(
  connection: Connection,
  kind: ListKind,
  timeoutMs: number,
): Promise<readonly ListedEntry[]> {
  const { method } = LISTS[kind];
  const entries = await collectPages(
    async (cursor) => {
      const params = cursor === undefined ? {} : { cursor };
      const { answer } = connection.request({
        build: (id) => Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, method, params })),
        timeoutMs,
      });
      return readPage(await answer, kind);
    },
    { maxPages: MAX_LIST_PAGES, maxEntries: MAX_LISTED_ENTRIES, deadlineMs: timeoutMs },
  );
  return [...new Map(entries.toReversed().map((entry) => [entry.name, entry])).values()].reverse();
}

function readPage({ bytes, message }: Answer, kind: ListKind) {
  const { method, member } = LISTS[kind];
  if (message.kind === "error") {
    if (kind !== "tools" && errorCodeOf(bytes, message) === METHOD_NOT_FOUND)
      return { entries: [], nextCursor: undefined };
    throw new UpstreamError("BAD_ANSWER", `${method} failed: ${errorText(bytes, message)}`);
  }
  const members = membersOf(bytes, message.envelope.result);
  const list = members.find(({ key }) => key === member);
  const elements = list?.kind === "array" ? readElements(bytes, list.valueStart) : [];
  return {
    entries: elements.flatMap((element) => readEntry(bytes, element, kind) ?? []),
    nextCursor: stringAt(
      bytes,
      members.find(({ key }) => key === "nextCursor"),
    ),
  };
}

function readEntry(
  bytes: Buffer,
  { kind, valueStart, valueEnd }: JsonElement,
  list: ListKind,
): ListedEntry | undefined {
  if (kind !== "object") return undefined;
  const naming = LISTS[list].name;
  const names = readMembers(bytes, valueStart).filter(({ key }) => key === naming);
  const name = stringAt(bytes, names[0]);
  // A reader that takes the first of two names and one that takes the second would see two tools.
  if (name === undefined || names.length !== 1) return undefined;
  const [{ valueStart: start, valueEnd: end }] = names as [(typeof names)[number]];
  return {
    name,
    // A copy: a view would keep the whole message, other definitions included.
    bytes: Buffer.from(bytes.subarray(valueStart, valueEnd)),
    nameStart: start - valueStart,
    nameEnd: end - valueStart,
  };
}
