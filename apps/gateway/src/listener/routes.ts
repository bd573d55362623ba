import type { IncomingMessage, ServerResponse } from "node:http";
import type { Authenticate } from "../auth/bearer.ts";
import type { OriginVerdict } from "../auth/origin.ts";
import { REFUSALS } from "../errors.ts";
import { WRONG_TOKEN_DELAY_MS } from "../limits.ts";
import { refuse, sendJson } from "../session/refuse.ts";
import type { McpRoute, McpRoutes } from "./mcp.ts";
import { parseTarget } from "./target.ts";
import type { Watch } from "./watch.ts";

export interface RoutesOptions {
  isAllowedHost(host: string | undefined): boolean;
  checkOrigin(origin: string | undefined): OriginVerdict;
  readonly authenticate: Authenticate;
  readonly mcp: McpRoutes;
  readonly watch: Watch;
}

/** Every path that is served; the rest is not found. */
export const PATHS = [
  "/mcp",
  "/sse",
  "/messages",
  "/healthz",
  "/readyz",
  "/status",
  "/metrics",
] as const;
type Path = (typeof PATHS)[number];

const HEALTHY = Buffer.from('{"status":"ok"}');

/** The one handler of a listener. The order of its guards is the order of safety. */
export function createRoutes(options: RoutesOptions) {
  const { isAllowedHost, checkOrigin, authenticate, mcp, watch } = options;
  /** What needs the token. */
  const routes: Readonly<Record<Exclude<Path, "/healthz">, McpRoute>> = {
    "/mcp": mcp.mcp,
    "/sse": mcp.sse,
    "/messages": mcp.messages,
    "/readyz": read((response) => watch.ready(response)),
    "/status": read((response) => watch.status(response)),
    "/metrics": read((response) => watch.metrics(response)),
  };
  const served = new Map<string, McpRoute>(Object.entries(routes));
  return (request: IncomingMessage, response: ServerResponse) => {
    const { headers, method } = request;
    const target = parseTarget(request.url);
    const { path } = target;

    if (!isAllowedHost(headers.host)) return refuse(response, REFUSALS.host);
    const origin = checkOrigin(headers.origin);
    if (origin === "refused") return refuse(response, REFUSALS.origin);
    if (origin === "listed") {
      allowOrigin(response, headers.origin as string);
      // A preflight carries no token.
      if (method === "OPTIONS") return answerPreflight(request, response);
    }

    if (path === "/healthz")
      return isRead(method) ? sendJson(response, 200, HEALTHY) : refuse(response, REFUSALS.getOnly);
    // A client that asks for OAuth metadata must learn that there is none, not that it needs a token for it.
    if (path.startsWith("/.well-known/")) return refuse(response, REFUSALS.path);

    const caller = authenticate(headers.authorization);
    if (caller === undefined) return refuseCaller(response, headers.authorization);
    const route = served.get(path);
    if (route === undefined) return refuse(response, REFUSALS.path);
    return route(request, response, caller, target);
  };
}

/** A page that is only read. */
function read(answer: (response: ServerResponse) => void): McpRoute {
  return ({ method }, response) =>
    isRead(method) ? answer(response) : refuse(response, REFUSALS.getOnly);
}

function isRead(method: string | undefined): boolean {
  return method === "GET" || method === "HEAD";
}

/** A wrong token is answered late, so that guessing is slow. */
function refuseCaller(response: ServerResponse, authorization: string | undefined): void {
  const answer = () => refuse(response, REFUSALS.credential);
  if (authorization === undefined) answer();
  else setTimeout(answer, WRONG_TOKEN_DELAY_MS);
}

/** Lets a listed page read the answers (Fetch standard, CORS protocol). */
function allowOrigin(response: ServerResponse, origin: string): void {
  response.setHeader("Access-Control-Allow-Origin", origin);
  response.setHeader("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate");
  response.setHeader("Vary", "Origin");
}

const ALLOWED_HEADERS = [
  "Accept",
  "Authorization",
  "Content-Type",
  "Last-Event-ID",
  "Mcp-Session-Id",
  "MCP-Protocol-Version",
  "Mcp-Method",
  "Mcp-Name",
];

function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  // A tool's schema names these, and a wildcard would not cover Authorization.
  const asked = (request.headers["access-control-request-headers"] ?? "").split(",");
  const mirrored = asked
    .map((name) => name.trim())
    .filter((name) => /^mcp-param-[\w-]+$/i.test(name));
  response.setHeader("Access-Control-Allow-Methods", "GET, POST, DELETE");
  response.setHeader("Access-Control-Allow-Headers", [...ALLOWED_HEADERS, ...mirrored].join(", "));
  response.setHeader("Access-Control-Max-Age", "600");
  response.writeHead(204).end();
}
