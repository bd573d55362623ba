import { createHash } from "node:crypto";
import type { Caller } from "../auth/bearer.ts";
import { createInFlight, type InFlight } from "../exchange/in-flight.ts";
import { SESSION_LABEL_CHARACTERS } from "../limits.ts";
import type { ClientSession } from "../upstream/client-session.ts";

/** The stream on which a session gets what belongs to none of its requests. */
interface Announcements {
  send(json: Buffer): void;
  end(): void;
}

/** One client's conversation in the legacy era, from `initialize` to DELETE or the idle timeout. */
export interface Session extends ClientSession {
  readonly id: string;
  readonly caller: Caller;
  readonly inFlight: InFlight;
  /** The client's GET stream, where one is open. */
  announcements: Announcements | undefined;
  /** The revision of the exposed tools that the client was last told of; undefined before its first list. */
  toldRevision: number | undefined;
  /** When the session last did anything, on a monotonic clock in milliseconds. */
  lastUsed: number;
  /** Ends what belongs to the session. Only the table of sessions calls it. */
  dispose(): void;
}

/** What a client tells of itself when it opens a session. */
export interface SessionOpening {
  readonly cwd?: string | undefined;
  readonly capabilities?: ReadonlySet<string> | undefined;
}

export function createSession(
  id: string,
  caller: Caller,
  now: number,
  { cwd, capabilities = new Set() }: SessionOpening = {},
): Session {
  const endings: (() => void)[] = [];
  let ended = false;
  return {
    id,
    caller,
    label: createHash("sha256").update(id).digest("hex").slice(0, SESSION_LABEL_CHARACTERS),
    cwd,
    capabilities,
    inFlight: createInFlight(),
    announcements: undefined,
    toldRevision: undefined,
    lastUsed: now,
    onEnd(run) {
      if (ended) run();
      else endings.push(run);
    },
    send(json) {
      this.announcements?.send(json);
      return this.announcements !== undefined;
    },
    dispose() {
      ended = true;
      this.inFlight.cancelAll();
      this.announcements?.end();
      for (const run of endings.splice(0)) run();
    },
  };
}

/** Whether ending the session would interrupt something. */
export function isIdle(session: Session): boolean {
  return session.inFlight.size === 0;
}
