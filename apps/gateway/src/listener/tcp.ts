import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Address, formatAddress } from "../config/address.ts";
import { StartError } from "../errors.ts";
import {
  HEADERS_TIMEOUT_MS,
  IDLE_CONNECTION_MS,
  REQUEST_TIMEOUT_MS,
  TCP_PROBE_AFTER_MS,
} from "../limits.ts";

/** A bound TCP listener. */
export interface Listener {
  /** Where it really listens: with the port that the system chose, if it was asked to. */
  readonly address: Address;
  /** Takes no connection from now on, and closes those that do nothing. */
  stopAccepting(): void;
  /** Closes every connection. */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly maxConnections: number;
  handle(request: IncomingMessage, response: ServerResponse): void;
}

/** Binds one address. Rejects with StartError. */
export async function listenTcp(address: Address, options: ListenOptions): Promise<Listener> {
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: IDLE_CONNECTION_MS,
      keepAlive: true,
      keepAliveInitialDelay: TCP_PROBE_AFTER_MS,
    },
    options.handle,
  );
  server.maxConnections = options.maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(bindError(address, error)));
    server.listen(address, resolve);
  });
  const { port } = server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  const stopAccepting = () => {
    closed ??= new Promise((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
  };
  return {
    address: { host: address.host, port },
    stopAccepting,
    async close() {
      stopAccepting();
      server.closeAllConnections();
      await closed;
    },
  };
}

function bindError(address: Address, cause: Error): StartError {
  const where = formatAddress(address);
  switch ((cause as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new StartError(
        "ADDRESS_IN_USE",
        `Cannot listen on ${where}: another process uses this port`,
        { hint: "Stop that process, or choose another port in server.listen", cause },
      );
    case "EACCES":
      return new StartError(
        "CANNOT_LISTEN",
        `Cannot listen on ${where}: the system does not allow it`,
        {
          hint: "Choose a port above 1023 in server.listen",
          cause,
        },
      );
    default:
      return new StartError(
        "CANNOT_LISTEN",
        `Cannot listen on ${where}: this machine has no such address`,
        {
          hint: "Choose an address of this machine in server.listen",
          cause,
        },
      );
  }
}
