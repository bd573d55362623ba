import type { ToolCatalogs } from "../catalog/tools.ts";
import type { Pool } from "../connection/pool.ts";
import { AdapterError } from "../errors.ts";
import type { Registry } from "../registry/registry.ts";
import type { Request, ServerRequest } from "../request/request.ts";
import type { Outcome } from "./outcome.ts";
import { performOnTools } from "./tools.ts";

/** What an operation may use. */
export interface Rooms {
  readonly registry: Registry;
  readonly pool: Pool;
  readonly catalogs: ToolCatalogs;
}

/** Performs a request: the only place that knows all operations. Rejects with {@link AdapterError}. */
export async function perform(
  request: Request,
  rooms: Rooms,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  if (request.operation === "status") return status(rooms);
  const definition = rooms.registry.find(request.server);
  const connection = rooms.pool.of(definition);
  switch (request.operation) {
    case "tools.list":
    case "tools.search":
    case "tools.describe":
    case "tools.call": {
      const client = await connection.reach(signal);
      const { catalogs } = rooms;
      return performOnTools(request, { definition, client, catalogs, signal });
    }
    case "reconnect":
      await connection.reconnect(signal);
      return { operation: "reconnect", server: request.server };
    default:
      throw notAvailable(request);
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

function notAvailable({ operation }: ServerRequest): AdapterError {
  return new AdapterError("NOT_AVAILABLE", `${operation} is not available yet in this version`);
}
