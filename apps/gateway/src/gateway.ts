import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { revealSecret, type Secret } from "@core/config";
import { createLog, type Log } from "./audit/log.ts";
import { type Authenticate, createAuthenticate } from "./auth/bearer.ts";
import { createCurrentCwdCheck } from "./auth/cwd.ts";
import type { GatewayConfig } from "./config/config.ts";
import { StartError } from "./errors.ts";
import type { Identity } from "./exchange/initialize.ts";
import { DRAIN_MS, SESSION_ID_BYTES } from "./limits.ts";
import { connectionsWithin, readOpenFilesLimit } from "./listener/capacity.ts";
import type { DoorRules } from "./listener/door.ts";
import { openDoors } from "./listener/doors.ts";
import { createRefusals } from "./listener/refusals.ts";
import type { Snapshot } from "./listener/snapshot.ts";
import { createWatch } from "./listener/watch.ts";
import type { Prepared } from "./prepared.ts";
import { createServing } from "./serving.ts";
import { createEndpoint } from "./session/endpoint.ts";
import { createRevisions } from "./session/revisions.ts";
import { createSessions, type Sessions } from "./session/sessions.ts";
import { createTickets } from "./session/tickets.ts";

/** A gateway that serves. */
export interface Gateway {
  /** Its voice, in the form that the configuration says. */
  readonly log: Log;
  /**
   * Takes another configuration over, all of it; listeners and servers whose entry is the same go on. Rejects with ConfigError
   * or StartError, and then everything is as it was.
   */
  reload(prepared: Prepared): Promise<void>;
  /** Lets calls in flight finish for a while, then ends everything. */
  stop(): Promise<void>;
  /** Kills every server at once, for a process that is about to end itself. */
  kill(): void;
}

export interface GatewayOptions {
  readonly identity: Identity;
  /** Where the accepted definitions of pinned tools are kept. */
  readonly pinFile: string;
  /** Signs session ids, so that they outlive the process. */
  readonly sessionKey: Uint8Array;
  /** Takes one log line. */
  write(line: string): void;
  /** It listens at these places (`http://HOST:PORT`, or a socket's path) from now on, and has not said so yet. */
  onListening(places: readonly string[]): void;
}

/** Makes the rooms from left to right and opens the listeners last. Rejects with StartError; then nothing is left. */
export async function startGateway(prepared: Prepared, options: GatewayOptions): Promise<Gateway> {
  const { config } = prepared;
  const { identity } = options;
  let running = prepared;
  const log = createLog({
    settings: () => running.config.log,
    write: options.write,
    scrub: (text) => running.scrubber.scrub(text),
    now: () => new Date(),
  });
  warn(prepared, log);

  const sessions = createSessions({
    ...config.mcp,
    now: monotonic,
    newId: () => randomBytes(SESSION_ID_BYTES).toString("base64url"),
    tickets: createTickets({ key: options.sessionKey, randomBytes }),
  });
  const revisions = createRevisions(sessions.all);
  const serving = createServing(prepared, {
    identity,
    log,
    pinFile: options.pinFile,
    now: monotonic,
    revision: revisions.current,
    onListChanged: revisions.changed,
  });
  const { exchange } = serving;
  const endpoint = createEndpoint({ sessions, exchange, identity, revisions });
  const startedAt = monotonic();
  let stopping = false;
  const snapshot = (): Snapshot => ({
    pid: process.pid,
    version: identity.version,
    uptimeSeconds: (monotonic() - startedAt) / 1000,
    stopping,
    sessions: sessions.size,
    connections: doors.connections,
    ...endpoint.counts(),
    servers: serving.servers(),
  });
  let authenticate = authenticateBy(prepared.token);
  const doors = await openDoors(doorRules(config, log), {
    refusals: createRefusals(log.warn),
    authenticate: (header) => authenticate(header),
    cwdCheck: createCurrentCwdCheck(() => running.config.mcp.cwdRoots),
    endpoint,
    watch: createWatch(snapshot),
    contain: createContainment(log),
  }).catch(async (error) => {
    sessions[Symbol.dispose]();
    await serving.stop();
    throw error;
  });
  const tellPlaces = (before: readonly string[]) => {
    const places = doors.places();
    options.onListening(places);
    for (const place of places.filter((one) => !before.includes(one)))
      log.info(`listening on ${shownPlace(place)}`);
    for (const place of before.filter((one) => !places.includes(one)))
      log.info(`no longer listening on ${shownPlace(place)}`);
  };
  tellPlaces([]);

  return {
    log,
    async reload(next) {
      const [fault] = [...next.faults, ...next.serverFaults];
      if (fault !== undefined) throw fault;
      const before = doors.places();
      const change = await doors.prepare(doorRules(next.config, log));
      if (stopping) {
        await change.drop();
        throw new StartError("STOPPING", "The gateway is shutting down", {
          hint: "Start it again",
        });
      }
      // From here on nothing can fail.
      running = next;
      authenticate = authenticateBy(next.token);
      change.make();
      tellPlaces(before);
      const credential = credentialOf(authenticate, next.token);
      for (const session of [...sessions.all()])
        if (session.caller.credential !== credential) sessions.end(session);
      sessions.limit(next.config.mcp);
      await endAllOutside(sessions);
      warn(next, log);
      await serving.reload(next);
    },
    async stop() {
      stopping = true;
      log.info("shutting down");
      doors.stopAccepting();
      await endpoint.drain(DRAIN_MS);
      sessions[Symbol.dispose]();
      await serving.stop();
      // Last, so that what was answered has had time to leave.
      await doors.close();
    },
    kill: serving.kill,
  };
}

