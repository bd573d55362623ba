import { createSpillStore } from "@core/bounds";
import { createToolCatalogs } from "./catalog/tools.ts";
import { createSecrets } from "./channel/secrets.ts";
import { loadConfiguration } from "./config/load.ts";
import { createConnect } from "./connection/connect.ts";
import { createPool } from "./connection/pool.ts";
import type { Adapter, AdapterOptions } from "./host.ts";
import { limits } from "./limits.ts";
import { createRegistry } from "./registry/registry.ts";
import type { Retention } from "./result/bound.ts";
import { toolDefinition } from "./tool/definition.ts";
import { executeRequest } from "./tool/execute.ts";

declare const __VERSION__: string;

/**
 * Reads the configuration and makes one session's adapter. Nothing is connected before a request names a server.
 * Disposing of it cancels what runs, ends all servers and removes all files, within 8 s.
 */
export async function createAdapter(options: AdapterOptions): Promise<Adapter> {
  const { cwd, home, env, trustProject = false, offline = false, spillFolder: folder } = options;
  const registry = createRegistry(loadConfiguration({ home, cwd, trustProject }));
  const secrets = createSecrets();
  const pool = createPool({
    connect: createConnect({ cwd, env, offline, version: __VERSION__, secrets }),
    now: Date.now,
    random: Math.random,
  });
  const spills = createSpillStore({
    app: "travis234-mcp-adapter",
    quotaBytes: limits.maxSpillBytes,
    ...(folder === undefined ? {} : { parent: folder }),
  });
  const bounds = { spills, retention: retentionOf(options), scrub: secrets.scrub };
  const rooms = { registry, pool, catalogs: createToolCatalogs() };
  let closed: Promise<void> | undefined;

  async function close(): Promise<void> {
    await pool.close();
    if (folder === undefined) await spills[Symbol.asyncDispose]();
  }

  return {
    tool: toolDefinition,
    execute: (request, { signal } = {}) => executeRequest(request, rooms, bounds, signal),
    async [Symbol.asyncDispose]() {
      closed ??= close();
      await closed;
    },
  };
}

function retentionOf({ spillFolder, oneShot = false }: AdapterOptions): Retention {
  if (spillFolder !== undefined) return "folder";
  return oneShot ? "process" : "session";
}
