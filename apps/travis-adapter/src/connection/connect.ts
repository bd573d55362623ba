import { ChildStartError } from "@core/wire";
import type { Channel } from "../channel/channel.ts";
import { requireOffline } from "../channel/offline.ts";
import { type Environment, type ResolvedServer, resolveServer } from "../channel/resolve.ts";
import type { Secrets } from "../channel/secrets.ts";
import { openStdio } from "../channel/stdio.ts";
import type { ServerDefinition } from "../config/schema.ts";
import { AdapterError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Client } from "./client.ts";

/** What every connect of a session has in common. */
export interface ConnectSurroundings {
  readonly cwd: string;
  /** Looked at anew for each connect. */
  readonly env: Environment;
  readonly offline: boolean;
  readonly version: string;
  /** Gets every resolved value before it is used. */
  readonly secrets: Secrets;
}

export type Connect = (
  definition: ServerDefinition,
  signal: AbortSignal,
  onLost: (client: Client, failure: AdapterError) => void,
) => Promise<Client>;

/** One attempt at one server: references, transport, handshake. The SDK is loaded when the first server needs it. */
export function createConnect(surroundings: ConnectSurroundings): Connect {
  return async (definition, signal, onLost) => {
    const server = resolveServer(definition, surroundings.env);
    surroundings.secrets.add(server.secrets);
    const permitted = surroundings.offline ? requireOffline(server) : server;
    const client = import("./client.ts");
    client.catch(() => {}); // awaited below, unless the channel fails first
    const channel = await openChannel(permitted, surroundings);
    return (await client).connectClient({
      channel,
      version: surroundings.version,
      timeoutMs: timeoutOf(definition),
      signal,
      onLost,
    });
  };
}

/** Milliseconds for the handshake and each request; zero and less mean the default (A23). */
function timeoutOf({ requestTimeoutMs = 0 }: ServerDefinition): number {
  return requestTimeoutMs > 0 ? requestTimeoutMs : limits.defaultRequestMs;
}

async function openChannel(
  server: ResolvedServer,
  surroundings: ConnectSurroundings,
): Promise<Channel> {
  if (server.kind === "http") return (await import("../channel/http.ts")).openHttp(server);
  try {
    return await openStdio(server, surroundings);
  } catch (error) {
    if (!(error instanceof ChildStartError)) throw error;
    throw new AdapterError("START_FAILED", error.message, { cause: error });
  }
}
