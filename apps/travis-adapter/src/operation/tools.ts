import { type ParamHeader, readParamHeaders } from "@core/wire";
import { nearNames } from "../catalog/near.ts";
import type { References } from "../catalog/references.ts";
import type { Tool } from "../catalog/tool.ts";
import type { ToolCatalog, ToolCatalogs } from "../catalog/tools.ts";
import { AdapterError, type ErrorCode, quote } from "../errors.ts";
import { exampleOf } from "../request/example.ts";
import type { ServerRequest } from "../request/request.ts";
import { checkArguments } from "./arguments.ts";
import { ask } from "./ask.ts";
import { referencesIn } from "./links.ts";
import type { Outcome } from "./outcome.ts";
import { catalogOf, type Reached } from "./reached.ts";

type ToolRequest = Extract<ServerRequest, { operation: `tools.${string}` }>;

/** Lists, searches, describes or calls. Rejects with {@link AdapterError}. */
export async function performOnTools(
  request: ToolRequest,
  reached: Reached,
  rooms: { readonly tools: ToolCatalogs; readonly references: References },
): Promise<Outcome> {
  const { server } = request;
  const catalog = await catalogOf(rooms.tools, reached);
  switch (request.operation) {
    case "tools.list":
      return { operation: "tools.list", server, tools: catalog.tools, rejected: catalog.rejected };
    case "tools.search": {
      const { query } = request;
      return { operation: "tools.search", server, query, matches: catalog.search().find(query) };
    }
    case "tools.describe":
      return { operation: "tools.describe", server, tool: findTool(request, catalog) };
    case "tools.call":
      return call(request, catalog, reached, rooms.references);
  }
}

/** The original name, once. A call that failed on its way is never repeated, and says that nobody knows its outcome. */
async function call(
  request: Extract<ToolRequest, { operation: "tools.call" }>,
  catalog: ToolCatalog,
  { client, signal }: Reached,
  references: References,
): Promise<Outcome> {
  const { server, arguments: args } = request;
  const tool = findTool(request, catalog);
  const isChecked = await checkArguments(server, tool, args);
  const params = { name: tool.name, arguments: args };
  const options = { signal, mirrored: mirroredOf(tool) };
  try {
    const { result, declined } = await ask(client, "tools/call", params, options);
    const content = Array.isArray(result.content) ? result.content : [];
    const links = referencesIn(content, (uri) => references.to(client, uri));
    return { operation: "tools.call", server, result, isChecked, links, declined };
  } catch (error) {
    const known = error instanceof AdapterError ? WHAT_IS_KNOWN[error.code] : undefined;
    throw known === undefined ? error : withKnown(error as AdapterError, known);
  }
}

const mirrors = new WeakMap<Tool, readonly ParamHeader[]>();

/** The arguments of a tool that modern HTTP repeats in headers, read from its schema once. */
function mirroredOf(tool: Tool): readonly ParamHeader[] {
  const known = mirrors.get(tool);
  if (known !== undefined) return known;
  const read = readParamHeaders(tool.inputSchema);
  const mirrored = read.ok ? read.headers : [];
  mirrors.set(tool, mirrored);
  return mirrored;
}

const UNKNOWN_OUTCOME =
  "The outcome is unknown: the tool may have run. It was not called again; check before repeating the call";

/** What is known of a tool whose call failed in that way. */
const WHAT_IS_KNOWN: { readonly [code in ErrorCode]?: string } = {
  REQUEST_TIMEOUT: UNKNOWN_OUTCOME,
  CONNECTION_LOST: UNKNOWN_OUTCOME,
  CANCELLED: UNKNOWN_OUTCOME,
  CLOSED: UNKNOWN_OUTCOME,
  LIMIT_EXCEEDED:
    "The tool did run, and only its answer was refused; call it with arguments that ask for less",
};

function withKnown({ code, message, serverSaid, cause }: AdapterError, known: string) {
  const said = serverSaid === undefined ? {} : { serverSaid };
  return new AdapterError(code, `${message}. ${known}`, { cause, ...said });
}

function findTool(
  { server, name }: Extract<ToolRequest, { name: string }>,
  catalog: ToolCatalog,
): Tool {
  const tool = catalog.find(name);
  if (tool !== undefined) return tool;
  const reason = catalog.rejected.get(name);
  if (reason !== undefined)
    throw new AdapterError(
      "TOOL_UNKNOWN",
      `The tool ${quote(name)} is left out, because its definition is not valid over HTTP: ${reason}`,
      { example: exampleOf("tools.list", server) },
    );
  const near = nearNames(name, catalog).map(quote);
  const advice = near.length > 0 ? `near names are ${near.join(", ")}` : "none is near";
  throw new AdapterError(
    "TOOL_UNKNOWN",
    `There is no tool named ${quote(name)} among its ${catalog.tools.length}; ${advice}`,
    { example: exampleOf("tools.list", server) },
  );
}
