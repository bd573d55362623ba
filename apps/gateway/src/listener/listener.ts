import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import {
  CONNECTION_CHECK_MS,
  HEADERS_TIMEOUT_MS,
  IDLE_CONNECTION_MS,
  MAX_HEADER_BYTES,
  REQUEST_TIMEOUT_MS,
  TCP_PROBE_AFTER_MS,
} from "../limits.ts";
import type { Refusals } from "./refusals.ts";

/** A bound listener. */
export interface Listener {
  /** Where it really listens, as a client writes it: `http://HOST:PORT`, or the socket's path. */
  readonly place: string;
  /** Open connections. */
  readonly connections: number;
  /** Takes so many connections from now on; those above it that are open stay open. */
  limit(maxConnections: number): void;
  /** Takes no connection from now on, and closes those that do nothing. Settles when none is left. */
  stopAccepting(): Promise<void>;
  /** Closes every connection. */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly maxConnections: number;
  /** Milliseconds for a request's headers, and for the whole request. */
  readonly headersTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Told of connections that cannot be taken. */
  readonly refusals: Refusals;
}

/** Makes a server that is not bound yet. What is slow, idle or too much is cut off by it. */
export function createHttpServer(options: ListenOptions): Server {
  const { headersTimeoutMs = HEADERS_TIMEOUT_MS, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(CONNECTION_CHECK_MS, headersTimeoutMs),
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: IDLE_CONNECTION_MS,
      keepAlive: true,
      keepAliveInitialDelay: TCP_PROBE_AFTER_MS,
    },
    options.handle,
  );
  const { refusals } = options;
  server.maxConnections = options.maxConnections;
  server.on("drop", () => refusals.add(`${server.maxConnections} are open, and no more are taken`));
  server.on("listening", () =>
    // From now on it is one connection that fails, and not the listener.
    server.on("error", ({ code }: NodeJS.ErrnoException) =>
      refusals.add(`the system has no room for it (${code})`),
    ),
  );
  return server;
}

/** What a bound server is to the gateway; `release` runs after the last connection has closed. */
export function createListener(
  server: Server,
  place: string,
  release: () => Promise<void> = async () => {},
): Listener {
  let connections = 0;
  let closed: Promise<void> | undefined;
  server.on("connection", (socket) => {
    connections++;
    socket.once("close", () => connections--);
  });
  const stopAccepting = () => {
    closed ??= new Promise((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    return closed;
  };
  return {
    place,
    get connections() {
      return connections;
    },
    limit(maxConnections) {
      server.maxConnections = maxConnections;
    },
    stopAccepting,
    async close() {
      const over = stopAccepting();
      server.closeAllConnections();
      await over;
      await release();
    },
  };
}
