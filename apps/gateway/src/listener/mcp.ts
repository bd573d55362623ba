import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../auth/bearer.ts";
import type { AllowedCwd, CwdCheck } from "../auth/cwd.ts";
import { REFUSALS, type Refusal } from "../errors.ts";
import { mediaType, parseAccept } from "../session/accept.ts";
import type { Endpoint } from "../session/endpoint.ts";
import type { EndpointRequest } from "../session/endpoint-request.ts";
import { refuse } from "../session/refuse.ts";
import { readBody } from "./body.ts";
import type { Target } from "./target.ts";

/** Serves a path of MCP for a known caller. */
export type McpRoute = (
  request: IncomingMessage,
  response: ServerResponse,
  caller: Caller,
  target: Target,
) => void;

export interface McpRoutes {
  /** `/mcp`: Streamable HTTP. */
  readonly mcp: McpRoute;
  /** `/sse`: a GET opens a legacy stream; all else is as at `/mcp`, since some clients try only this. */
  readonly sse: McpRoute;
  /** `/messages`: the posts to a legacy stream. */
  readonly messages: McpRoute;
}

export interface McpRoutesOptions {
  readonly endpoint: Endpoint;
  /** The largest body of a request, which a reload may change. */
  maxBodyBytes(): number;
  readonly cwdCheck: CwdCheck;
  /** Whether the listener is one that only this machine reaches. */
  readonly isLocal: boolean;
  /** Runs what answers a response, and ends the response if that fails. */
  contain(response: ServerResponse, work: () => void): void;
}

/** Turns HTTP requests into what the endpoint takes, or refuses them for their headers, folder or body's size. */
export function createMcpRoutes(options: McpRoutesOptions): McpRoutes {
  const { endpoint, maxBodyBytes, cwdCheck, isLocal, contain } = options;

  /** Goes on with the request once its folder is known to be allowed. */
  function admit(
    { cwd }: Target,
    response: ServerResponse,
    next: (cwd: AllowedCwd | undefined) => void,
  ) {
    if (cwd === undefined) return next(undefined);
    if (cwd === null) return refuse(response, REFUSALS.cwd);
    cwdCheck.admit(cwd, isLocal).then((allowed) => {
      if (hasLeft(response)) return;
      contain(response, () => (allowed ? next(allowed) : refuse(response, REFUSALS.cwd)));
    });
  }

  function take(request: IncomingMessage, asked: EndpointRequest, onBody: (body: Buffer) => void) {
    const { response } = asked;
    readBody(request, maxBodyBytes(), (body) => {
      if (body === undefined) refuse(response, REFUSALS.bodyTooLarge);
      else if (!hasLeft(response)) contain(response, () => onBody(body));
    });
  }

  function serve(
    request: IncomingMessage,
    response: ServerResponse,
    caller: Caller,
    target: Target,
    onGet: (asked: EndpointRequest) => void,
  ) {
    const { headers, method } = request;
    const accept = parseAccept(headers.accept);
    const refusal = refusalOf(method, accept, headers);
    if (refusal !== undefined) return refuse(response, refusal);
    admit(target, response, (cwd) => {
      const asked = { response, caller, cwd, headers, accept };
      if (method === "POST") take(request, asked, (body) => endpoint.post(body, asked));
      else if (method === "GET") onGet(asked);
      else endpoint.delete(asked);
    });
  }

  return {
    mcp: (request, response, caller, target) =>
      serve(request, response, caller, target, endpoint.get),
    sse(request, response, caller, target) {
      const hasSession = request.headers["mcp-session-id"] !== undefined;
      serve(request, response, caller, target, hasSession ? endpoint.get : endpoint.openSse);
    },
    messages(request, response, caller, target) {
      const { headers, method } = request;
      if (method !== "POST") return refuse(response, REFUSALS.postOnly);
      if (!isJson(headers)) return refuse(response, REFUSALS.mediaType);
      admit(target, response, (cwd) => {
        const asked = { response, caller, cwd, headers, accept: parseAccept(headers.accept) };
        take(request, asked, (body) => endpoint.postMessage(body, target.sessionId, asked));
      });
    },
  };
}

/** A client that is gone before it is served would never be heard to leave. */
function hasLeft(response: ServerResponse): boolean {
  return response.destroyed;
}

/** What a request is turned away with for its method or headers alone. */
function refusalOf(
  method: string | undefined,
  accept: EndpointRequest["accept"],
  headers: IncomingMessage["headers"],
): Refusal | undefined {
  switch (method) {
    case "POST":
      if (!accept.json && !accept.events) return REFUSALS.accept;
      return isJson(headers) ? undefined : REFUSALS.mediaType;
    case "GET":
      return accept.events ? undefined : REFUSALS.eventsOnly;
    case "DELETE":
      return undefined;
    default:
      return REFUSALS.method;
  }
}

function isJson(headers: IncomingMessage["headers"]): boolean {
  const encoding = headers["content-encoding"] ?? "identity";
  const type = headers["content-type"] ?? "";
  const plain = type === "application/json" || mediaType(type) === "application/json";
  return plain && encoding.toLowerCase() === "identity";
}
