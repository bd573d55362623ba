import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { networkInterfaces } from "node:os";
import { createScrubber, revealSecret, type Scrubber } from "@core/config";
import { createLog, type Log } from "./audit/log.ts";
import { createAuthenticate } from "./auth/bearer.ts";
import { createHostCheck } from "./auth/host.ts";
import { createOriginCheck } from "./auth/origin.ts";
import { type Address, formatAddress } from "./config/address.ts";
import type { ServerConfig } from "./config/config.ts";
import { createCallTool } from "./exchange/call.ts";
import { createExchange } from "./exchange/exchange.ts";
import type { Identity } from "./exchange/initialize.ts";
import { createListTools } from "./exchange/list.ts";
import { DRAIN_MS, SESSION_ID_BYTES } from "./limits.ts";
import { createMcpRoute } from "./listener/mcp.ts";
import { createRoutes } from "./listener/routes.ts";
import { type Listener, type ListenOptions, listenTcp } from "./listener/tcp.ts";
import { createPolicy, type Policy } from "./policy/policy.ts";
import type { Prepared } from "./prepared.ts";
import { notification } from "./response/message.ts";
import { createScrub, type Scrub } from "./response/scrub.ts";
import { createEndpoint } from "./session/endpoint.ts";
import type { Session } from "./session/session.ts";
import { createSessions } from "./session/sessions.ts";
import { readCatalogue } from "./upstream/catalogue.ts";
import { openConnection } from "./upstream/connection.ts";
import { createUpstream, type Upstream } from "./upstream/upstream.ts";

/** A gateway that serves. */
export interface Gateway {
  readonly addresses: readonly Address[];
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

const LIST_CHANGED = notification("notifications/tools/list_changed");

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
    onStream: revisions.announce,
  });
  const contain = createContainment(log);
  const routes = createRoutes({
    isAllowedHost: createHostCheck({ ...config.server, machineAddresses: machineAddresses() }),
    checkOrigin: createOriginCheck(config.server.allowedOrigins),
    authenticate: createAuthenticate(token && revealSecret(token)),
    mcp: createMcpRoute({ endpoint, maxBodyBytes: config.server.maxBodyBytes, contain }),
  });
  const listeners = await listenAll(config.server.listen, {
    maxConnections: config.server.maxConnections,
    handle: (request, response) => contain(response, () => routes(request, response)),
  });
  for (const { address } of listeners)
    log.info(`listening on http://${formatAddress(address)}/mcp`);

  return {
    addresses: listeners.map(({ address }) => address),
    async stop() {
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

/** Counts the changes of the exposed tools, and tells each session that has seen an older list. */
function createRevisions(sessions: () => Iterable<Session>) {
  let revision = 0;
  const announce = (session: Session) => {
    if (session.toldRevision === undefined || session.toldRevision === revision) return;
    if (session.announcements === undefined) return;
    session.toldRevision = revision;
    session.announcements.send(LIST_CHANGED);
  };
  return {
    current: () => revision,
    announce,
    advance() {
      revision++;
      for (const session of sessions()) announce(session);
    },
  };
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

/** Binds all addresses or none. */
async function listenAll(addresses: readonly Address[], options: ListenOptions) {
  const listeners: Listener[] = [];
  try {
    for (const address of addresses) listeners.push(await listenTcp(address, options));
    return listeners;
  } catch (error) {
    await Promise.all(listeners.map((listener) => listener.close()));
    throw error;
  }
}

function machineAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).map(({ address }) => address),
  );
}
