import { CommandError } from "@core/terminal";
import {
  CONNECTION_CLOSED,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
} from "@core/wire";
import { RETRY_AFTER_SECONDS } from "./limits.ts";

/** An HTTP request that is turned away before it reaches a server: its status, and the JSON-RPC error in its body. */
export interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  /** The error's `data`. */
  readonly data?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const refusal = (status: number, message: string, code: number = CONNECTION_CLOSED): Refusal =>
  Object.freeze({ status, code, message });

const notAllowed = (methods: string): Refusal =>
  Object.freeze({
    ...refusal(405, `Method not allowed: use ${methods}`),
    headers: Object.freeze({ Allow: methods }),
  });

/** The closed table of refusals. No sentence holds anything that the client sent. */
export const REFUSALS = Object.freeze({
  host: refusal(403, "Host header not allowed: add the name to server.allowed_hosts"),
  origin: refusal(403, "Origin not allowed: add it to server.allowed_origins"),
  path: refusal(404, "Not found: the MCP endpoints are /mcp and /sse"),
  credential: Object.freeze({
    ...refusal(401, "Unauthorized: send the gateway's token as Authorization: Bearer"),
    headers: Object.freeze({ "WWW-Authenticate": 'Bearer realm="wraptool"' }),
  }),
  method: notAllowed("POST, GET, DELETE"),
  postOnly: notAllowed("POST"),
  getOnly: notAllowed("GET, HEAD"),
  accept: refusal(406, "Not acceptable: accept application/json or text/event-stream"),
  eventsOnly: refusal(
    406,
    "Not acceptable: a GET of this endpoint is answered as text/event-stream",
  ),
  mediaType: refusal(415, "Unsupported media type: send application/json"),
  bodyTooLarge: refusal(413, "Request body too large: the limit is server.max_body"),
  json: refusal(400, "The body is not valid JSON", PARSE_ERROR),
  message: refusal(400, "The body is not one JSON-RPC 2.0 message", INVALID_REQUEST),
  batch: refusal(400, "Batches are not supported: send one message a request", INVALID_REQUEST),
  sessionMissing: refusal(400, "Mcp-Session-Id header missing: start with initialize"),
  sessionUnknown: refusal(404, "Session not found: start again with initialize", -32001),
  sessionsBusy: Object.freeze({
    ...refusal(429, "Too many sessions, and a call is in flight in each: try again later"),
    headers: Object.freeze({ "Retry-After": String(RETRY_AFTER_SECONDS) }),
  }),
  messageSession: refusal(
    400,
    "sessionId missing: open /sse and post to the endpoint that it names",
  ),
  streamUnknown: refusal(404, "Session not found: open /sse again", -32001),
  cwd: refusal(403, "?cwd= not allowed: it must name a folder inside mcp.allowed_cwd_roots"),
  cwdOther: refusal(403, "?cwd= differs from the folder that the session was opened for"),
  protocolVersion: refusal(400, "Unsupported MCP-Protocol-Version"),
  methodUnknown: refusal(404, "Method not found", METHOD_NOT_FOUND),
  filter: refusal(
    400,
    "params.notifications must be an object, and resourceSubscriptions in it a list of URIs",
    INVALID_PARAMS,
  ),
  changing: Object.freeze({
    ...refusal(503, "The gateway is taking over its configuration: try again"),
    headers: Object.freeze({ "Retry-After": "1" }),
  }),
  stopping: refusal(503, "The gateway is shutting down"),
});

/** What stands in a sentence before the words of a server itself. */
export const LAST_WORDS = ". Its last words: ";
export const REFUSED = ": it refused to initialize: ";

/** The sentence without what a server has said, which may name anything. */
export function withoutQuote(sentence: string): string {
  const end = [LAST_WORDS, REFUSED].map((mark) => sentence.indexOf(mark)).filter((at) => at >= 0);
  return end.length === 0 ? sentence : sentence.slice(0, Math.min(...end));
}

/** Why a call reached no answer of its server. */
export type UpstreamErrorCode =
  | "UNAVAILABLE"
  | "BUSY"
  | "START_FAILED"
  | "ENDED"
  | "TIMEOUT"
  | "OVERSIZE"
  | "BAD_ANSWER"
  | "CANCELLED"
  | "REFUSED"
  | "STOPPING";

/** A call that its server did not answer. The message is safe to show to a client: what it quotes is redacted. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  readonly code: UpstreamErrorCode;

  constructor(code: UpstreamErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Why the gateway could not start, or take another configuration over, although that is valid. */
export type StartErrorCode = "ADDRESS_IN_USE" | "CANNOT_LISTEN" | "STOPPING";

export class StartError extends CommandError {
  declare readonly code: StartErrorCode;

  constructor(code: StartErrorCode, message: string, options: { hint: string; cause?: unknown }) {
    super(code, message, options);
  }
}
