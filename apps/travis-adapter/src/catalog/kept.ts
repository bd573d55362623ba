import { type Attempt, createAttempt } from "../connection/attempt.ts";
import type { Client } from "../connection/client.ts";
import type { CatalogKind } from "../connection/line.ts";

/** Catalogs of one kind. Each is kept as long as its client lives and its server tells of no change (A20). */
export interface Catalogs<T> {
  /** Concurrent callers share one discovery, and a failed one is not kept. Rejects with `AdapterError`. */
  of(client: Client, options: DiscoveryOptions): Promise<T>;
}

interface DiscoveryOptions {
  /** Milliseconds for all pages together. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}

export type Discover<T> = (client: Client, deadlineMs: number, signal: AbortSignal) => Promise<T>;

interface Kept<T> {
  readonly revision: number;
  readonly discovery: Attempt<T>;
  /** There once the discovery has succeeded. */
  catalog: T | undefined;
}

export function createCatalogs<T>(kind: CatalogKind, discover: Discover<T>): Catalogs<T> {
  const kept = new WeakMap<Client, Kept<T>>();
  return {
    async of(client, { deadlineMs, signal }) {
      const revision = client.revision(kind);
      const known = kept.get(client);
      if (known?.revision === revision) return known.catalog ?? known.discovery.join(signal);
      const discovery = createAttempt({
        run: (stop) => discover(client, deadlineMs, stop),
        onAbandon: forget,
      });
      function forget(): void {
        // A list that changed meanwhile is in another's hands.
        if (kept.get(client)?.discovery === discovery) kept.delete(client);
      }
      const entry: Kept<T> = { revision, discovery, catalog: undefined };
      kept.set(client, entry);
      discovery.outcome.then((catalog) => {
        entry.catalog = catalog;
      }, forget);
      return discovery.join(signal);
    },
  };
}
