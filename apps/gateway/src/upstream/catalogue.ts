import { collectPages, type JsonElement, readElements, readMembers } from "@core/bounds";
import { membersOf, splice, stringAt } from "@core/wire";
import { UpstreamError } from "../errors.ts";
import { MAX_LIST_PAGES, MAX_LISTED_TOOLS } from "../limits.ts";
import type { PermittedCall } from "../policy/policy.ts";
import { type Answer, type Connection, errorText } from "./connection.ts";

/** A tool as its server lists it. */
interface ListedTool {
  readonly name: string;
  /** The whole definition, and in it the span of the name with its quotes. */
  readonly bytes: Buffer;
  readonly nameStart: number;
  readonly nameEnd: number;
}

/** What a server's list came to for clients. */
export interface Catalogue {
  /** The definitions of the exposed tools, under their exposed names, in the server's order. */
  readonly entries: readonly Buffer[];
  /** Names that the policy allows and the server does not have. */
  readonly missing: readonly string[];
}

/**
 * Reads all pages of a server's `tools/list` and keeps what the policy exposes; all but the name stays as it came. A
 * definition that is odd is passed on, and one without a single clear name is left out alone.
 */
export async function readCatalogue(
  connection: Connection,
  exposed: ReadonlyMap<string, PermittedCall>,
  timeoutMs: number,
): Promise<Catalogue> {
  const tools = await collectPages(
    async (cursor) => {
      const params = cursor === undefined ? {} : { cursor };
      const { answer } = connection.request({
        build: (id) =>
          Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list", params })),
        timeoutMs,
      });
      return readPage(await answer);
    },
    { maxPages: MAX_LIST_PAGES, maxEntries: MAX_LISTED_TOOLS, deadlineMs: timeoutMs },
  );
  return expose(tools, exposed);
}

function readPage({ bytes, message }: Answer) {
  if (message.kind === "error")
    throw new UpstreamError("BAD_ANSWER", `tools/list failed: ${errorText(bytes, message)}`);
  const members = membersOf(bytes, message.envelope.result);
  const tools = members.find(({ key }) => key === "tools");
  const elements = tools?.kind === "array" ? readElements(bytes, tools.valueStart) : [];
  return {
    entries: elements.flatMap((element) => readTool(bytes, element) ?? []),
    nextCursor: stringAt(
      bytes,
      members.find(({ key }) => key === "nextCursor"),
    ),
  };
}

function readTool(
  bytes: Buffer,
  { kind, valueStart, valueEnd }: JsonElement,
): ListedTool | undefined {
  if (kind !== "object") return undefined;
  const names = readMembers(bytes, valueStart).filter(({ key }) => key === "name");
  const name = stringAt(bytes, names[0]);
  // A reader that takes the first of two names and one that takes the second would see two tools.
  if (name === undefined || names.length !== 1) return undefined;
  const [{ valueStart: start, valueEnd: end }] = names as [(typeof names)[number]];
  return {
    name,
    bytes: bytes.subarray(valueStart, valueEnd),
    nameStart: start - valueStart,
    nameEnd: end - valueStart,
  };
}

function expose(
  tools: readonly ListedTool[],
  exposed: ReadonlyMap<string, PermittedCall>,
): Catalogue {
  const entries = new Map<string, Buffer>();
  for (const { name, bytes, nameStart, nameEnd } of tools) {
    const call = exposed.get(name);
    if (call === undefined || entries.has(name)) continue;
    entries.set(name, splice(bytes, [{ start: nameStart, end: nameEnd, text: call.exposedJson }]));
  }
  return {
    entries: [...entries.values()],
    missing: [...exposed.keys()].filter((name) => !entries.has(name)),
  };
}
