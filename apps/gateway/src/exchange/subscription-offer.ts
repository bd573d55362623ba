import { UpstreamError } from "../errors.ts";
import type { ClientSession } from "../upstream/client-session.ts";
import type { Upstream } from "../upstream/upstream.ts";
import { within } from "./list.ts";

/** Whether clients may subscribe to resources: only where a server with readable ones says so, which shows when it runs. */
export interface SubscriptionOffer {
  readonly isMade: boolean;
  /** Has each server started once for it, and waits as long as for a list; undefined where nothing is left to learn. */
  learn(session: ClientSession | undefined): Promise<void> | undefined;
}

export interface SubscriptionOfferOptions {
  /** Those with a rule for resources. */
  readonly upstreams: readonly Pick<Upstream, "name" | "subscribes" | "start">[];
  /** Milliseconds to wait for each server. */
  waitFor(server: string): number;
}

export function createSubscriptionOffer(options: SubscriptionOfferOptions): SubscriptionOffer {
  const { upstreams, waitFor } = options;
  const starts = new Map<string, Promise<void>>();
  /** One that fails is not waited for again by every client that comes. */
  const failed = new Set<string>();

  const startOnce = (upstream: (typeof upstreams)[number], session: ClientSession | undefined) => {
    const { name } = upstream;
    const begun = starts.get(name);
    if (begun !== undefined) return begun;
    const start = upstream
      .start(session)
      .catch((error: unknown) => {
        // What cannot be for this client is said at once, and costs the next one no time.
        const isSaidAtOnce = error instanceof UpstreamError && error.code === "UNAVAILABLE";
        if (!isSaidAtOnce) failed.add(name);
      })
      .finally(() => starts.delete(name));
    starts.set(name, start);
    return start;
  };
  return {
    get isMade() {
      return upstreams.some(({ subscribes }) => subscribes === true);
    },
    learn(session) {
      const unknown = upstreams.filter(
        ({ name, subscribes }) => subscribes === undefined && !failed.has(name),
      );
      if (unknown.length === 0) return undefined;
      const waits = unknown.map((one) => within(startOnce(one, session), waitFor(one.name)));
      return Promise.all(waits).then(() => {});
    },
  };
}
