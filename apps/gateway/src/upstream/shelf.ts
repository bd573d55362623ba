import type { Log } from "../audit/log.ts";
import type { ListedEntry } from "./catalogue.ts";
import type { Connection } from "./connection.ts";
import type { ListKind } from "./list-kind.ts";

/** What is known of a server's lists. */
export interface Shelf {
  entries(kind: ListKind): readonly ListedEntry[];
  isKnown(kind: ListKind): boolean;
  /** Reads a list anew. A change that comes while it is read is read afterwards. */
  refresh(kind: ListKind, connection: Connection): Promise<void>;
  /** As refresh, for a list that somebody has asked for. */
  changed(kind: ListKind, connection: Connection): void;
  /** Settles when nothing of the list is being read. Rejects if reading it fails. */
  settled(kind: ListKind): Promise<void>;
  /** Settles when the list is known: what is being read is waited for. */
  know(kind: ListKind, connection: Connection): Promise<void>;
}

export interface ShelfOptions {
  readonly name: string;
  readonly log: Log;
  read(connection: Connection, kind: ListKind): Promise<readonly ListedEntry[]>;
  /** A list was read, and may be another than it was. */
  onRead(kind: ListKind): void;
}

interface Reading {
  readonly done: Promise<void>;
  again: boolean;
}

export function createShelf({ name, log, read, onRead }: ShelfOptions): Shelf {
  const known = new Map<ListKind, readonly ListedEntry[]>();
  const readings = new Map<ListKind, Reading>();

  async function readUntilSettled(kind: ListKind, connection: Connection): Promise<void> {
    let reading: Reading | undefined;
    do {
      if (reading !== undefined) reading.again = false;
      known.set(kind, await read(connection, kind));
      onRead(kind);
      reading = readings.get(kind);
    } while (reading?.again);
  }

  function refresh(kind: ListKind, connection: Connection): Promise<void> {
    const running = readings.get(kind);
    if (running !== undefined) {
      running.again = true;
      return running.done;
    }
    const done = readUntilSettled(kind, connection).finally(() => readings.delete(kind));
    readings.set(kind, { done, again: false });
    // Whoever needs the list waits for it by know(), and nobody may need it now.
    done.catch((error: Error) =>
      log.warn(`cannot list the ${kind} of server ${name}: ${error.message}`),
    );
    return done;
  }

  return {
    entries: (kind) => known.get(kind) ?? [],
    isKnown: (kind) => known.has(kind),
    refresh,
    changed(kind, connection) {
      if (known.has(kind) || readings.has(kind)) refresh(kind, connection).catch(() => {});
    },
    async settled(kind) {
      await readings.get(kind)?.done;
    },
    async know(kind, connection) {
      if (!known.has(kind)) await (readings.get(kind)?.done ?? refresh(kind, connection));
    },
  };
}
