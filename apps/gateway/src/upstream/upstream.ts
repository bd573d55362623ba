import type { Log } from "../audit/log.ts";
import { UpstreamError } from "../errors.ts";
import type { Permitted } from "../policy/permitted.ts";
import type { PermittedRead } from "../policy/resource.ts";
import type { ListedEntry } from "./catalogue.ts";
import type { ClientSession } from "./client-session.ts";
import type { Connection, ConnectionOptions } from "./connection.ts";
import {
  createHeldSubscriptions,
  type HeldSubscriptions,
  type Subscription,
} from "./held-subscriptions.ts";
import type { ListKind } from "./list-kind.ts";
import type { OutgoingRequest, PendingRequest } from "./request.ts";
import { makeUpdate, type ResourceUpdate } from "./resource-update.ts";
import { createShelf, type Shelf } from "./shelf.ts";
import { createSupervisor, type ServerState, type Supervisor } from "./supervisor.ts";

/** One configured server, in one process for all sessions or one for each. */
export interface Upstream {
  readonly name: string;
  /** Sends what is permitted. A request is sent at most once, whatever happens to the server. */
  request(permitted: Permitted, session: ClientSession, request: OutgoingRequest): PendingRequest;
  /** Has the process of the session tell of a resource. */
  subscribe(permitted: PermittedRead, session: ClientSession, timeoutMs: number): Subscription;
  /** Whether the server says that it tells of changes of single resources; undefined before its first start. */
  readonly subscribes: boolean | undefined;
  /**
   * Settles when the process of the session is up, having started it if need be. Rejects if that fails. Without a session
   * one that is for sessions is not started.
   */
  start(session: ClientSession | undefined): Promise<void>;
  /** Settles when the list is known, having started the server if need be. Rejects if that fails. */
  ready(kind: ListKind, session: ClientSession): Promise<void>;
  /** As ready, for the list of the very process that the session's next request goes to. */
  current(kind: ListKind, session: ClientSession): Promise<void>;
  /** Whether the list was read, of whatever process. */
  knows(kind: ListKind): boolean;
  /** The list as far as it is known. */
  entries(kind: ListKind): readonly ListedEntry[];
  status(): UpstreamStatus;
  /** Lets a server that ended too often be started again. */
  forgive(): void;
  stop(): Promise<void>;
  kill(): void;
}

export interface UpstreamStatus {
  readonly state: ServerState;
  /** How often the server was started again after it had ended by itself. */
  readonly restarts: number;
  readonly lastError: string | undefined;
}

export type ConnectionEvents = Pick<ConnectionOptions, "onProcess" | "onListChanged" | "onUpdated">;

export interface UpstreamOptions {
  readonly name: string;
  /** Why the server can never be started as it is configured. */
  readonly problem: string | undefined;
  /** Why it will hardly start, as things stood when the configuration was read; a start is tried all the same. */
  readonly doubt: string | undefined;
  readonly log: Log;
  /** A monotonic clock in milliseconds. */
  now(): number;
  /** The lists that are exposed, which are read as soon as the server runs. */
  kinds(): readonly ListKind[];
  /** The lists of which each process counts and not only the first. */
  judged(): readonly ListKind[];
  /** Starts the server and shakes hands; for a session where each has a process of its own. */
  open(events: ConnectionEvents, session: ClientSession | undefined): Promise<Connection>;
  read(connection: Connection, kind: ListKind): Promise<readonly ListedEntry[]>;
  /** A list was read, and may be another than it was. */
  onRead(kind: ListKind): void;
  /** A resource has changed; `owner` is the session that the process runs for. */
  onUpdated(update: ResourceUpdate, owner: ClientSession | undefined): void;
}

/** One process for all sessions. */
export function createSharedUpstream(options: UpstreamOptions): Upstream {
  const rooms = createRooms(options);
  const supervisor = rooms.supervise(undefined);
  return {
    name: options.name,
    request: (_permitted, _session, request) => requestOf(supervisor, request),
    subscribe: ({ uri }, _session, timeoutMs) => rooms.hold(supervisor, uri, timeoutMs),
    get subscribes() {
      return rooms.subscribes;
    },
    async start() {
      await supervisor.connect();
    },
    async ready(kind) {
      if (!rooms.shelf.isKnown(kind)) await rooms.shelf.know(kind, await supervisor.connect());
    },
    async current(kind) {
      await supervisor.connect();
      await rooms.shelf.settled(kind);
    },
    knows: rooms.shelf.isKnown,
    entries: rooms.shelf.entries,
    status: () => rooms.status([supervisor]),
    forgive() {
      rooms.believe();
      supervisor.forgive();
    },
    stop: () => supervisor.stop(),
    kill: () => supervisor.kill(),
  };
}

