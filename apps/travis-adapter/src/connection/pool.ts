import type { ServerDefinition } from "../config/schema.ts";
import type { Connect } from "./connect.ts";
import { type Connection, createConnection, type Snapshot } from "./connection.ts";

/** The connections of a session, one for each server that was ever reached. */
export interface Pool {
  of(definition: ServerDefinition): Connection;
  /** What is known of a server; undefined for one that was never reached. Starts nothing. */
  snapshot(name: string): Snapshot | undefined;
  /** Ends all of them side by side. Never rejects. */
  close(): Promise<void>;
}

export interface PoolOptions {
  readonly connect: Connect;
  readonly now: () => number;
  readonly random: () => number;
}

export function createPool({ connect, now, random }: PoolOptions): Pool {
  const connections = new Map<string, Connection>();
  return {
    of(definition) {
      const known = connections.get(definition.name);
      if (known !== undefined) return known;
      const made = createConnection({ definition, connect, now, random });
      connections.set(definition.name, made);
      return made;
    },
    snapshot: (name) => connections.get(name)?.snapshot(),
    async close() {
      await Promise.allSettled([...connections.values()].map((connection) => connection.close()));
    },
  };
}
