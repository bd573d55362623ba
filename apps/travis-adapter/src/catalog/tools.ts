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
  /** Made when it is first asked for. */
  search(): ToolSearch;
}

export type ToolCatalogs = Catalogs<ToolCatalog>;

export function createToolCatalogs(): ToolCatalogs {
  return createCatalogs("tools", async (client, deadlineMs, signal) =>
    createCatalog(await listTools(client, deadlineMs, signal)),
  );
}

function createCatalog(tools: readonly Tool[]): ToolCatalog {
  let search: ToolSearch | undefined;
  return {
    tools,
    find: (name) => tools.find((tool) => tool.name === name),
    search() {
      search ??= createToolSearch(tools);
      return search;
    },
  };
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
