import { CommandError } from "@core/terminal";
import { isLoopback, isWildcard, parseAddress } from "../config/address.ts";
import type { HostAddress } from "./host-address.ts";

/** How a container gets to the daemon. */
export type Reach =
  | {
      readonly kind: "url";
      /** As the container dials it, without `?cwd=`. */
      readonly url: URL;
      /** The options of `run` that the URL's host needs. */
      readonly options: readonly string[];
      /** Whether the daemon takes the container for a client on its own machine. */
      readonly isLocal: boolean;
    }
  /** `path`: the socket on the host. */
  | { readonly kind: "socket"; readonly path: string; readonly isLocal: true };

/**
 * Chooses among the listeners of a daemon's record: with a bridge a socket, where a mounted one works, else the first TCP
 * listener that the container can reach. Throws CommandError where there is none.
 */
export function chooseReach(
  listeners: readonly string[],
  { address, withBridge }: { address: HostAddress; withBridge: boolean },
): Reach {
  const socket = listeners.find((place) => !isTcp(place));
  if (withBridge && address.sharesSockets && socket !== undefined)
    return { kind: "socket", path: socket, isLocal: true };
  const tcp = listeners.filter(isTcp);
  const [reach] = tcp.flatMap((place) => dial(place, address) ?? []);
  if (reach !== undefined) return reach;
  throw tcp.length > 0 ? onLoopbackOnly(tcp, address, socket !== undefined) : onSocketOnly(address);
}

/** The URL that was named. It needs the options of the host's own name only where it holds that name. */
export function reachUrl(url: URL, { name, options }: HostAddress): Reach {
  // Whether it leads to a listener on the loopback is not known here, and the daemon looks for itself.
  return { kind: "url", url, options: url.hostname === name ? options : [], isLocal: true };
}

function isTcp(place: string): boolean {
  return place.startsWith("http:");
}

function dial(place: string, { name, options, reachesLoopback }: HostAddress): Reach | undefined {
  const listener = parseAddress(place.replace(/^http:\/\//, ""));
  if (listener === undefined) return undefined;
  const { host } = listener;
  const url = new URL("/mcp", place);
  const isLocal = isLoopback(host);
  // Another address of the host is one that containers route to; the name could lead to another one.
  if (!isLocal && !isWildcard(host)) return { kind: "url", url, options: [], isLocal };
  // What is sent on to the loopback goes to 127.0.0.1.
  if (isLocal && (!reachesLoopback || host === "::1")) return undefined;
  url.hostname = name;
  return { kind: "url", url, options, isLocal };
}

function onLoopbackOnly(
  listeners: readonly string[],
  { listenOn, runtime, sharesSockets }: HostAddress,
  hasSocket: boolean,
): CommandError {
  const port = new URL(listeners[0] ?? "").port;
  const socket = hasSocket ? "use --bridge" : "serve a socket too and use --bridge";
  const other = sharesSockets ? `; or ${socket}, if the image has node 20 or newer` : "";
  return new CommandError(
    "LOOPBACK_ONLY",
    `A container cannot reach the daemon: it listens on loopback only (${listeners.join(", ")}), and the loopback of a container is its own`,
    {
      hint: `Add ${listenOn}:${port} to server.listen, where ${runtime} leads, set server.auth_token_file, and start the daemon again${other}`,
    },
  );
}

function onSocketOnly({ sharesSockets, listenOn }: HostAddress): CommandError {
  const why = sharesSockets
    ? "and without --bridge a container needs TCP"
    : "which does not work inside the virtual machine that containers run in here";
  const bridge = sharesSockets ? "Use --bridge, if the image has node 20 or newer; or set" : "Set";
  return new CommandError("SOCKET_ONLY", `The daemon serves a socket only, ${why}`, {
    hint: `${bridge} server.transport: [sse, unix] and server.listen: ${listenOn}:8717, and start the daemon again`,
  });
}
