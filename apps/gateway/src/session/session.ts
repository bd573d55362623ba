import { createHash } from "node:crypto";
import type { Caller } from "../auth/bearer.ts";
import type { AllowedCwd } from "../auth/cwd.ts";
import { createInFlight, type InFlight } from "../exchange/in-flight.ts";
import { SESSION_LABEL_CHARACTERS } from "../limits.ts";
import type { ClientSession } from "../upstream/client-session.ts";

/** The stream on which a session gets what belongs to none of its requests. */
interface Announcements {
  send(json: Buffer): void;
  end(): void;
}

/**
 * How a session's requests come: over Streamable HTTP under an id, over a legacy `/sse` stream and its message endpoint, or
 * in the modern era, where a session is no more than a credential and a folder.
 */
export type SessionKind = "streamable" | "sse" | "modern";

/** Who opens a session, for which folder, and what the client declared. */
export interface SessionOpening {
  readonly caller: Caller;
  readonly cwd: AllowedCwd | undefined;
  readonly capabilities?: ReadonlySet<string>;
  /** The negotiated revision, where there is one. */
  readonly version?: string | undefined;
}

/** One client's conversation, from its first request to its DELETE, the end of its stream or the idle timeout. */
export interface Session extends ClientSession {
  readonly id: string;
  readonly kind: SessionKind;
  /** Whether it was opened at an earlier start of the gateway. */
  readonly isResumed: boolean;
  readonly caller: Caller;
  /** A client of `/sse` declares them after its session was opened. */
  capabilities: ReadonlySet<string>;
  readonly inFlight: InFlight;
  /** The client's stream, where one is open. */
  announcements: Announcements | undefined;
  /** The revision of the exposed tools that the client was last told of; undefined before its first list. */
  toldRevision: number | undefined;
  /** When the session last did anything, on a monotonic clock in milliseconds. */
  lastUsed: number;
  /** Ends what belongs to the session. Only the table of sessions calls it. */
  dispose(): void;
}

export function createSession(
  id: string,
  kind: SessionKind,
  { caller, cwd, capabilities = new Set() }: SessionOpening,
  now: number,
): Session {
  const endings: (() => void)[] = [];
  let ended = false;
  return {
    id,
    kind,
    isResumed: false,
    caller,
    label: createHash("sha256").update(id).digest("hex").slice(0, SESSION_LABEL_CHARACTERS),
    cwd,
    capabilities,
    declaresPerRequest: kind === "modern",
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

/** A revision that was never current here: whatever the client was told before the restart may have changed. */
const EARLIER_REVISION = -1;

/** A session that the gateway has forgotten and its client has not. */
export function resumeSession(id: string, opening: SessionOpening, now: number): Session {
  const session = createSession(id, "streamable", opening, now);
  return Object.assign(session, { isResumed: true, toldRevision: EARLIER_REVISION });
}

/** Whether ending the session would interrupt something. */
export function isIdle(session: Session): boolean {
  return session.inFlight.size === 0;
}
