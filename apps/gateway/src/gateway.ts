import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { revealSecret, type Secret } from "@core/config";
import { createLog, type Log } from "./audit/log.ts";
import { type Authenticate, createAuthenticate } from "./auth/bearer.ts";
import { createCwdCheck } from "./auth/cwd.ts";
import type { GatewayConfig } from "./config/config.ts";
import { StartError } from "./errors.ts";
import type { Identity } from "./exchange/initialize.ts";
import { DRAIN_MS, SESSION_ID_BYTES } from "./limits.ts";
import { connectionsWithin, readOpenFilesLimit } from "./listener/capacity.ts";
import { openDoors } from "./listener/doors.ts";
import type { Listener } from "./listener/listener.ts";
import { createRefusals } from "./listener/refusals.ts";
import type { Snapshot } from "./listener/snapshot.ts";
import { createWatch } from "./listener/watch.ts";
import type { Prepared } from "./prepared.ts";
import { createServing } from "./serving.ts";
import { createEndpoint } from "./session/endpoint.ts";
import { createRevisions } from "./session/revisions.ts";
import { createSessions } from "./session/sessions.ts";
import { createTickets } from "./session/tickets.ts";

/** A gateway that serves. */
export interface Gateway {
  /**
   * Takes another configuration over; servers whose entry is the same go on. Rejects with ConfigError or StartError, and then
   * everything is as it was.
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
  /** It listens at these places (`http://HOST:PORT`, or a socket's path), and has not said so yet. */
  onListening(places: readonly string[]): void;
}

/** Makes the rooms from left to right and opens the listeners last. Rejects with StartError; then nothing is left. */
export async function startGateway(prepared: Prepared, options: GatewayOptions): Promise<Gateway> {
  const { config } = prepared;
  const { identity } = options;
  let { scrub } = prepared.scrubber;
  const log = createLog({
    ...config.log,
    write: options.write,
    scrub: (text) => scrub(text),
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
    connections: listeners.reduce((sum, { connections }) => sum + connections, 0),
    ...endpoint.counts(),
    servers: serving.servers(),
  });
  let running = prepared;
  let authenticate = authenticateBy(prepared.token);
  let cwdCheck = createCwdCheck(config.mcp.cwdRoots);
  // The first of several is asked before the last one is open.
  let listeners: readonly Listener[] = [];
  listeners = await openDoors({
    server: config.server,
    maxConnections: capacityOf(config, log),
    refusals: createRefusals(log.warn),
    authenticate: (header) => authenticate(header),
    cwdCheck: { admit: (asked, isLocal) => cwdCheck.admit(asked, isLocal) },
    endpoint,
    watch: createWatch(snapshot),
    contain: createContainment(log),
  }).catch(async (error) => {
    sessions[Symbol.dispose]();
    await serving.stop();
    throw error;
  });
  const places = listeners.map(({ place }) => place);
  options.onListening(places);
  for (const place of places)
    log.info(`listening on ${place.startsWith("http:") ? `${place}/mcp` : place}`);

  return {
    async reload(next) {
      const [fault] = [...next.faults, ...next.serverFaults];
      if (fault !== undefined) throw fault;
      const fixed = findFixed(running.config, next.config);
      if (fixed !== undefined)
        throw new StartError("NEEDS_RESTART", `${fixed} is another one, which needs a restart`, {
          hint: "Stop the gateway and start it again",
        });
      scrub = next.scrubber.scrub;
      running = next;
      authenticate = authenticateBy(next.token);
      cwdCheck = createCwdCheck(next.config.mcp.cwdRoots);
      const credential = credentialOf(authenticate, next.token);
      for (const session of [...sessions.all()])
        if (session.caller.credential !== credential) sessions.end(session);
      warn(next, log);
      await serving.reload(next);
    },
    async stop() {
      stopping = true;
      log.info("shutting down");
      for (const listener of listeners) listener.stopAccepting();
      await endpoint.drain(DRAIN_MS);
      sessions[Symbol.dispose]();
      await serving.stop();
      // Last, so that what was answered has had time to leave.
      await Promise.all(listeners.map((listener) => listener.close()));
    },
    kill: serving.kill,
  };
}

const monotonic = () => performance.now();

/** What works all the same, and is worth a word. */
function warn({ config, token, serverFaults, scrubber }: Prepared, log: Log): void {
  for (const warning of scrubber.warnings) log.warn(warning);
  for (const fault of serverFaults) log.warn(`a server is unavailable: ${fault.message}`);
  for (const { name, allow } of config.servers)
    if (allow.length === 0) log.warn(`server ${name} exposes nothing: it has no allow rule`);
  if (token === undefined)
    log.warn("no server.auth_token_file: whoever reaches the listener may call");
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

function authenticateBy(token: Secret | undefined): Authenticate {
  return createAuthenticate(token && revealSecret(token));
}

/** The credential of everyone who is let in. */
function credentialOf(authenticate: Authenticate, token: Secret | undefined): string | undefined {
  return authenticate(token && `Bearer ${revealSecret(token)}`)?.credential;
}

/** The key that differs and that only a start reads. */
function findFixed(before: GatewayConfig, after: GatewayConfig): string | undefined {
  const fixed = ({ server, mcp, log }: GatewayConfig): [string, unknown][] => [
    ["server.listen", server.listen],
    ["server.socket", server.socket],
    ["server.allowed_hosts", server.allowedHosts],
    ["server.allowed_origins", server.allowedOrigins],
    ["server.max_body", server.maxBodyBytes],
    ["server.max_connections", server.maxConnections],
    ["mcp.max_sessions", mcp.maxSessions],
    ["mcp.idle_timeout", mcp.idleTimeoutMs],
    ["log", log],
  ];
  const old = new Map(fixed(before));
  const differing = fixed(after).find(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(old.get(key)),
  );
  return differing?.[0];
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
