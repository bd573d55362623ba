import { collectPages, LimitError } from "@core/bounds";
import { type Attempt, createAttempt } from "../connection/attempt.ts";
import type { Client } from "../connection/client.ts";
import { AdapterError } from "../errors.ts";
import { limits } from "../limits.ts";
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

/** The catalogs of a session. Each is kept as long as its client lives and its server tells of no change (A20). */
export interface ToolCatalogs {
  /** Concurrent callers share one discovery, and a failed one is not kept. Rejects with {@link AdapterError}. */
  of(client: Client, options: DiscoveryOptions): Promise<ToolCatalog>;
}

interface DiscoveryOptions {
  /** Milliseconds for all pages together. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}

export function createToolCatalogs(): ToolCatalogs {
  const kept = new WeakMap<Client, { revision: number; discovery: Attempt<ToolCatalog> }>();
  return {
    of(client, { deadlineMs, signal }) {
      const { toolRevision: revision } = client;
      const known = kept.get(client);
      if (known?.revision === revision) return known.discovery.join(signal);
      const discovery = createAttempt({
        run: async (stop) => createCatalog(await listTools(client, deadlineMs, stop)),
        onAbandon: () => kept.delete(client),
      });
      kept.set(client, { revision, discovery });
      discovery.outcome.catch(() => kept.delete(client));
      return discovery.join(signal);
    },
  };
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
  const { maxCatalogPages: maxPages, maxTools: maxEntries } = limits;
  const page = async (cursor: string | undefined, stop: AbortSignal) => {
    const params = cursor === undefined ? {} : { cursor };
    const { tools, nextCursor } = await client.request("tools/list", params, stop);
    if (!Array.isArray(tools))
      throw new AdapterError("PROTOCOL_ERROR", "The server's answer to tools/list holds no tools");
    const hasMore = typeof nextCursor === "string";
    return { entries: tools, nextCursor: hasMore ? nextCursor : undefined };
  };
  try {
    const entries = await collectPages<unknown>(page, { maxPages, maxEntries, deadlineMs, signal });
    return entries.flatMap((entry) => readTool(entry) ?? []);
  } catch (error) {
    throw error instanceof LimitError ? overLimit(error) : error;
  }
}

const OVER_LIMIT: Readonly<Record<string, (maximum: number) => string>> = {
  pages: (maximum) => `has more than ${maximum} pages`,
  entries: (maximum) => `has more than ${maximum} entries`,
  repeatedCursor: () => "repeats a page's cursor and would never end",
  deadline: (maximum) => `was not complete after ${maximum} ms`,
};

function overLimit({ limit, maximum }: LimitError): AdapterError {
  const fault = OVER_LIMIT[limit]?.(maximum) ?? `crosses the limit ${limit}`;
  return new AdapterError("LIMIT_EXCEEDED", `The server's list of tools ${fault}`);
}
