import type { GatewayConfig } from "../config/config.ts";
import { CHILD_DESCRIPTORS, MIN_CONNECTIONS, RESERVED_DESCRIPTORS } from "../limits.ts";

/** The part of Node's diagnostic report that is read. Windows has no such limits. */
interface LimitsReport {
  readonly userLimits?: { readonly open_files?: { readonly soft?: unknown } };
}

/** How many files the system lets this process have open; Infinity where it does not tell. */
export function readOpenFilesLimit(report: () => LimitsReport = reportOfProcess): number {
  const soft = report().userLimits?.open_files?.soft;
  return typeof soft === "number" ? soft : Infinity;
}

function reportOfProcess(): LimitsReport {
  // Otherwise it asks name servers who is connected. The types of Node 20 lack the switch.
  const source = process.report as NodeJS.ProcessReport & { excludeNetwork: boolean };
  const before = source.excludeNetwork;
  source.excludeNetwork = true;
  try {
    return source.getReport();
  } finally {
    source.excludeNetwork = before;
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
