import type { IncomingMessage, ServerResponse } from "node:http";
import type { Authenticate, Caller } from "../auth/bearer.ts";
import type { OriginVerdict } from "../auth/origin.ts";
import { REFUSALS } from "../errors.ts";
import { WRONG_TOKEN_DELAY_MS } from "../limits.ts";
import { refuse, sendJson } from "../session/refuse.ts";

export interface RoutesOptions {
  isAllowedHost(host: string | undefined): boolean;
  checkOrigin(origin: string | undefined): OriginVerdict;
  readonly authenticate: Authenticate;
  /** Serves `/mcp` for a known caller. */
  mcp(request: IncomingMessage, response: ServerResponse, caller: Caller): void;
}

const HEALTHY = Buffer.from('{"status":"ok"}');

/** The one handler of a listener. The order of its guards is the order of safety. */
export function createRoutes(options: RoutesOptions) {
  const { isAllowedHost, checkOrigin, authenticate, mcp } = options;
  return (request: IncomingMessage, response: ServerResponse) => {
    const { headers, method } = request;
    const path = pathOf(request.url);

    if (!isAllowedHost(headers.host)) return refuse(response, REFUSALS.host);
    const origin = checkOrigin(headers.origin);
    if (origin === "refused") return refuse(response, REFUSALS.origin);
    if (origin === "listed") {
      allowOrigin(response, headers.origin as string);
      // A preflight carries no token.
      if (method === "OPTIONS") return answerPreflight(response);
    }

    if (path === "/healthz") return sendJson(response, 200, HEALTHY);
    // A client that asks for OAuth metadata must learn that there is none, not that it needs a token for it.
    if (path.startsWith("/.well-known/")) return refuse(response, REFUSALS.path);

    const caller = authenticate(headers.authorization);
    if (caller === undefined) return refuseCaller(response, headers.authorization);
    if (path !== "/mcp") return refuse(response, REFUSALS.path);
    return mcp(request, response, caller);
  };
}

/** A wrong token is answered late, so that guessing is slow. */
function refuseCaller(response: ServerResponse, authorization: string | undefined): void {
  const answer = () => refuse(response, REFUSALS.credential);
  if (authorization === undefined) answer();
  else setTimeout(answer, WRONG_TOKEN_DELAY_MS);
}

function pathOf(url = ""): string {
  const end = url.indexOf("?");
  return end === -1 ? url : url.slice(0, end);
}

/** Lets a listed page read the answers (Fetch standard, CORS protocol). */
function allowOrigin(response: ServerResponse, origin: string): void {
  response.setHeader("Access-Control-Allow-Origin", origin);
  response.setHeader("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate");
  response.setHeader("Vary", "Origin");
}

function answerPreflight(response: ServerResponse): void {
  response.setHeader("Access-Control-Allow-Methods", "GET, POST, DELETE");
  response.setHeader(
    "Access-Control-Allow-Headers",
    "Accept, Authorization, Content-Type, Last-Event-ID, Mcp-Session-Id, MCP-Protocol-Version",
  );
  response.setHeader("Access-Control-Max-Age", "600");
  response.writeHead(204).end();
}
