import type { ServerResponse } from "node:http";
import { networkInterfaces } from "node:os";
import { createHostCheck } from "../auth/host.ts";
import { createOriginCheck } from "../auth/origin.ts";
import { formatAddress, isLoopback } from "../config/address.ts";
import type { GatewayConfig } from "../config/config.ts";
import { isWindowsPipe } from "../config/socket.ts";
import { REFUSALS } from "../errors.ts";
import { refuse } from "../session/refuse.ts";
import type { Listener, ListenOptions } from "./listener.ts";
import { createMcpRoutes, type McpRoutesOptions } from "./mcp.ts";
import { listenPipe } from "./pipe.ts";
import { createRoutes, type RoutesOptions } from "./routes.ts";
import { listenTcp } from "./tcp.ts";
import { listenUnix } from "./unix.ts";

/** What the configuration says of the listeners. */
export interface DoorRules {
  readonly server: GatewayConfig["server"];
  /** Of each listener. */
  readonly maxConnections: number;
}

/** What stands behind every listener alike. */
export type DoorOptions = Pick<RoutesOptions, "authenticate" | "watch"> &
  Pick<McpRoutesOptions, "endpoint" | "cwdCheck" | "contain"> &
  Pick<ListenOptions, "refusals">;

/** A listener with what stands behind it. */
export interface Door {
  /** What the configuration calls it. */
  readonly name: string;
  /** Undefined for a socket. */
  readonly port: number | undefined;
  readonly listener: Listener;
  /** Serves from now on; before, everyone is told to try again. */
  serve(): void;
}

/** A door that may be opened. */
export interface Doorway extends Pick<Door, "name" | "port"> {
  /** Rejects with StartError. */
  open(): Promise<Door>;
}

/** What is looked at before anything else. */
export type Guards = Pick<RoutesOptions, "isAllowedHost" | "checkOrigin">;

/** Web pages reach a TCP port: who they are and how they call it is looked at first. */
export function guardsOf(server: GatewayConfig["server"]): Guards {
  return {
    isAllowedHost: createHostCheck({ ...server, machineAddresses: machineAddresses() }),
    checkOrigin: createOriginCheck(server.allowedOrigins),
  };
}

/** No web page reaches a socket or a pipe, and the system says who may. */
const SOCKET_GUARDS: Guards = { isAllowedHost: () => true, checkOrigin: () => "absent" };

/** The rules and guards of the moment, which a reload changes under open doors. */
export interface DoorState {
  rules(): DoorRules;
  guards(): Guards;
}

/** Every door that the rules name, in their order. */
export function doorwaysOf({ server }: DoorRules, state: DoorState, options: DoorOptions) {
  const guards: Guards = {
    isAllowedHost: (host) => state.guards().isAllowedHost(host),
    checkOrigin: (origin) => state.guards().checkOrigin(origin),
  };
  const doorways: Doorway[] = server.listen.map((address) => {
    const name = formatAddress(address);
    const { port } = address;
    const isLocal = isLoopback(address.host);
    return {
      name,
      port,
      async open() {
        const { serve, ...behind } = createBehind(guards, isLocal, state, options);
        return { name, port, listener: await listenTcp(address, behind), serve };
      },
    };
  });
  const { socket: name } = server;
  if (name !== undefined)
    doorways.push({
      name,
      port: undefined,
      async open() {
        const { serve, ...behind } = createBehind(SOCKET_GUARDS, true, state, options);
        const listen = isWindowsPipe(name) ? listenPipe : listenUnix;
        return { name, port: undefined, listener: await listen(name, behind), serve };
      },
    });
  return doorways;
}

function createBehind(
  guards: Guards,
  isLocal: boolean,
  { rules }: DoorState,
  { authenticate, watch, endpoint, cwdCheck, contain, refusals }: DoorOptions,
): ListenOptions & Pick<Door, "serve"> {
  const maxBodyBytes = () => rules().server.maxBodyBytes;
  const mcp = createMcpRoutes({ endpoint, maxBodyBytes, cwdCheck, isLocal, contain });
  const routes = createRoutes({ ...guards, authenticate, mcp, watch });
  let isServing = false;
  return {
    maxConnections: rules().maxConnections,
    refusals,
    handle(request, response) {
      if (isServing) contain(response as ServerResponse, () => routes(request, response));
      else refuse(response, REFUSALS.changing);
    },
    serve() {
      isServing = true;
    },
  };
}

function machineAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).map(({ address }) => address),
  );
}
