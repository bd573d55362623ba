import { readParamHeaders } from "@core/wire";
import type { Client } from "../connection/client.ts";
import { limits } from "../limits.ts";
import { listEntries } from "./entries.ts";
import { type Catalogs, createCatalogs } from "./kept.ts";
import { createToolSearch, type ToolSearch } from "./search.ts";
import { readTool, type Tool } from "./tool.ts";

/** All tools of a server as it described them, in its order. */
export interface ToolCatalog {
  readonly tools: readonly Tool[];
  /** The tool of exactly that name; the first where a server has two. */
  find(name: string): Tool | undefined;
  /** Why tools are left out, by their names: what they ask to be repeated as headers is not valid. */
  readonly rejected: ReadonlyMap<string, string>;
  /** Made when it is first asked for. */
  search(): ToolSearch;
}

export type ToolCatalogs = Catalogs<ToolCatalog>;

export function createToolCatalogs(): ToolCatalogs {
  return createCatalogs("tools", async (client, deadlineMs, signal) =>
    createCatalog(await listTools(client, deadlineMs, signal), client.mirrors),
  );
}

function createCatalog(listed: readonly Tool[], mirrors: boolean): ToolCatalog {
  const { tools, rejected } = mirrors ? withoutRejected(listed) : { tools: listed, rejected: NONE };
  let search: ToolSearch | undefined;
  return {
    tools,
    rejected,
    find: (name) => tools.find((tool) => tool.name === name),
    search() {
      search ??= createToolSearch(tools);
      return search;
    },
  };
}

const NONE: ReadonlyMap<string, string> = new Map();

/** A client over HTTP must leave such definitions out (MCP 2026-07-28, tools, x-mcp-header). */
function withoutRejected(listed: readonly Tool[]): Pick<ToolCatalog, "tools" | "rejected"> {
  const rejected = new Map<string, string>();
  const tools = listed.filter(({ name, inputSchema }) => {
    const read = readParamHeaders(inputSchema);
    if (!read.ok) rejected.set(name, read.reason);
    return read.ok;
  });
  return { tools, rejected };
}

async function listTools(
  client: Client,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<readonly Tool[]> {
  const entries = await listEntries(client, {
    method: "tools/list",
    member: "tools",
    called: "tools",
    maxEntries: limits.maxTools,
    deadlineMs,
    signal,
  });
  return entries.flatMap((entry) => readTool(entry) ?? []);
}
