import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { createScrubber, revealSecret, type Scrubber } from "@core/config";
import { createLog, type Log } from "./audit/log.ts";
import { createAuthenticate } from "./auth/bearer.ts";
import { createCwdCheck } from "./auth/cwd.ts";
import type { ServerConfig } from "./config/config.ts";
import { createCallTool } from "./exchange/call.ts";
import { createExchange } from "./exchange/exchange.ts";
import type { Identity } from "./exchange/initialize.ts";
import { createListTools } from "./exchange/list.ts";
import { DRAIN_MS, SESSION_ID_BYTES } from "./limits.ts";
import { openDoors } from "./listener/doors.ts";
import { createWatch, type Snapshot } from "./listener/watch.ts";
import { createPolicy, type Policy } from "./policy/policy.ts";
import type { Prepared } from "./prepared.ts";
import { createScrub, type Scrub } from "./response/scrub.ts";
import { createEndpoint } from "./session/endpoint.ts";
import { createRevisions } from "./session/revisions.ts";
import { createSessions } from "./session/sessions.ts";
import { readCatalogue } from "./upstream/catalogue.ts";
import { openConnection } from "./upstream/connection.ts";
import { createUpstream, type Upstream } from "./upstream/upstream.ts";

/** A gateway that serves. */
export interface Gateway {
  /** Where it listens: `http://HOST:PORT`, or a socket's path. */
  readonly places: readonly string[];
  /** Lets calls in flight finish for a while, then ends everything. */
  stop(): Promise<void>;
  /** Kills every server at once, for a process that is about to end itself. */
  kill(): void;
}

export interface GatewayOptions {
  readonly identity: Identity;
  /** Takes one log line. */
  write(line: string): void;
}

/** Makes the rooms from left to right and opens the listeners last. Rejects with StartError; then nothing is left. */
export async function startGateway(prepared: Prepared, options: GatewayOptions): Promise<Gateway> {
  const { config, token, secrets } = prepared;
  const { identity } = options;
  const scrubber = createScrubber(secrets);
  const log = createLog({
    ...config.log,
    write: options.write,
    scrub: scrubber.scrub,
    now: () => new Date(),
  });
  for (const warning of scrubber.warnings) log.warn(warning);
  for (const fault of prepared.serverFaults) log.warn(`a server is unavailable: ${fault.message}`);
  for (const { name, allow } of config.servers)
    if (allow.length === 0) log.warn(`server ${name} exposes nothing: it has no allow rule`);
  if (token === undefined)
    log.warn("no server.auth_token_file: whoever reaches the listener may call");

  const scrub = createScrub(scrubber, secrets.length > 0);
  const policy = createPolicy(config.servers);
  const sessions = createSessions({
    ...config.mcp,
    now: monotonic,
    newId: () => randomBytes(SESSION_ID_BYTES).toString("base64url"),
  });
  const revisions = createRevisions(sessions.all);
  const upstreams = createUpstreams(prepared, {
    policy,
    log,
    scrubber,
    scrub,
    identity,
    onChange: revisions.advance,
  });
  const endpoint = createEndpoint({
    sessions,
    exchange: createExchange({
      callTool: createCallTool({
        policy,
        upstreams,
        timeoutOf: durationOf(config.servers, ({ timeoutMs }) => timeoutMs),
        scrub,
      }),
      listTools: createListTools({
        upstreams: [...upstreams.values()].filter(({ name }) => policy.exposedBy(name).size > 0),
        waitFor: durationOf(config.servers, ({ initTimeoutMs }) =>
          Math.min(initTimeoutMs, config.mcp.listWaitMs),
        ),
        revision: revisions.current,
      }),
    }),
    identity,
    revisions,
  });
  const startedAt = monotonic();
  let stopping = false;
  const snapshot = (): Snapshot => ({
    version: identity.version,
    uptimeSeconds: (monotonic() - startedAt) / 1000,
    stopping,
    sessions: sessions.size,
    connections: listeners.reduce((sum, { connections }) => sum + connections, 0),
    ...endpoint.counts(),
    servers: [],
  });
  const listeners = await openDoors({
    server: config.server,
    authenticate: createAuthenticate(token && revealSecret(token)),
    cwdCheck: createCwdCheck(config.mcp.cwdRoots),
    endpoint,
    watch: createWatch(snapshot),
    contain: createContainment(log),
  });
  for (const { place } of listeners) log.info(`listening on ${place}/mcp`);

  return {
    places: listeners.map(({ place }) => place),
    async stop() {
      stopping = true;
      log.info("shutting down");
      for (const listener of listeners) listener.stopAccepting();
      await endpoint.drain(DRAIN_MS);
      sessions[Symbol.dispose]();
      await Promise.all([...upstreams.values()].map((upstream) => upstream.stop()));
      // Last, so that what was answered has had time to leave.
      await Promise.all(listeners.map((listener) => listener.close()));
    },
    kill() {
      for (const upstream of upstreams.values()) upstream.kill();
    },
  };
}

const monotonic = () => performance.now();

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

interface UpstreamRooms {
  readonly policy: Policy;
  readonly log: Log;
  readonly scrubber: Scrubber;
  readonly scrub: Scrub;
  readonly identity: Identity;
  onChange(): void;
}

function createUpstreams(
  { config, environments }: Prepared,
  { policy, log, scrubber, scrub, identity, onChange }: UpstreamRooms,
): ReadonlyMap<string, Upstream> {
  const create = (server: ServerConfig): Upstream => {
    const { name, command, args, workingDir: cwd, initTimeoutMs } = server;
    const environment = environments.get(name);
    return createUpstream({
      name,
      problem: environment?.problem && "an env file cannot be used",
      log,
      now: monotonic,
      onChange,
      open: (events) =>
        openConnection({
          name,
          child: {
            command,
            args,
            cwd,
            env: environment?.variables ?? {},
            maxMessageBytes: config.mcp.maxMessageBytes,
            scrubber,
          },
          initTimeoutMs,
          clientInfo: identity,
          ...events,
        }),
      async read(connection) {
        const { entries, missing } = await readCatalogue(
          connection,
          policy.exposedBy(name),
          initTimeoutMs,
        );
        return { entries: entries.map(scrub.message), missing };
      },
    });
  };
  return new Map(config.servers.map((server) => [server.name, create(server)]));
}

function durationOf(
  servers: readonly ServerConfig[],
  read: (server: ServerConfig) => number,
): (name: string) => number {
  const durations = new Map(servers.map((server) => [server.name, read(server)]));
  return (name) => durations.get(name) ?? 0;
}
