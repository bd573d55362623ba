import { nearNames } from "../catalog/near.ts";
import type { Tool } from "../catalog/tool.ts";
import type { ToolCatalog, ToolCatalogs } from "../catalog/tools.ts";
import type { ServerDefinition } from "../config/schema.ts";
import type { Client } from "../connection/client.ts";
import { AdapterError, type ErrorCode, quote } from "../errors.ts";
import { limits } from "../limits.ts";
import { exampleOf } from "../request/example.ts";
import type { ServerRequest } from "../request/request.ts";
import { checkArguments } from "./arguments.ts";
import type { Outcome } from "./outcome.ts";

/** A server within the reach of one operation. */
export interface Reached {
  readonly definition: ServerDefinition;
  readonly client: Client;
  readonly catalogs: ToolCatalogs;
  readonly signal: AbortSignal | undefined;
}

type ToolRequest = Extract<ServerRequest, { operation: `tools.${string}` }>;

/** Lists, searches, describes or calls. Rejects with {@link AdapterError}. */
export async function performOnTools(request: ToolRequest, reached: Reached): Promise<Outcome> {
  const { server } = request;
  const catalog = await catalogOf(reached);
  switch (request.operation) {
    case "tools.list":
      return { operation: "tools.list", server, tools: catalog.tools };
    case "tools.search": {
      const { query } = request;
      return { operation: "tools.search", server, query, matches: catalog.search().find(query) };
    }
    case "tools.describe":
      return { operation: "tools.describe", server, tool: findTool(request, catalog) };
    case "tools.call":
      return call(request, catalog, reached);
  }
}

/** The original name, once. A call that failed on its way is never repeated, and says that nobody knows its outcome. */
async function call(
  request: Extract<ToolRequest, { operation: "tools.call" }>,
  catalog: ToolCatalog,
  { client, signal }: Reached,
): Promise<Outcome> {
  const { server, arguments: args } = request;
  const tool = findTool(request, catalog);
  const isChecked = await checkArguments(server, tool, args);
  try {
    const params = { name: tool.name, arguments: args };
    const result = await client.request("tools/call", params, signal);
    return { operation: "tools.call", server, result, isChecked };
  } catch (error) {
    const isOpen = error instanceof AdapterError && OUTCOME_UNKNOWN.has(error.code);
    throw isOpen ? withUnknownOutcome(error) : error;
  }
}

const OUTCOME_UNKNOWN: ReadonlySet<ErrorCode> = new Set([
  "REQUEST_TIMEOUT",
  "CONNECTION_LOST",
  "CANCELLED",
  "CLOSED",
]);

function withUnknownOutcome({ code, message, serverSaid, cause }: AdapterError): AdapterError {
  return new AdapterError(
    code,
    `${message}. The outcome is unknown: the tool may have run. It was not called again; check before repeating the call`,
    { cause, ...(serverSaid === undefined ? {} : { serverSaid }) },
  );
}

function catalogOf({ definition, client, catalogs, signal }: Reached): Promise<ToolCatalog> {
  const isBounded = (definition.requestTimeoutMs ?? 0) > 0;
  // With a timeout of its own, each page is bounded and the pages are counted: 300 s in all may be too few.
  const deadlineMs = isBounded ? Number.POSITIVE_INFINITY : limits.defaultDiscoveryMs;
  return catalogs.of(client, { deadlineMs, signal });
}

function findTool(
  { server, name }: Extract<ToolRequest, { name: string }>,
  catalog: ToolCatalog,
): Tool {
  const tool = catalog.find(name);
  if (tool !== undefined) return tool;
  const near = nearNames(name, catalog).map(quote);
  const advice = near.length > 0 ? `near names are ${near.join(", ")}` : "none is near";
  throw new AdapterError(
    "TOOL_UNKNOWN",
    `There is no tool named ${quote(name)} among its ${catalog.tools.length}; ${advice}`,
    { example: exampleOf("tools.list", server) },
  );
}
