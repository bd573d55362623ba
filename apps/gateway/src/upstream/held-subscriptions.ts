import type { Log } from "../audit/log.ts";
import type { Connection } from "./connection.ts";
import type { Supervisor } from "./supervisor.ts";
import { createTurns } from "./turns.ts";

/** One subscriber's part in what a server tells of a resource. */
export interface Subscription {
  /** Settles when the server tells of it. Rejects with UpstreamError, and then nothing is held. */
  readonly opened: Promise<void>;
  /** Ends this part; the last one out unsubscribes. */
  release(): void;
}

/** What one process tells of: each resource is subscribed to once, for however many. */
export interface HeldSubscriptions {
  hold(uri: string, timeoutMs: number): Subscription;
  /** A process of the server is up, the first one or a later one. */
  onUp(connection: Connection): void;
}

export interface HeldSubscriptionsOptions {
  /** The server's name in the log. */
  readonly name: string;
  readonly log: Pick<Log, "warn">;
  readonly supervisor: Pick<Supervisor, "connect" | "running">;
  /** A resource may have changed while the server was not there to tell. */
  onMissed(uri: string): void;
}

interface Held {
  parts: number;
  readonly timeoutMs: number;
  readonly opened: Promise<void>;
  /** The process that was asked last and has agreed. */
  by: Connection | undefined;
}

export function createHeldSubscriptions(options: HeldSubscriptionsOptions): HeldSubscriptions {
  const { name, log, supervisor, onMissed } = options;
  const held = new Map<string, Held>();
  // A server must not hear of the end of one subscription after the begin of the next.
  const inTurn = createTurns();

  function begin(uri: string, timeoutMs: number): Held {
    const opened = inTurn(uri, async () => {
      const connection = await supervisor.connect();
      await connection.updates.subscribe(uri, timeoutMs);
      entry.by = connection;
    });
    const entry: Held = { parts: 0, timeoutMs, opened, by: undefined };
    held.set(uri, entry);
    opened.catch(() => forget(uri, entry));
    return entry;
  }

  function forget(uri: string, entry: Held): void {
    if (held.get(uri) === entry) held.delete(uri);
  }

  function end(uri: string, entry: Held): void {
    forget(uri, entry);
    void inTurn(uri, async () => {
      if (entry.by === supervisor.running) await entry.by?.updates.unsubscribe(uri);
    });
  }

  function takeUp(uri: string, entry: Held, connection: Connection): void {
    const again = inTurn(uri, async () => {
      if (held.get(uri) !== entry || supervisor.running !== connection) return;
      await connection.updates.subscribe(uri, entry.timeoutMs);
      entry.by = connection;
      onMissed(uri);
    });
    again.catch((error: Error) =>
      log.warn(`server ${name} no longer tells of a resource that it told of: ${error.message}`),
    );
  }

  return {
    hold(uri, timeoutMs) {
      const entry = held.get(uri) ?? begin(uri, timeoutMs);
      entry.parts++;
      let isReleased = false;
      return {
        opened: entry.opened,
        release() {
          if (isReleased) return;
          isReleased = true;
          if (--entry.parts === 0) end(uri, entry);
        },
      };
    },
    onUp(connection) {
      for (const [uri, entry] of held) if (entry.by !== undefined) takeUp(uri, entry, connection);
      void connection.ended.then(() => {
        // Whoever waits to be told does not call, so that nothing else would start it again.
        const isWanted = [...held.values()].some(({ by }) => by === connection);
        if (isWanted) supervisor.connect().catch(() => {}); // the supervisor tells of a failed start
      });
    },
  };
}
