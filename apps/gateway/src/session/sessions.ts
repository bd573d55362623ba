import type { Caller } from "../auth/bearer.ts";
import { MAX_ENDED_SESSIONS, SESSION_SWEEP_MS } from "../limits.ts";
import {
  createSession,
  isIdle,
  resumeSession,
  type Session,
  type SessionKind,
  type SessionOpening,
} from "./session.ts";
import type { Tickets } from "./tickets.ts";

/** What a reload may change while sessions are open. */
interface SessionLimits {
  readonly maxSessions: number;
  readonly idleTimeoutMs: number;
}

export interface SessionsOptions extends SessionLimits {
  /** A monotonic clock in milliseconds. */
  now(): number;
  /** An id that nobody can guess. */
  newId(): string;
  /** Ids of sessions that may be taken up again after a restart. */
  readonly tickets: Tickets;
}

/** The table of sessions: the only place that opens and ends them. */
export interface Sessions {
  /** Opens a session, in the place of the longest idle one if the table is full; undefined if none is idle. */
  open(kind: SessionKind, opening: SessionOpening): Session | undefined;
  /** The caller's session of this id and kind. Another caller's session is as unknown as none. */
  find(id: string, kind: SessionKind, caller: Caller): Session | undefined;
  /** A session of an earlier start that is taken up again; undefined if it cannot be, or if there is no room. */
  resume(id: string, opening: SessionOpening): Session | undefined;
  /** The modern session of this caller and folder, opened if there is none; undefined if there is no room. */
  join(opening: SessionOpening): Session | undefined;
  /** Starts the session's idle time anew. */
  touch(session: Session): void;
  end(session: Session): void;
  all(): Iterable<Session>;
  /** Ends the sessions that were idle for too long. */
  sweep(): void;
  /** Goes by other limits from now on: idle sessions above the number end, and those in use may finish. */
  limit(limits: SessionLimits): void;
  readonly size: number;
  [Symbol.dispose](): void;
}

export function createSessions(options: SessionsOptions): Sessions {
  const { now, newId, tickets } = options;
  let { maxSessions, idleTimeoutMs } = options;
  const byId = new Map<string, Session>();
  const modern = new Map<string, Session>();
  /** Ended sessions of an earlier start, whose ids would still be good. */
  const over = new Set<string>();

  const end = (session: Session) => {
    if (!byId.delete(session.id)) return;
    if (session.kind === "modern") modern.delete(modernKey(session));
    if (session.isResumed) remember(session.id);
    session.dispose();
  };
  const remember = (id: string) => {
    over.add(id);
    const [oldest] = over;
    if (over.size > MAX_ENDED_SESSIONS && oldest !== undefined) over.delete(oldest);
  };
  const touch = (session: Session) => {
    session.lastUsed = now();
  };
  const makeRoom = () => {
    const idle = [...byId.values()].filter(isIdle);
    const oldest = idle.sort((a, b) => a.lastUsed - b.lastUsed)[0];
    if (oldest !== undefined) end(oldest);
    return oldest !== undefined;
  };
  const add = (make: () => Session) => {
    if (byId.size >= maxSessions) makeRoom();
    if (byId.size >= maxSessions) return undefined;
    const session = make();
    byId.set(session.id, session);
    return session;
  };
  const open = (kind: SessionKind, opening: SessionOpening) => {
    const id = () => (kind === "streamable" ? tickets.issue(opening) : newId());
    return add(() => createSession(id(), kind, opening, now()));
  };
  const sweep = () => {
    const since = now() - idleTimeoutMs;
    for (const session of byId.values()) if (isExpired(session, since)) end(session);
  };
  const startTimer = () => setInterval(sweep, Math.min(SESSION_SWEEP_MS, idleTimeoutMs)).unref();
  let timer = startTimer();

  return {
    open,
    find(id, kind, caller) {
      const session = byId.get(id);
      if (session?.kind !== kind || session.caller.credential !== caller.credential)
        return undefined;
      touch(session);
      return session;
    },
    resume(id, opening) {
      if (byId.has(id) || over.has(id) || !tickets.isEarlier(id, opening)) return undefined;
      return add(() => resumeSession(id, opening, now()));
    },
    join(opening) {
      const key = modernKey(opening);
      const session = modern.get(key) ?? open("modern", opening);
      if (session === undefined) return undefined;
      modern.set(key, session);
      touch(session);
      return session;
    },
    touch,
    end,
    all: () => byId.values(),
    sweep,
    limit(limits) {
      ({ maxSessions, idleTimeoutMs } = limits);
      clearInterval(timer);
      timer = startTimer();
      while (byId.size > maxSessions && makeRoom());
      sweep();
    },
    get size() {
      return byId.size;
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      for (const session of byId.values()) end(session);
    },
  };
}

/** No path holds NUL, so that two pairs never share a key. */
function modernKey({ caller, cwd }: SessionOpening): string {
  return `${caller.credential}\0${cwd?.path ?? ""}`;
}

/** An open stream keeps a session: many clients never recover from losing one, and a dead peer's stream closes. */
function isExpired(session: Session, since: number): boolean {
  return session.lastUsed < since && isIdle(session) && session.announcements === undefined;
}
