import type { Groups } from "@core/wire";
import { ChildStartError, type JsonObject } from "@core/wire";
import type { Channel } from "../channel/channel.ts";
import { requireOffline } from "../channel/offline.ts";
import { openNetwork } from "../channel/open-network.ts";
import { type Environment, type ResolvedServer, resolveServer } from "../channel/resolve.ts";
import type { Secrets } from "../channel/secrets.ts";
import { openStdio } from "../channel/stdio.ts";
import type { ServerDefinition } from "../config/schema.ts";
import { AdapterError } from "../errors.ts";
import { limits } from "../limits.ts";
import { agree } from "./agree.ts";
import { type Client, createClient } from "./client.ts";
import type { Era } from "./handshake.ts";
import { createLine } from "./line.ts";

/** What every connect of a session has in common. */
export interface ConnectSurroundings {
  readonly cwd: string;
  /** Looked at anew for each connect. */
  readonly env: Environment;
  readonly offline: boolean;
  readonly version: string;
  /** Gets every resolved value before it is used. */
  readonly secrets: Secrets;
  /** Remembers the processes of stdio servers. */
  readonly groups: Groups;
}

export type Connect = (
  definition: ServerDefinition,
  signal: AbortSignal,
  onLost: (client: Client, failure: AdapterError) => void,
) => Promise<Client>;

/** One attempt at one server: references, transport, handshake. What each server speaks is kept for the session (A22). */
export function createConnect(surroundings: ConnectSurroundings): Connect {
  const clientInfo: JsonObject = { name: "travis234-mcp-adapter", version: surroundings.version };
  const eras = new Map<string, Era>();
  return async (definition, signal, onLost) => {
    const server = resolveServer(definition, surroundings.env);
    surroundings.secrets.add(server.secrets);
    const permitted = surroundings.offline ? requireOffline(server) : server;
    const timeoutMs = timeoutOf(definition);
    const open = async () =>
      createLine(await openChannel(permitted, surroundings, timeoutMs), clientInfo);
    const { name } = definition;
    try {
      const agreed = await agree({ open, clientInfo, known: eras.get(name), timeoutMs, signal });
      eras.set(name, agreed.era);
      return createClient({ agreed, kind: server.kind, timeoutMs, onLost });
    } catch (error) {
      // A server that refuses what it took before has become another one.
      if (error instanceof AdapterError && error.code === "CONNECT_FAILED") eras.delete(name);
      throw error;
    }
  };
}

/** Milliseconds for the handshake and each request; zero and less mean the default (A23). */
function timeoutOf({ requestTimeoutMs = 0 }: ServerDefinition): number {
  return requestTimeoutMs > 0 ? requestTimeoutMs : limits.defaultRequestMs;
}

/** The SDK, which is needed for HTTP alone, is loaded with the first server that is reached by it. */
async function openChannel(
  server: ResolvedServer,
  surroundings: ConnectSurroundings,
  timeoutMs: number,
): Promise<Channel> {
  if (server.kind === "http") {
    const { openHttp } = await import("../channel/http.ts");
    return openHttp(server, await openNetwork(server.url, surroundings.env, timeoutMs));
  }
  try {
    return await openStdio(server, surroundings);
  } catch (error) {
    if (!(error instanceof ChildStartError)) throw error;
    throw new AdapterError("START_FAILED", error.message, { cause: error });
  }
}
