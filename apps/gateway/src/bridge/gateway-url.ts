import { CommandError } from "@core/terminal";
import type { Endpoint } from "../harness/endpoint.ts";

/** The variable that tells an agent in a container where the gateway is. */
export const URL_VARIABLE = "WRAPTOOL_URL";

/** Where a gateway is, and the folder to work in where the endpoint does not say it itself. */
export interface GatewayPlace {
  readonly endpoint: Endpoint;
  readonly cwd?: string | undefined;
}

/**
 * A gateway and a folder as one URL: `http://host:8717/mcp?cwd=…`, and for a socket `unix:///path#/mcp?cwd=…`, as VS Code
 * dials it.
 */
export function formatGatewayUrl(endpoint: Endpoint, cwd: string): string {
  const url = new URL(endpoint.kind === "url" ? endpoint.url : "http://localhost/mcp");
  url.searchParams.set("cwd", cwd);
  if (endpoint.kind === "url") return url.href;
  const path = endpoint.path.split("/").map(encodeURIComponent).join("/");
  return `unix://${path}#${url.pathname}${url.search}`;
}

/** Reads what formatGatewayUrl writes, and any other URL of a gateway. Throws CommandError, which names the variable. */
export function readGatewayUrl(text: string): GatewayPlace {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "unix:") return readSocketUrl(url);
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw refuse("must be an http://, https:// or unix:/// URL");
  if (url.username !== "" || url.password !== "")
    throw refuse("must not hold a user name or password, which process lists would show");
  url.hash = "";
  return { endpoint: { kind: "url", url } };
}

function readSocketUrl({ host, pathname, search, hash }: URL): GatewayPlace {
  const path = decode(pathname);
  if (host !== "" || search !== "" || path.length < 2)
    throw refuse("must name a socket as unix:///path");
  const inside = new URL(hash.slice(1) || "/mcp", "http://localhost");
  if (inside.pathname !== "/mcp") throw refuse("must have #/mcp after the path of a socket");
  return {
    endpoint: { kind: "socket", path },
    cwd: inside.searchParams.get("cwd") ?? undefined,
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refuse("has a % in its path that encodes nothing"); // The cause would quote the value.
  }
}

function refuse(reason: string): CommandError {
  return new CommandError("INVALID_URL", `${URL_VARIABLE} ${reason}`, {
    hint: "For example http://127.0.0.1:8717/mcp or unix:///run/wraptool.sock#/mcp?cwd=/home/me/app; or name the gateway with --url or --socket",
  });
}
