import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { createSpillStore, sweepSpills } from "@core/bounds";
import { createGroups } from "@core/wire";
import { createPromptCatalogs } from "./catalog/prompts.ts";
import { createReferences } from "./catalog/references.ts";
import { createResourceCatalogs } from "./catalog/resources.ts";
import { createToolCatalogs } from "./catalog/tools.ts";
import { createSecrets } from "./channel/secrets.ts";
import { type Entry, loadConfiguration } from "./config/load.ts";
import { createConnect } from "./connection/connect.ts";
import { createPool } from "./connection/pool.ts";
import type { Adapter, AdapterOptions, PackagedServer } from "./host.ts";
import { limits } from "./limits.ts";
import { createPackagedServers } from "./registry/packaged.ts";
import { createRegistry } from "./registry/registry.ts";
import type { Retention } from "./result/bound.ts";
import { createShutdown } from "./shutdown.ts";
import { toolDefinition } from "./tool/definition.ts";
import { executeRequest } from "./tool/execute.ts";
import { policyContext } from "./tool/policy.ts";

declare const __VERSION__: string;

const APP = "travis234-mcp-adapter";

/** Packages register once for the whole process, before or after hosts make their adapters. */
const packagedServers = createPackagedServers();

/**
 * Makes a server that a trusted package ships available to every adapter made from now on (A9). It wins over a
 * configured server of its name. The same descriptor again changes nothing. Throws an error that says which rule a
 * descriptor breaks, or that another server of its name is registered.
 */
export function registerPackagedServer(server: PackagedServer): void {
  packagedServers.register(server);
}

/**
 * Reads the configuration and makes one session's adapter. Nothing is connected before a request names a server.
 * Disposing of it cancels what runs, ends all servers and removes all files, within 8 s.
 */
export async function createAdapter(options: AdapterOptions): Promise<Adapter> {
  return compose(options, packagedServers.entries());
}

/** As {@link createAdapter}, for a host in another process that keeps the packaged servers itself. */
export async function createAdapterWith(
  shipped: readonly PackagedServer[],
  options: AdapterOptions,
): Promise<Adapter> {
  const packaged = createPackagedServers();
  for (const server of shipped) packaged.admit(server);
  return compose(options, packaged.entries());
}

function compose(options: AdapterOptions, packaged: ReadonlyMap<string, Entry>): Adapter {
  const { cwd, home, env, trustProject = false, offline = false, spillFolder: folder } = options;
  const registry = createRegistry(loadConfiguration({ home, cwd, trustProject }), packaged);
  const secrets = createSecrets();
  const groups = createGroups({ app: APP, parent: tmpdir(), uid: process.getuid?.() });
  // What killed adapters left behind goes while this one works.
  const sweep = Promise.allSettled([groups.sweep(), sweepSpills({ app: APP })]);
  const pool = createPool({
    connect: createConnect({ cwd, env, offline, version: __VERSION__, secrets, groups }),
    now: Date.now,
    random: Math.random,
  });
  // What is to outlive its process has a name that no later sweep looks for.
  const place = folder === undefined ? { app: APP } : { app: `${APP}-kept`, parent: folder };
  const spills = createSpillStore({ ...place, quotaBytes: limits.maxSpillBytes });
  const bounds = { spills, retention: retentionOf(options), scrub: secrets.scrub };
  const rooms = {
    registry,
    pool,
    tools: createToolCatalogs(),
    resources: createResourceCatalogs(),
    prompts: createPromptCatalogs(),
    references: createReferences(() => randomBytes(16).toString("hex")),
  };
  const removeSpills = async () => {
    if (folder === undefined) await spills[Symbol.asyncDispose]();
  };
  const shutDown = createShutdown({
    endings: [pool.close, () => sweep],
    cleanups: [groups.settle, removeSpills],
    after,
  });

  return {
    tool: toolDefinition,
    servers: registry.names,
    ignoredProjectFiles: registry.report.ignoredProjectFiles,
    policyContext: (request) => policyContext(request, registry.names),
    execute: (request, { signal } = {}) => executeRequest(request, rooms, bounds, signal),
    [Symbol.asyncDispose]: shutDown,
  };
}

/** Does not keep the process alive on its own. */
function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

function retentionOf({ spillFolder, oneShot = false }: AdapterOptions): Retention {
  if (spillFolder !== undefined) return "folder";
  return oneShot ? "process" : "session";
}
