import { setTimeout as after } from "node:timers/promises";
import { ChildStartError } from "@core/wire";
import type { Log } from "../audit/log.ts";
import { UpstreamError } from "../errors.ts";
import type { PermittedCall } from "../policy/policy.ts";
import type { Catalogue } from "./catalogue.ts";
import type {
  Connection,
  ConnectionOptions,
  OutgoingRequest,
  PendingRequest,
  ServerProcess,
} from "./connection.ts";
import { createRestarts } from "./restart.ts";

/** One configured server: started when it is first needed, and again after it ended. */
export interface Upstream {
  readonly name: string;
  /** Calls a permitted tool. A call is sent at most once, whatever happens to the server. */
  call(permitted: PermittedCall, request: OutgoingRequest): PendingRequest;
  /** Settles when the server's tools are known, having started it if need be. Rejects if that fails. */
  ready(): Promise<void>;
  /** The exposed tools as far as they are known. */
  entries(): readonly Buffer[];
  stop(): Promise<void>;
  kill(): void;
}

export interface UpstreamOptions {
  readonly name: string;
  /** Why the server can never be started as it is configured. */
  readonly problem: string | undefined;
  readonly log: Log;
  /** A monotonic clock in milliseconds. */
  now(): number;
  /** Starts the server and shakes hands. */
  open(events: Pick<ConnectionOptions, "onProcess" | "onListChanged">): Promise<Connection>;
  read(connection: Connection): Promise<Catalogue>;
  /** The exposed tools are not what they were. */
  onChange(): void;
}

type State =
  | { readonly kind: "down" }
  | { readonly kind: "starting"; readonly connection: Promise<Connection> }
  | { readonly kind: "up"; readonly connection: Connection }
  | { readonly kind: "stopped" };

export function createUpstream(options: UpstreamOptions): Upstream {
  const { name, problem, log, now } = options;
  const restarts = createRestarts(now);
  let state: State = { kind: "down" };
  let process: ServerProcess | undefined;
  let entries: readonly Buffer[] = [];
  let known = false;
  let reading: Promise<void> | undefined;
  let readAgain = false;

  /** The running server. All who ask while it starts wait for the one start. */
  async function connect(): Promise<Connection> {
    if (state.kind === "up" || state.kind === "starting") return state.connection;
    if (state.kind === "stopped") throw stopping();
    if (problem !== undefined)
      throw new UpstreamError("UNAVAILABLE", `Server ${name} is unavailable: ${problem}`);
    const verdict = restarts.verdict();
    if (verdict.kind === "paused") {
      const seconds = Math.ceil(verdict.leftMs / 1000);
      const sentence = `Server ${name} keeps ending, so it is not started for another ${seconds} s`;
      throw new UpstreamError("UNAVAILABLE", sentence);
    }
    const connection = start(verdict.delayMs);
    state = { kind: "starting", connection };
    return connection;
  }

  async function start(delayMs: number): Promise<Connection> {
    try {
      if (delayMs > 0) await after(delayMs);
      const connection = await open();
      state = { kind: "up", connection };
      log.info(`server ${name} started`);
      connection.ended.then((sentence) => onEnd(connection, sentence));
      refresh(connection);
      return connection;
    } catch (error) {
      if (isStopped()) throw stopping();
      state = { kind: "down" };
      restarts.ended();
      const failure = startError(name, error);
      log.warn(failure.message);
      throw failure;
    }
  }

  async function open(): Promise<Connection> {
    if (isStopped()) throw stopping();
    const connection = await options.open({
      onProcess(started) {
        process = started;
        // Stopped while it was starting: it must not outlive the gateway.
        if (isStopped()) started.stop();
      },
      onListChanged: () => refresh(connection),
    });
    return connection;
  }

  const isStopped = () => state.kind === "stopped";

  function onEnd(connection: Connection, sentence: string): void {
    if (state.kind !== "up" || state.connection !== connection) return;
    state = { kind: "down" };
    restarts.ended();
    log.warn(sentence);
  }

  /** Reads the tools anew; a change that comes while they are read is read afterwards. */
  function refresh(connection: Connection): Promise<void> {
    readAgain = true;
    if (reading !== undefined) return reading;
    reading = readTools(connection).finally(() => {
      reading = undefined;
    });
    // Whoever needs the tools asks through ready(), and nobody may need them now.
    reading.catch((error: Error) => {
      if (state.kind === "up")
        log.warn(`cannot list the tools of server ${name}: ${error.message}`);
    });
    return reading;
  }

  async function readTools(connection: Connection): Promise<void> {
    while (readAgain) {
      readAgain = false;
      await readOnce(connection);
    }
  }

  async function readOnce(connection: Connection): Promise<void> {
    const catalogue = await options.read(connection);
    const changed = !sameEntries(entries, catalogue.entries);
    entries = catalogue.entries;
    known = true;
    if (changed) options.onChange();
    if (catalogue.missing.length > 0)
      log.warn(`server ${name} does not have the allowed tools ${catalogue.missing.join(", ")}`);
  }

  return {
    name,
    call: (_permitted, request) =>
      state.kind === "up" ? state.connection.request(request) : requestLater(connect(), request),
    async ready() {
      if (known) return;
      const connection = await connect();
      if (!known) await (reading ?? refresh(connection));
    },
    entries: () => entries,
    async stop() {
      const last = state;
      state = { kind: "stopped" };
      await process?.stop();
      if (last.kind === "starting") await last.connection.catch(() => {});
    },
    kill() {
      process?.kill();
    },
  };
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

function stopping(): UpstreamError {
  return new UpstreamError("STOPPING", "The gateway is shutting down");
}

/** Start errors of our own packages are safe to show; anything else is only named. */
function startError(name: string, error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error;
  const why = error instanceof ChildStartError ? error.message : "an unexpected fault";
  return new UpstreamError("START_FAILED", `Server ${name}: ${why}`, { cause: error });
}

function sameEntries(a: readonly Buffer[], b: readonly Buffer[]): boolean {
  return a.length === b.length && a.every((entry, index) => entry.equals(b[index] as Buffer));
}