/** A process for each session, started when the session needs it and ended with it. What it lists is read once for all. */
export function createIsolatedUpstream(
  options: UpstreamOptions,
  maxChildren: () => number,
): Upstream {
  const { name } = options;
  const rooms = createRooms(options);
  const bySession = new Map<ClientSession, Supervisor>();
  const ending = new Set<Promise<void>>();
  let stopped = false;

  const isAlive = ({ state }: Supervisor) => state === "up" || state === "starting";
  const end = (session: ClientSession) => {
    const supervisor = bySession.get(session);
    bySession.delete(session);
    if (supervisor === undefined) return;
    const stopping = supervisor.stop().finally(() => ending.delete(stopping));
    ending.add(stopping);
  };
  const supervisorOf = (session: ClientSession): Supervisor => {
    if (stopped) throw new UpstreamError("STOPPING", "The gateway is shutting down");
    const own = bySession.get(session) ?? rooms.supervise(session);
    const others = [...bySession.values()].filter((other) => other !== own && isAlive(other));
    // Processes that are still ending count: they hold what they held.
    if (!isAlive(own) && others.length + ending.size >= maxChildren())
      throw new UpstreamError(
        "BUSY",
        `Server ${name} is busy: it already runs for ${maxChildren()} sessions, which is max_children`,
      );
    if (!bySession.has(session)) {
      bySession.set(session, own);
      session.onEnd(() => end(session));
    }
    return own;
  };
  const all = () => [...bySession.values()];

  return {
    name,
    request(_permitted, session, request) {
      try {
        return requestOf(supervisorOf(session), request);
      } catch (error) {
        return failed(error);
      }
    },
    subscribe({ uri }, session, timeoutMs) {
      try {
        return rooms.hold(supervisorOf(session), uri, timeoutMs);
      } catch (error) {
        return { opened: Promise.reject(error), release() {} };
      }
    },
    get subscribes() {
      return rooms.subscribes;
    },
    async start(session) {
      if (session !== undefined) await supervisorOf(session).connect();
    },
    async ready(kind, session) {
      if (rooms.shelf.isKnown(kind) || stopped) return;
      await rooms.shelf.know(kind, await supervisorOf(session).connect());
    },
    async current(kind, session) {
      await supervisorOf(session).connect();
      await rooms.shelf.settled(kind);
    },
    knows: rooms.shelf.isKnown,
    entries: rooms.shelf.entries,
    status: () => rooms.status(all()),
    forgive() {
      rooms.believe();
      for (const supervisor of all()) supervisor.forgive();
    },
    async stop() {
      stopped = true;
      for (const session of [...bySession.keys()]) end(session);
      await Promise.all(ending);
    },
    kill() {
      for (const supervisor of all()) supervisor.kill();
    },
  };
}

/** What both kinds of server have: one shelf, and supervisors that feed it. Each paces its own process, and no other's. */
function createRooms(options: UpstreamOptions) {
  const { name, problem, log, now, kinds, judged, read, onRead, onUpdated } = options;
  const shelf: Shelf = createShelf({ name, log, read, onRead });
  let faults = 0;
  let { doubt } = options;
  let lastError: string | undefined = problem ?? doubt;
  let starts = 0;
  let subscribes: boolean | undefined;
  const subscriptions = new WeakMap<Supervisor, HeldSubscriptions>();

  function supervise(session: ClientSession | undefined): Supervisor {
    const supervisor = createSupervisor({
      name,
      problem,
      log,
      now,
      async open(onProcess) {
        const onListChanged = (kind: ListKind) => shelf.changed(kind, connection);
        const events = {
          onProcess,
          onListChanged,
          onUpdated: (update: ResourceUpdate) => onUpdated(update, session),
        };
        const connection = await options.open(events, session);
        return connection;
      },
      onUp(connection) {
        doubt = undefined;
        ({ subscribes } = connection);
        if (faults > 0) starts++;
        // A shared server may have come back as another version of itself.
        const isWanted = (kind: ListKind) =>
          session === undefined || !shelf.isKnown(kind) || judged().includes(kind);
        const wanted = kinds().filter(isWanted);
        // A list that cannot be read is told in the log, and read again when somebody asks for it.
        for (const kind of wanted) shelf.refresh(kind, connection).catch(() => {});
        held.onUp(connection);
      },
      onFault(sentence) {
        faults++;
        lastError = sentence;
      },
    });
    const held = createHeldSubscriptions({
      name,
      log,
      supervisor,
      onMissed: (uri) => onUpdated(makeUpdate(uri), session),
    });
    subscriptions.set(supervisor, held);
    return supervisor;
  }

  return {
    shelf,
    supervise,
    hold: (supervisor: Supervisor, uri: string, timeoutMs: number) =>
      (subscriptions.get(supervisor) as HeldSubscriptions).hold(uri, timeoutMs),
    get subscribes() {
      return subscribes;
    },
    /** The configuration was read again, and nothing speaks against a start any more. */
    believe() {
      if (lastError === doubt) lastError = problem;
      doubt = undefined;
    },
    status(supervisors: readonly Supervisor[]): UpstreamStatus {
      const states = supervisors.map(({ state }) => state);
      const down = doubt === undefined ? states[0] : "unavailable";
      const state =
        states.find((one) => one === "up") ??
        states.find((one) => one === "starting") ??
        down ??
        (problem === undefined ? "idle" : "unavailable");
      return { state, restarts: starts, lastError };
    },
  };
}

function requestOf(supervisor: Supervisor, request: OutgoingRequest): PendingRequest {
  const { running } = supervisor;
  if (running !== undefined) return running.request(request);
  return requestLater(supervisor.connect(), request);
}

/** A request that waits for its server to start. */
function requestLater(start: Promise<Connection>, request: OutgoingRequest): PendingRequest {
  let cancelled = false;
  let pending: PendingRequest | undefined;
  const answer = start.then((connection) => {
    if (cancelled) throw new UpstreamError("CANCELLED", "The call was cancelled");
    pending = connection.request(request);
    return pending.answer;
  });
  return {
    answer,
    cancel() {
      cancelled = true;
      pending?.cancel();
    },
  };
}

function failed(error: unknown): PendingRequest {
  return { answer: Promise.reject(error), cancel() {} };
}
