import type { ClientEntry, ClientRow, EntryToken } from "@core/clients";
import { CommandError } from "@core/terminal";
import { formatAddress, isLoopback, isWildcard } from "../config/address.ts";
import type { GatewayConfig } from "../config/config.ts";

/** Where clients find the daemon. */
export type Endpoint =
  | { readonly kind: "url"; readonly url: URL }
  | { readonly kind: "socket"; readonly path: string };

/** What an entry says beside the endpoint. */
export interface EntryDetails {
  /** The project's folder; absent in a global file, which serves all of them. */
  readonly cwd?: string | undefined;
  readonly token?: EntryToken | undefined;
  /** Where a bridge finds the token. */
  readonly tokenFile?: string | undefined;
  /** The words that run this program. */
  readonly launcher: readonly [string, ...string[]];
}

/**
 * The endpoint that was named, else the first one that the configuration serves: TCP before the socket, since few clients
 * can dial a socket. Throws CommandError for a URL that clients could not use.
 */
export function chooseEndpoint(
  { listen, socket }: Pick<GatewayConfig["server"], "listen" | "socket">,
  named: string | undefined,
): Endpoint {
  if (named !== undefined) return { kind: "url", url: readUrl(named) };
  const [address] = listen;
  if (address === undefined) return { kind: "socket", path: socket ?? "" };
  const loopback = address.host === "::" ? "::1" : "127.0.0.1";
  const host = isWildcard(address.host) ? loopback : address.host;
  return { kind: "url", url: new URL(`http://${formatAddress({ ...address, host })}/mcp`) };
}

/** Throws CommandError where the port changes with each start, so that no entry could name it. */
export function requireFixedPort(endpoint: Endpoint): void {
  if (endpoint.kind === "url" && endpoint.url.port === "0")
    throw new CommandError("NO_FIXED_PORT", "the daemon takes another port with each start", {
      hint: "Set a port in server.listen, or name the daemon's URL with --url",
    });
}

/** Whether a client of this row reaches the endpoint only through a program that it starts. */
export function needsBridge(row: ClientRow, endpoint: Endpoint): boolean {
  return endpoint.kind === "socket" || row.http === undefined;
}

/** The entry that connects a client of this row. A path that it does not speak becomes `/mcp`. */
export function connectEntry(
  row: ClientRow,
  endpoint: Endpoint,
  details: EntryDetails,
): ClientEntry {
  if (endpoint.kind === "socket") return bridgeEntry(["--socket", endpoint.path], details);
  const url = new URL(endpoint.url);
  const isSse = url.pathname.endsWith("/sse") && row.sse !== undefined;
  if (!isSse) url.pathname = url.pathname.replace(/\/(?:sse)?$/, "/mcp");
  if (needsBridge(row, endpoint)) return bridgeEntry(["--url", url.href], details);
  const { cwd, token } = details;
  if (cwd !== undefined) url.searchParams.set("cwd", cwd);
  return { kind: isSse ? "sse" : "http", url: url.href, ...(token && { token }) };
}

/** A bridge, which finds the token by itself. */
function bridgeEntry(
  to: readonly string[],
  { launcher, cwd, tokenFile }: EntryDetails,
): ClientEntry {
  const [command, ...words] = launcher;
  const args = [...words, "bridge", ...to];
  if (tokenFile !== undefined) args.push("--token-file", tokenFile);
  if (cwd !== undefined) args.push("--cwd", cwd);
  return { kind: "stdio", command, args };
}

/**
 * Whether an entry that nothing records is one of ours: it leads to this endpoint, or under the usual name to a gateway on
 * this machine, and says nothing more. A server of somebody else's under another name is never taken for ours.
 */
export function isOwnEntry(
  entry: ClientEntry,
  { endpoint, usesDefaultName }: { endpoint: Endpoint; usesDefaultName: boolean },
): boolean {
  if (entry.kind === "stdio") return isBridge([entry.command, ...entry.args], usesDefaultName);
  if (!URL.canParse(entry.url)) return false;
  const url = new URL(entry.url);
  const hasOurPath =
    /^\/(?:mcp|sse)$/.test(url.pathname) && [...url.searchParams.keys()].every((k) => k === "cwd");
  const isSameOrigin = endpoint.kind === "url" && url.origin === endpoint.url.origin;
  const isLocal = usesDefaultName && isLoopback(url.hostname.replace(/^\[|\]$/g, ""));
  return hasOurPath && (isSameOrigin || isLocal);
}

/** `wraptool bridge --socket …`, and under the usual name also where node runs the script. */
function isBridge(words: readonly string[], usesDefaultName: boolean): boolean {
  const at = words.indexOf("bridge");
  const flag = words[at + 1];
  if (at < 1 || at > 2 || (flag !== "--socket" && flag !== "--url")) return false;
  const program = /[^/\\]*$/.exec(words[at - 1] ?? "")?.[0];
  if (program === "cli.js") return usesDefaultName;
  return program === "wraptool" || program === "wraptool.cmd";
}

function readUrl(text: string): URL {
  const refuse = (reason: string) =>
    new CommandError("INVALID_URL", `--url ${reason}`, {
      hint: "For example --url http://127.0.0.1:8717/mcp",
    });
  if (!URL.canParse(text)) throw refuse("must be a whole URL");
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol)) throw refuse("must begin with http:// or https://");
  if (url.username !== "" || url.password !== "")
    throw refuse("must not hold a user name or password, which clients would print");
  url.hash = "";
  return url;
}
