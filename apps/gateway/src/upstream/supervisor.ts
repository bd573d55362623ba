import { setTimeout as after } from "node:timers/promises";
import { ChildStartError } from "@core/wire";
import type { Log } from "../audit/log.ts";
import { UpstreamError } from "../errors.ts";
import type { Connection, ServerProcess } from "./connection.ts";
import { createRestarts } from "./restart.ts";

/** What a supervised process is doing: `paused` is left alone after it ended too often. */
export type ServerState = "idle" | "starting" | "up" | "paused" | "unavailable" | "stopped";

/** Keeps one process of a server: started when it is first needed, and again after it ended. */
export interface Supervisor {
  /** The running server; undefined while there is none. */
  readonly running: Connection | undefined;
  /** The running server, started if need be. All who ask while it starts wait for the one start. */
  connect(): Promise<Connection>;
  readonly state: ServerState;
  /** Lets it be started again although it ended too often. */
  forgive(): void;
  stop(): Promise<void>;
  kill(): void;
}

export interface SupervisorOptions {
  readonly name: string;
  /** Why the server can never be started as it is configured. */
  readonly problem: string | undefined;
  readonly log: Log;
  /** A monotonic clock in milliseconds. */
  now(): number;
  /** Starts the server and shakes hands; `onProcess` is told of its process as soon as there is one. */
  open(onProcess: (process: ServerProcess) => void): Promise<Connection>;
  onUp(connection: Connection): void;
  /** A start failed or the server ended, and nobody asked for it. */
  onFault(sentence: string): void;
}

type State =
  | { readonly kind: "down" }
  | { readonly kind: "starting"; readonly connection: Promise<Connection> }
  | { readonly kind: "up"; readonly connection: Connection }
  | { readonly kind: "stopped" };

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { name, problem, log } = options;
  const restarts = createRestarts(options.now);
  let state: State = { kind: "down" };
  let process: ServerProcess | undefined;
  const isStopped = () => state.kind === "stopped";

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
      if (isStopped()) throw stopping();
      const connection = await options.open((started) => {
        process = started;
        // Stopped while it was starting: it must not outlive the gateway.
        if (isStopped()) started.stop();
      });
      if (isStopped()) throw stopping();
      state = { kind: "up", connection };
      log.info(`server ${name} started`);
      connection.ended.then((sentence) => onEnd(connection, sentence));
      options.onUp(connection);
      return connection;
    } catch (error) {
      if (isStopped()) throw stopping();
      state = { kind: "down" };
      const failure = startError(name, error);
      // That it cannot run for this client says nothing about the server.
      if (failure.code !== "UNAVAILABLE") fault(failure.message);
      throw failure;
    }
  }

  function onEnd(connection: Connection, sentence: string): void {
    if (state.kind !== "up" || state.connection !== connection) return;
    state = { kind: "down" };
    fault(sentence);
  }

  function fault(sentence: string): void {
    restarts.ended();
    log.warn(sentence);
    options.onFault(sentence);
  }

  return {
    get running() {
      return state.kind === "up" ? state.connection : undefined;
    },
    connect,
    get state() {
      if (state.kind !== "down") return state.kind;
      if (problem !== undefined) return "unavailable";
      return restarts.verdict().kind === "paused" ? "paused" : "idle";
    },
    forgive: restarts.forgive,
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

function stopping(): UpstreamError {
  return new UpstreamError("STOPPING", "The gateway is shutting down");
}

/** Start errors of our own packages are safe to show; anything else is only named. */
function startError(name: string, error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error;
  const why = error instanceof ChildStartError ? error.message : "an unexpected fault";
  return new UpstreamError("START_FAILED", `Server ${name}: ${why}`, { cause: error });
}
