import type { PromptCatalogs } from "../catalog/prompts.ts";
import type { References } from "../catalog/references.ts";
import type { ResourceCatalogs } from "../catalog/resources.ts";
import type { ToolCatalogs } from "../catalog/tools.ts";
import type { Pool } from "../connection/pool.ts";
import type { Registry } from "../registry/registry.ts";
import type { Request } from "../request/request.ts";
import { loadValidator } from "./arguments.ts";
import type { Outcome } from "./outcome.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { listResources, readByReference } from "./resources.ts";
import { performOnTools } from "./tools.ts";

/** What an operation may use. */
export interface Rooms {
  readonly registry: Registry;
  readonly pool: Pool;
  readonly tools: ToolCatalogs;
  readonly resources: ResourceCatalogs;
  readonly prompts: PromptCatalogs;
  readonly references: References;
}

/** Performs a request: the only place that knows all operations. Rejects with `AdapterError`. */
export async function perform(
  request: Request,
  rooms: Rooms,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  if (request.operation === "status") return status(rooms);
  const definition = rooms.registry.find(request.server);
  const connection = rooms.pool.of(definition);
  const reach = async () => {
    const reaching = connection.reach(signal);
    if (request.operation === "tools.call") void loadValidator();
    return { definition, client: await reaching, signal };
  };
  switch (request.operation) {
    case "tools.list":
    case "tools.search":
    case "tools.describe":
    case "tools.call":
      return performOnTools(request, await reach(), rooms);
    case "resources.list":
      return listResources(request, await reach(), rooms);
    case "resources.read":
      return readByReference(request, connection.client, rooms.references, signal);
    case "prompts.list":
      return listPrompts(request, await reach(), rooms.prompts);
    case "prompts.get":
      return getPrompt(request, await reach(), rooms);
    case "reconnect":
      await connection.reconnect(signal);
      return { operation: "reconnect", server: request.server };
  }
}

/** Looks and touches nothing. */
function status({ registry, pool }: Rooms): Outcome {
  const snapshots = new Map();
  for (const name of registry.names) {
    const snapshot = pool.snapshot(name);
    if (snapshot !== undefined) snapshots.set(name, snapshot);
  }
  return { operation: "status", report: registry.report, snapshots };
}
