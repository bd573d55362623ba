import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../auth/bearer.ts";
import { REFUSALS } from "../errors.ts";
import { mediaType, parseAccept } from "../session/accept.ts";
import type { Endpoint } from "../session/endpoint.ts";
import { refuse } from "../session/refuse.ts";
import { readBody } from "./body.ts";

export interface McpRouteOptions {
  readonly endpoint: Endpoint;
  readonly maxBodyBytes: number;
  /** Runs what answers a response, and ends the response if that fails. */
  contain(response: ServerResponse, work: () => void): void;
}

/** Turns one HTTP request to `/mcp` into what the endpoint takes, or refuses it for its headers or its body's size. */
export function createMcpRoute({ endpoint, maxBodyBytes, contain }: McpRouteOptions) {
  return (request: IncomingMessage, response: ServerResponse, caller: Caller) => {
    const { headers } = request;
    const accept = parseAccept(headers.accept);
    const asked = {
      response,
      caller,
      sessionId: single(headers["mcp-session-id"]),
      protocolVersion: single(headers["mcp-protocol-version"]),
    };
    switch (request.method) {
      case "POST":
        if (!accept.json && !accept.events) return refuse(response, REFUSALS.accept);
        if (!isJson(headers)) return refuse(response, REFUSALS.mediaType);
        return readBody(request, maxBodyBytes, (body) => {
          if (body === undefined) refuse(response, REFUSALS.bodyTooLarge);
          else contain(response, () => endpoint.post(body, accept, asked));
        });
      case "GET":
        if (!accept.events) return refuse(response, REFUSALS.eventsOnly);
        return endpoint.get(asked);
      case "DELETE":
        return endpoint.delete(asked);
      default:
        return refuse(response, REFUSALS.method);
    }
  };
}

/** Node joins a header that stands twice, and then it names no session and no version. */
function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(", ") : value;
}

function isJson(headers: IncomingMessage["headers"]): boolean {
  const encoding = headers["content-encoding"] ?? "identity";
  const type = headers["content-type"] ?? "";
  const plain = type === "application/json" || mediaType(type) === "application/json";
  return plain && encoding.toLowerCase() === "identity";
}
