import { cutText } from "@core/bounds";
import { limits } from "./limits.ts";

/** Every code of an {@link AdapterError}, with what it means; the README's table is compared with this one. */
export const errorCodes = Object.freeze({
  INVALID_REQUEST: "The request has no valid shape; nothing was connected",
  SERVER_UNKNOWN: "No server of that name is configured",
  SERVER_MISCONFIGURED: "The server's configuration entry is not valid",
  CONFIG_INVALID: "A configuration file cannot be used, so no server is available",
  REFERENCE_UNRESOLVED: "A referenced environment variable is missing or empty",
  OFFLINE: "Offline mode forbids what the server needs",
  START_FAILED: "The server's process did not start or ended before it answered",
  CONNECT_FAILED: "The server could not be reached or refused the handshake",
  CONNECT_TIMEOUT: "The server did not finish the handshake in time",
  UNAUTHORIZED: "The server wants credentials that it did not get",
  REQUEST_TIMEOUT: "The server did not answer in time; the outcome is unknown",
  CONNECTION_LOST: "The connection ended before the answer; the outcome is unknown",
  SESSION_GONE: "The server no longer knows the session; the next request opens a fresh one",
  PROTOCOL_ERROR: "The server answered with something that is not MCP",
  SERVER_ERROR: "The server answered with a JSON-RPC error",
  INPUT_REQUIRED: "The server asks for input that this client never gives; it was declined",
  TOOL_UNKNOWN: "The server has no tool of that name",
  PROMPT_UNKNOWN: "The server has no prompt of that name",
  RESOURCE_UNKNOWN: "The reference is not one of the server's present connection",
  ARGUMENTS_INVALID: "The arguments do not fit what the tool or prompt takes; nothing was called",
  LIMIT_EXCEEDED: "The server sent more than a limit allows",
  CANCELLED: "The caller cancelled the request",
  CLOSED: "The adapter was closed",
  INTERNAL: "A fault in the adapter",
});

export type ErrorCode = keyof typeof errorCodes;

/** Every code with which the JSON-lines door refuses a line; whatever else goes wrong is a result (A4). */
export const frameErrorCodes = Object.freeze({
  FRAME_INVALID: "The line is not one JSON object of a known shape",
  FRAME_TOO_LONG: "The line is longer than the limit and was not read",
  ID_IN_USE: "A request of that id still runs",
});

export type FrameErrorCode = keyof typeof frameErrorCodes;

/**
 * A refusal or failure with a closed code and a sentence that is safe to show: it never holds a header, an environment
 * value, a URL or a host path. What a server said stands in `serverSaid` alone, because only that needs redaction.
 */
export class AdapterError extends Error {
  override readonly name = "AdapterError";
  readonly code: ErrorCode;
  /** Text of the server's own making: a JSON-RPC message, the tail of its stderr. */
  readonly serverSaid: string | undefined;
  /** A request that works, for the caller to copy. */
  readonly example: string | undefined;

  constructor(
    code: ErrorCode,
    sentence: string,
    options: { serverSaid?: string; example?: string; cause?: unknown } = {},
  ) {
    super(sentence, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.serverSaid = options.serverSaid;
    this.example = options.example;
  }
}

/** A name as a sentence quotes it: JSON quotes, one line, bounded. */
export function quote(name: string): string {
  const cut = cutText(name, { maxCodePoints: limits.maxQuoted });
  return JSON.stringify(cut.complete ? name : `${cut.text}…`);
}
