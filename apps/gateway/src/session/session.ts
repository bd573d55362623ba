import type { Caller } from "../auth/bearer.ts";
import { createInFlight, type InFlight } from "../exchange/in-flight.ts";

/** The stream on which a session gets what belongs to none of its requests. */
interface Announcements {
  send(json: Buffer): void;
  end(): void;
}

/** One client's conversation in the legacy era, from `initialize` to DELETE or the idle timeout. */
export interface Session {
  readonly id: string;
  readonly caller: Caller;
  readonly inFlight: InFlight;
  /** The client's GET stream, where one is open. */
  announcements: Announcements | undefined;
  /** The revision of the exposed tools that the client was last told of; undefined before its first list. */
  toldRevision: number | undefined;
  /** When the session last did anything, on a monotonic clock in milliseconds. */
  lastUsed: number;
}

export function createSession(id: string, caller: Caller, now: number): Session {
  return {
    id,
    caller,
    inFlight: createInFlight(),
    announcements: undefined,
    toldRevision: undefined,
    lastUsed: now,
  };
}

/** Whether ending the session would interrupt something. */
export function isIdle(session: Session): boolean {
  return session.inFlight.size === 0;
}