const monotonic = () => performance.now();

/** What works all the same, and is worth a word. */
function warn({ config, token, serverFaults, warnings }: Prepared, log: Log): void {
  for (const warning of warnings) log.warn(warning);
  for (const fault of serverFaults) log.warn(`a server is unavailable: ${fault.message}`);
  for (const { name, allow } of config.servers)
    if (allow.length === 0) log.warn(`server ${name} exposes nothing: it has no allow rule`);
  if (token === undefined)
    log.warn("no server.auth_token_file: whoever reaches the listener may call");
}

function shownPlace(place: string): string {
  return place.startsWith("http:") ? `${place}/mcp` : place;
}

function doorRules(config: GatewayConfig, log: Log): DoorRules {
  return { server: config.server, maxConnections: capacityOf(config, log) };
}

/** The connections that a listener takes, with a word where they are fewer than configured. */
function capacityOf(config: GatewayConfig, log: Log): number {
  const openFiles = readOpenFilesLimit();
  const connections = connectionsWithin(openFiles, config);
  if (connections < config.server.maxConnections)
    log.warn(
      `the system allows ${openFiles} open files, which leaves room for ${connections} connections a listener: raise it (ulimit -n), or lower server.max_connections`,
    );
  return connections;
}

/** Ends the sessions whose folder is not allowed any more: their servers may run in it. */
async function endAllOutside(sessions: Sessions): Promise<void> {
  const judged = [...sessions.all()].map(async (session) => {
    if (session.cwd !== undefined && !(await session.cwd.isStillAllowed())) sessions.end(session);
  });
  await Promise.all(judged);
}

function authenticateBy(token: Secret | undefined): Authenticate {
  return createAuthenticate(token && revealSecret(token));
}

/** The credential of everyone who is let in. */
function credentialOf(authenticate: Authenticate, token: Secret | undefined): string | undefined {
  return authenticate(token && `Bearer ${revealSecret(token)}`)?.credential;
}

/** A fault of ours in one request ends that request, and never the gateway. */
function createContainment(log: Log) {
  return (response: ServerResponse, work: () => void) => {
    try {
      work();
    } catch (error) {
      log.error(`a request failed: ${error instanceof Error ? error.message : "unknown fault"}`);
      response.destroy();
    }
  };
}
