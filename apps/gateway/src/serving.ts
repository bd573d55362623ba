import { randomBytes } from "node:crypto";
import { mkdirSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { createSpillStore, type SpillStore, sweepSpills } from "@core/bounds";
import { createGroups } from "@core/wire";
import { type Audit, createAudit, NO_AUDIT } from "./audit/audit.ts";
import type { Log } from "./audit/log.ts";
import type { OutputLimits, ServerConfig } from "./config/config.ts";
import { createCallTool } from "./exchange/call.ts";
import { createRecordDenied } from "./exchange/denial.ts";
import type { Exchange } from "./exchange/exchange.ts";
import { createExchange } from "./exchange/exchange.ts";
import { createExposure, type Exposure } from "./exchange/exposure.ts";
import { createHeldCalls } from "./exchange/held.ts";
import type { Identity } from "./exchange/initialize.ts";
import { createFollowUp } from "./exchange/input.ts";
import { createList } from "./exchange/list.ts";
import { createParamHeaders } from "./exchange/param-headers.ts";
import { createPrompts } from "./exchange/prompt.ts";
import { createReadResource } from "./exchange/read.ts";
import { createRelay } from "./exchange/relay.ts";
import { createServerRequests } from "./exchange/server-request.ts";
import { createSessionSubscribers } from "./exchange/session-subscribers.ts";
import { createSubscribing } from "./exchange/subscribe.ts";
import { createSubscribers, type SubscriptionRules } from "./exchange/subscribers.ts";
import { createSubscriptionOffer } from "./exchange/subscription-offer.ts";
import {
  MAX_SESSION_SUBSCRIPTIONS,
  MAX_SUBSCRIPTIONS,
  SESSION_ID_BYTES,
  SPILL_QUOTA_BYTES,
} from "./limits.ts";
import { createPins, type Pins } from "./policy/pins.ts";
import { createPolicy } from "./policy/policy.ts";
import { createPromptPolicy } from "./policy/prompt.ts";
import { createResourcePolicy } from "./policy/resource.ts";
import type { Prepared } from "./prepared.ts";
import { createBound } from "./response/bound.ts";
import { createScrub, type Scrub } from "./response/scrub.ts";
import { createSpills } from "./response/spills.ts";
import { readCatalogue } from "./upstream/catalogue.ts";
import type { ClientSession } from "./upstream/client-session.ts";
import { LIST_KINDS, type ListKind } from "./upstream/list-kind.ts";
import { createOpen } from "./upstream/open.ts";
import type { ResourceUpdate } from "./upstream/resource-update.ts";
import { rootsOf } from "./upstream/roots.ts";
import {
  createIsolatedUpstream,
  createSharedUpstream,
  type Upstream,
  type UpstreamStatus,
} from "./upstream/upstream.ts";

/** Everything behind the sessions: what a reload replaces, and the servers that it leaves running. */
export interface Serving {
  readonly exchange: Exchange;
  servers(): readonly (UpstreamStatus & { readonly name: string; readonly exposed: number })[];
  /** Takes another configuration over, all at once. Servers whose entry is the same go on. */
  reload(prepared: Prepared): Promise<void>;
  stop(): Promise<void>;
  kill(): void;
}

export interface ServingOptions {
  readonly identity: Identity;
  readonly log: Log;
  /** Where the accepted definitions of pinned tools are kept. */
  readonly pinFile: string;
  /** A monotonic clock in milliseconds. */
  now(): number;
  /** What clients see of this list is not what it was. */
  onListChanged(kind: ListKind): void;
  revision(): number;
}

/** The name under which answers are kept in the temporary folder. */
const APP = "wraptool";

/** What one configuration comes to. */
interface Generation {
  readonly prepared: Prepared;
  readonly scrub: Scrub;
  readonly audit: Audit;
  readonly exposure: Exposure;
  readonly upstreams: ReadonlyMap<string, Upstream>;
  readonly exchange: Exchange;
  readonly subscriptionRules: SubscriptionRules;
}

export function createServing(prepared: Prepared, options: ServingOptions): Serving {
  const { log, now, onListChanged } = options;
  const store: SpillStore = createSpillStore({ app: APP, quotaBytes: SPILL_QUOTA_BYTES });
  const groups = createGroups({ app: APP, parent: tmpdir(), uid: process.getuid?.() });
  // What gateways that were killed have left behind goes while this one works.
  void Promise.allSettled([groups.sweep(), sweepSpills({ app: APP })]);
  const spills = createSpills(store);
  const bound = createBound(spills);
  const pins = createPins(options.pinFile);
  const serverRequests = createServerRequests(() => current.scrub);
  const heldCalls = createHeldCalls({
    newState: () => randomBytes(SESSION_ID_BYTES).toString("base64url"),
    scrub: (message) => current.scrub.message(message),
  });
  const subscribers = createSubscribers({
    rules: () => current.subscriptionRules,
    maxOfSession: MAX_SESSION_SUBSCRIPTIONS,
    maxInAll: MAX_SUBSCRIPTIONS,
  });
  const sessionSubscribers = createSessionSubscribers(subscribers.removeAll);
  const keys = new WeakMap<Upstream, string>();

  function createUpstream(server: ServerConfig, from: Prepared): Upstream {
    const { name } = server;
    /** As it is configured now, where a reload left the process alone. */
    const entry = () => current.prepared.config.servers.find((one) => one.name === name) ?? server;
    const environment = from.environments.get(name);
    const settings = {
      name,
      problem: environment?.problem && "an env file cannot be used",
      doubt: from.doubts.get(name),
      log,
      now,
      kinds: () => current.exposure.kindsOf(name),
      judged: () => (current.exposure.hasPins(name) ? (["tools"] as const) : []),
      open: createOpen({
        server,
        initTimeoutMs: () => entry().initTimeoutMs,
        variables: environment?.variables ?? {},
        maxMessageBytes: from.config.mcp.maxMessageBytes,
        clientInfo: options.identity,
        remember: groups.remember,
        scrubber: { stream: () => current.prepared.scrubber.stream() },
        onRequest: serverRequests.ask,
        onNotification: serverRequests.tell,
      }),
      read: (connection: Parameters<typeof readCatalogue>[0], kind: ListKind) =>
        readCatalogue(connection, kind, entry().initTimeoutMs),
      onRead: update,
      onUpdated: (change: ResourceUpdate, owner: ClientSession | undefined) =>
        subscribers.tell(change, name, owner),
    };
    const upstream =
      server.isolation === "session"
        ? createIsolatedUpstream(settings, () => entry().maxChildren)
        : createSharedUpstream(settings);
    keys.set(upstream, startKey(server, from));
    return upstream;
  }

  function createGeneration(from: Prepared, before: Generation | undefined): Generation {
    const { config, secrets, scrubber, checks } = from;
    const { servers } = config;
    const scrub = createScrub(scrubber, secrets.length > 0);
    const audit = auditFor(from, before);
    const upstreams = new Map(
      servers.map((server) => {
        const running = before?.upstreams.get(server.name);
        const goesOn = running !== undefined && keys.get(running) === startKey(server, from);
        return [server.name, goesOn ? running : createUpstream(server, from)] as const;
      }),
    );
    const policy = createPolicy(servers, checks);
    const resources = createResourcePolicy(servers);
    const prompts = createPromptPolicy(servers);
    const ordered = [...upstreams.values()];
    const rules = { policy, resources, prompts, pins };
    const exposure = createExposure({ ...rules, scrub, log, upstreams: ordered });
    const ofServer = <T>(read: (server: ServerConfig) => T, otherwise: T) => {
      const values = new Map(servers.map((server) => [server.name, read(server)]));
      return (name: string) => values.get(name) ?? otherwise;
    };
    const waitFor = ofServer(
      ({ initTimeoutMs }) => Math.min(initTimeoutMs, config.mcp.listWaitMs),
      0,
    );
    const timeoutOf = ofServer(({ timeoutMs }) => timeoutMs, 0);
    const relay = createRelay({
      upstreams,
      timeoutOf,
      limitsOf: ofServer<OutputLimits>(({ maxOutput }) => maxOutput, config.mcp.maxOutput),
      levelOf: serverRequests.levelOf,
      followUp: createFollowUp({
        serverRequests,
        tellsRoots: ofServer(({ tellsRoots }) => tellsRoots, false),
        rootsOf,
      }),
      scrub,
      bound,
      audit,
      now,
    });
    const mirrored = createParamHeaders(() => exposure.entries("tools"), options.revision);
    const denied = createRecordDenied(audit, scrub);
    const listing = { upstreams: ordered, exposure, waitFor, revision: options.revision };
    const prompting = createPrompts({
      exposure,
      permitRead: resources.permit,
      upstreams: ordered,
      waitFor,
      relay,
      denied,
    });
    const hasPrompts = prompts.servers.length > 0;
    const hasResources = resources.servers.length > 0;
    const exchange = createExchange({
      callTool: createCallTool({ policy, exposure, mirrored, upstreams, relay, denied, scrub }),
      readResource: createReadResource({ resources, spills, relay, denied }),
      list: (kind) => createList(listing, kind),
      getPrompt: prompting.get,
      complete: prompting.complete,
      has: { resources: hasResources, prompts: hasPrompts },
      serverRequests,
      heldCalls,
      subscribing: createSubscribing({
        permit: resources.permit,
        subscribers,
        sessions: sessionSubscribers,
        waitFor,
        denied,
        audit,
        scrub,
        now,
      }),
      offer: createSubscriptionOffer({
        upstreams: ordered.filter(({ name }) => resources.servers.includes(name)),
        waitFor,
      }),
      leave: subscribers.removeAll,
      announce: sessionSubscribers.announce,
    });
    const subscriptionRules = { permit: resources.permit, upstreams, timeoutOf, scrub };
    return { prepared: from, scrub, audit, exposure, upstreams, exchange, subscriptionRules };
  }

  function auditFor({ config }: Prepared, before: Generation | undefined): Audit {
    const { audit } = config;
    const same = JSON.stringify(audit) === JSON.stringify(before?.prepared.config.audit);
    if (before !== undefined && same) return before.audit;
    if (audit === undefined) return NO_AUDIT;
    const onFault = (reason: string) =>
      log.error(`cannot write the audit file (${reason}); calls go on, and lines wait`);
    const onRecovery = (lost: number) => {
      const lines = lost === 0 ? "no line is lost" : `${lost} lines are lost`;
      log.warn(`the audit file could not be written for a while; ${lines}`);
    };
    return createAudit({ ...audit, now: () => new Date(), onFault, onRecovery });
  }

  function update(kind: ListKind): void {
    if (current.exposure.update(kind)) onListChanged(kind);
  }

  let current = createGeneration(prepared, undefined);
  const pinWatch = watchPins(options.pinFile, pins, () => update("tools"));

  return {
    exchange: delegate(() => current.exchange),
    servers: () =>
      [...current.upstreams.values()].map((upstream) => ({
        name: upstream.name,
        exposed: current.exposure.countTools(upstream.name),
        ...upstream.status(),
      })),
    async reload(next) {
      const before = current;
      current = createGeneration(next, before);
      for (const upstream of current.upstreams.values()) upstream.forgive();
      for (const kind of LIST_KINDS) {
        current.exposure.update(kind);
        if (!isSame(before.exposure.entries(kind), current.exposure.entries(kind)))
          onListChanged(kind);
      }
      subscribers.judge();
      const kept = new Set(current.upstreams.values());
      const gone = [...before.upstreams.values()].filter((upstream) => !kept.has(upstream));
      await Promise.all(gone.map((upstream) => upstream.stop()));
      if (before.audit !== current.audit) await before.audit[Symbol.asyncDispose]();
    },
    async stop() {
      pinWatch.close();
      await Promise.all([...current.upstreams.values()].map((upstream) => upstream.stop()));
      await current.audit[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      await groups.settle();
    },
    kill() {
      for (const upstream of current.upstreams.values()) upstream.kill();
    },
  };
}

/** What a server was started with. The same text means that it need not be started again. */
function startKey(server: ServerConfig, { config, environments }: Prepared): string {
  const { allow: _a, deny: _d, namePrefix: _n, maxOutput: _o, ...rest } = server;
  const { timeoutMs: _t, initTimeoutMs: _i, maxChildren: _m, ...start } = rest;
  const environment = environments.get(server.name);
  const { maxMessageBytes } = config.mcp;
  const problem = environment?.problem?.message;
  return JSON.stringify([start, environment?.variables, problem, maxMessageBytes]);
}

/** Tells at once of what `pin accept` changes; without a watch it shows at the next list or call. */
function watchPins(file: string, pins: Pins, onChange: () => void): { close(): void } {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const watcher = watch(dirname(file), { persistent: false }, () => {
      if (pins.hasChanged()) onChange();
    });
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return { close() {} }; // no folder to watch, or no watches left
  }
}

function delegate(current: () => Exchange): Exchange {
  return {
    capabilities: () => current().capabilities(),
    learn: (session) => current().learn(session),
    serves: (method) => current().serves(method),
    request: (client) => current().request(client),
    notification: (...message) => current().notification(...message),
    answer: (...message) => current().answer(...message),
    listen: (...stream) => current().listen(...stream),
    leave: (subscriber) => current().leave(subscriber),
    announce: (session) => current().announce(session),
  };
}

function isSame(a: readonly Buffer[], b: readonly Buffer[]): boolean {
  return a.length === b.length && a.every((entry, index) => entry.equals(b[index] as Buffer));
}
