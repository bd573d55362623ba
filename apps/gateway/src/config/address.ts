import { isIP } from "node:net";

/** Where a TCP listener binds. */
export interface Address {
  /** An IP address without brackets, or a host name. */
  readonly host: string;
  /** 0 asks the system for a free port. */
  readonly port: number;
}

/** Reads `HOST:PORT` or `[IPV6]:PORT`; undefined for anything else. */
export function parseAddress(text: string): Address | undefined {
  const parts = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text);
  if (parts === null) return undefined;
  const [, ipv6, name, digits] = parts;
  const host = (ipv6 ?? name) as string;
  const port = Number(digits);
  if (port > 65_535 || (ipv6 !== undefined && isIP(ipv6) !== 6)) return undefined;
  if (ipv6 === undefined && !isHostName(host)) return undefined;
  return Object.freeze({ host, port });
}

export function formatAddress({ host, port }: Address): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Whether only this machine can reach the host: `localhost` (RFC 6761 §6.3), 127.0.0.0/8 or ::1. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return name === "localhost" || name === "::1" || (isIP(name) === 4 && name.startsWith("127."));
}

/** Whether the host means every address of the machine. */
export function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

/** A dotted number that is no IPv4 address (`127.1`) would be read in surprising ways. */
function isHostName(host: string): boolean {
  return isIP(host) === 4 || (/^[A-Za-z0-9_.-]+$/.test(host) && !/^[\d.]+$/.test(host));
}
