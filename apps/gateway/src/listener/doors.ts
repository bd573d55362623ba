import type { ServerResponse } from "node:http";
import { networkInterfaces } from "node:os";
import { createHostCheck } from "../auth/host.ts";
import { createOriginCheck } from "../auth/origin.ts";
import { type Address, isLoopback } from "../config/address.ts";
import type { GatewayConfig } from "../config/config.ts";
import type { Listener, ListenOptions } from "./listener.ts";
import { createMcpRoutes, type McpRoutesOptions } from "./mcp.ts";
import { createRoutes, type RoutesOptions } from "./routes.ts";
import { listenTcp } from "./tcp.ts";
import { listenUnix } from "./unix.ts";

/** What stands behind every listener alike. */
export type DoorsOptions = Pick<RoutesOptions, "authenticate" | "watch"> &
  Pick<McpRoutesOptions, "endpoint" | "cwdCheck" | "contain"> &
  Pick<ListenOptions, "maxConnections" | "refusals"> & {
    readonly server: GatewayConfig["server"];
  };

/** Opens every listener of the configuration, or none. Rejects with StartError. */
export async function openDoors(options: DoorsOptions): Promise<readonly Listener[]> {
  const { server } = options;
  const doors = server.listen.map((address) => () => openTcp(address, options));
  const { socket } = server;
  if (socket !== undefined) doors.push(() => openSocket(socket, options));
  const listeners: Listener[] = [];
  try {
    for (const open of doors) listeners.push(await open());
    return listeners;
  } catch (error) {
    await Promise.all(listeners.map((listener) => listener.close()));
    throw error;
  }
}

/** Web pages reach a TCP port: who they are and how they call it is looked at first. */
function openTcp(address: Address, options: DoorsOptions): Promise<Listener> {
  const { server } = options;
  const guards = {
    isAllowedHost: createHostCheck({ ...server, machineAddresses: machineAddresses() }),
    checkOrigin: createOriginCheck(server.allowedOrigins),
  };
  return listenTcp(address, listenOptions(guards, isLoopback(address.host), options));
}

/** No web page reaches a socket, and its mode says who may. */
function openSocket(path: string, options: DoorsOptions): Promise<Listener> {
  const guards = { isAllowedHost: () => true, checkOrigin: () => "absent" as const };
  return listenUnix(path, listenOptions(guards, true, options));
}

function listenOptions(
  guards: Pick<RoutesOptions, "isAllowedHost" | "checkOrigin">,
  isLocal: boolean,
  { server, maxConnections, refusals, ...options }: DoorsOptions,
) {
  const { authenticate, watch, endpoint, cwdCheck, contain } = options;
  const { maxBodyBytes } = server;
  const mcp = createMcpRoutes({ endpoint, maxBodyBytes, cwdCheck, isLocal, contain });
  const routes = createRoutes({ ...guards, authenticate, mcp, watch });
  return {
    maxConnections,
    refusals,
    handle: (...[request, response]: Parameters<typeof routes>) =>
      contain(response as ServerResponse, () => routes(request, response)),
  };
}

function machineAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).map(({ address }) => address),
  );
}
