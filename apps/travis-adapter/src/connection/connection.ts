import type { ServerDefinition } from "../config/schema.ts";
import { AdapterError, type ErrorCode } from "../errors.ts";
import { type Attempt, createAttempt } from "./attempt.ts";
import type { Client } from "./client.ts";
import type { Connect } from "./connect.ts";
import { connectRepeatedly } from "./reconnect.ts";

/** Where a connection stands: one of these and nothing else. */
type State =
  | { readonly name: "disconnected" }
  | {
      readonly name: "connecting" | "reconnecting";
      readonly attempt: Attempt<Client>;
      /** Settles when nothing is left of the attempt but the state that it decided. */
      readonly ended: Promise<void>;
    }
  | { readonly name: "connected"; readonly client: Client }
  | { readonly name: "failed" }
  | { readonly name: "closing" };

/** What may be known of a connection without touching it. Times are milliseconds since 1970. */
export interface Snapshot {
  readonly state: State["name"];
  readonly updatedAtMs: number;
  readonly connectedAtMs?: number;
  readonly lastError?: { readonly code: ErrorCode; readonly atMs: number };
}

/** One server of one session: lazy, and with at most one client at a time. */
export interface Connection {
  /** The live client; connects when there is none. Concurrent callers share one attempt. Rejects with AdapterError. */
  reach(signal?: AbortSignal): Promise<Client>;
  /** Replaces the client by a fresh one, from any state. Concurrent callers share one attempt. */
  reconnect(signal?: AbortSignal): Promise<Client>;
  /** The live client; undefined when there is none. Connects nothing. */
  readonly client: Client | undefined;
  snapshot(): Snapshot;
  close(): Promise<void>;
}

export interface ConnectionOptions {
  readonly definition: ServerDefinition;
  readonly connect: Connect;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A number from 0 up to 1. */
  readonly random: () => number;
}

const superseded = new Error("superseded by a reconnect");

export function createConnection(options: ConnectionOptions): Connection {
  const { definition, connect, now, random } = options;
  let state: State = { name: "disconnected" };
  let updatedAtMs = now();
  let connectedAtMs: number | undefined;
  let lastError: Snapshot["lastError"];
  /** What is on its way out; nothing new starts, and nothing counts as closed, before it is gone. */
  let leaving: Promise<unknown> = Promise.resolve();

  /** Lost clients on which requests still wait. */
  const retired = new Set<Client>();

  function enter(next: State): void {
    state = next;
    updatedAtMs = now();
  }

  function fail(failure: AdapterError): void {
    lastError = { code: failure.code, atMs: now() };
    enter({ name: "failed" });
  }

  function awaitEndOf(work: Promise<unknown>): void {
    leaving = Promise.allSettled([leaving, work]);
  }

  async function connectOnce(signal: AbortSignal): Promise<Client> {
    await leaving;
    signal.throwIfAborted();
    return connect(definition, signal, (client, failure) => {
      if (state.name !== "connected" || state.client !== client) return;
      fail(failure);
      retired.add(client);
      void client.closed.then(() => retired.delete(client));
      if (definition.reconnect.automatic) start("reconnecting");
    });
  }

  function run(name: "connecting" | "reconnecting", signal: AbortSignal): Promise<Client> {
    if (name === "connecting") return connectOnce(signal);
    const policy = definition.reconnect;
    return connectRepeatedly({ policy, signal, random, connect: connectOnce });
  }

  /** Starts an attempt, whose outcome decides the state unless something else has taken its place meanwhile. */
  function start(name: "connecting" | "reconnecting"): Attempt<Client> {
    const attempt: Attempt<Client> = createAttempt({
      run: (signal) => run(name, signal),
      onAbandon() {
        if (!isCurrent()) return;
        enter({ name: "disconnected" });
        awaitEndOf(ended);
      },
    });
    const isCurrent = () => "attempt" in state && state.attempt === attempt;
    const ended = attempt.outcome.then(
      (client) => (isCurrent() ? arrive(client) : client.close()),
      (error: unknown) => {
        if (isCurrent()) fail(asFailure(error));
      },
    );
    enter({ name, attempt, ended });
    return attempt;
  }

  function arrive(client: Client): void {
    connectedAtMs = now();
    enter({ name: "connected", client });
    // It may have died in the moment between the handshake and now.
    if (client.lost !== undefined) fail(client.lost);
  }

  async function join(attempt: Attempt<Client>, signal: AbortSignal | undefined): Promise<Client> {
    try {
      return await attempt.join(signal);
    } catch (error) {
      if (error === superseded) return reach(signal);
      throw signal?.aborted ? cancelled() : asFailure(error);
    }
  }

  async function reach(signal?: AbortSignal): Promise<Client> {
    if (signal?.aborted) throw cancelled();
    switch (state.name) {
      case "connected":
        return state.client;
      case "connecting":
      case "reconnecting":
        return join(state.attempt, signal);
      case "disconnected":
      case "failed":
        return join(start("connecting"), signal);
      case "closing":
        throw closed();
    }
  }

  async function reconnect(signal?: AbortSignal): Promise<Client> {
    if (signal?.aborted) throw cancelled();
    if (state.name === "closing") throw closed();
    if (state.name === "reconnecting") return join(state.attempt, signal);
    discard(superseded);
    return join(start("reconnecting"), signal);
  }

  /** Ends what the state holds; the next state is the caller's to enter. */
  function discard(reason: Error): void {
    if ("attempt" in state) {
      state.attempt.abort(reason);
      awaitEndOf(state.ended);
    }
    if ("client" in state) awaitEndOf(state.client.close());
  }

  return {
    reach,
    reconnect,
    get client() {
      return state.name === "connected" ? state.client : undefined;
    },
    snapshot: () => ({
      state: state.name,
      updatedAtMs,
      ...(connectedAtMs === undefined ? {} : { connectedAtMs }),
      ...(lastError === undefined ? {} : { lastError }),
    }),
    async close() {
      discard(closed());
      enter({ name: "closing" });
      await Promise.all([leaving, ...[...retired].map((client) => client.close())]);
    },
  };
}

function asFailure(error: unknown): AdapterError {
  if (error instanceof AdapterError) return error;
  return new AdapterError("INTERNAL", "The connection failed inside the adapter", { cause: error });
}

function cancelled(): AdapterError {
  return new AdapterError("CANCELLED", "The request was cancelled");
}

function closed(): AdapterError {
  return new AdapterError("CLOSED", "The adapter was closed");
}
