import { type Address, isLoopback, isWildcard } from "../config/address.ts";

/** The names by which container runtimes call the machine that they run on. */
const CONTAINER_NAMES = ["host.docker.internal", "host.containers.internal"];

export interface HostRules {
  readonly listen: readonly Address[];
  /** Further names from the configuration. */
  readonly allowedHosts: readonly string[];
  /** The machine's own addresses, which a wildcard listener answers on. */
  readonly machineAddresses: readonly string[];
}

/**
 * Makes the check of the Host header that stops DNS rebinding: a page of another site that makes its own name point
 * here still sends that name. Any port passes, because forwarded ports differ.
 */
export function createHostCheck(rules: HostRules): (host: string | undefined) => boolean {
  const { listen, allowedHosts, machineAddresses } = rules;
  const names = new Set([...CONTAINER_NAMES, ...allowedHosts, ...listen.map(({ host }) => host)]);
  if (listen.some(({ host }) => isWildcard(host)))
    for (const address of machineAddresses) names.add(address);
  const allowed = new Set([...names].map((name) => name.toLowerCase()));
  return (header) => {
    const host = hostName(header);
    // The set first: it holds where most requests go, and looking at an address costs more.
    return host !== undefined && (allowed.has(host) || isLoopback(host));
  };
}

/** The name in `NAME[:PORT]` or `[IPV6][:PORT]`, in lower case; undefined for anything else, such as user information. */
export function hostName(header: string | undefined): string | undefined {
  const parts = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9_.-]+))(?::\d{1,5})?$/.exec(header ?? "");
  return (parts?.[1] ?? parts?.[2])?.toLowerCase();
}
