import type { Catalogs } from "../catalog/kept.ts";
import type { ServerDefinition } from "../config/schema.ts";
import type { Client } from "../connection/client.ts";
import { limits } from "../limits.ts";

/** A server within the reach of one operation. */
export interface Reached {
  readonly definition: ServerDefinition;
  readonly client: Client;
  readonly signal: AbortSignal | undefined;
}

/** A catalog of that server, discovered unless it is known. Rejects with `AdapterError`. */
export function catalogOf<T>(
  catalogs: Catalogs<T>,
  { definition, client, signal }: Reached,
): Promise<T> {
  const isBounded = (definition.requestTimeoutMs ?? 0) > 0;
  // With a timeout of its own, each page is bounded and the pages are counted: 300 s in all may be too few.
  const deadlineMs = isBounded ? Number.POSITIVE_INFINITY : limits.defaultDiscoveryMs;
  return catalogs.of(client, { deadlineMs, signal });
}
