import { readFileSync } from "node:fs";
import type { GatewayConfig } from "../config/config.ts";
import { CHILD_DESCRIPTORS, MIN_CONNECTIONS, RESERVED_DESCRIPTORS } from "../limits.ts";

/** How many files the system lets this process have open; Infinity where it does not tell. */
export function readOpenFilesLimit(): number {
  try {
    const [, soft] =
      readFileSync("/proc/self/limits", "utf8").match(/^Max open files +(\d+)/m) ?? [];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity; // a system without /proc
  }
}

/**
 * The connections that each listener takes: what is configured, or what the system leaves room for beside the servers. A
 * gateway that runs out of descriptors could neither refuse a connection with a word nor start a server.
 */
export function connectionsWithin(openFiles: number, { server, servers }: GatewayConfig): number {
  const listeners = server.listen.length + (server.socket === undefined ? 0 : 1);
  const children = servers.reduce((sum, { isolation, maxChildren }) => {
    return sum + (isolation === "session" ? maxChildren : 1);
  }, 0);
  const left = openFiles - RESERVED_DESCRIPTORS - children * CHILD_DESCRIPTORS;
  const each = Math.max(MIN_CONNECTIONS, Math.floor(left / listeners));
  return Math.min(server.maxConnections, each);
}
