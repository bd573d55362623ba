import { cutText } from "@core/bounds";
import {
  ANSWER_OVER_LIMIT,
  ChildGoneError,
  CONNECTION_CLOSED,
  isObject,
  RpcError,
} from "@core/wire";
import { $ZodError } from "zod/v4/core";
import type { EndReport } from "../channel/channel.ts";
import { AdapterError, type ErrorCode } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Deadline } from "./deadline.ts";

/** What is known about a wait that failed, beside what was thrown. */
interface Circumstances {
  readonly deadline: Deadline;
  readonly timeoutMs: number;
}

/** The failures after which a connection is of no more use (A25); every other one leaves it as it was. */
const ENDS: ReadonlySet<ErrorCode> = new Set([
  "CONNECTION_LOST",
  "CONNECT_FAILED",
  "SESSION_GONE",
  "PROTOCOL_ERROR",
]);

export function isEnd(failure: AdapterError): boolean {
  return ENDS.has(failure.code);
}

/** Turns whatever ended a handshake into an {@link AdapterError}. */
export function failureOfConnect(
  thrown: unknown,
  circumstances: Circumstances & { readonly report: EndReport },
): AdapterError {
  const { deadline, timeoutMs, report } = circumstances;
  const serverSaid = report.stderr;
  if (deadline.ended === "cancelled") return cancelled();
  if (deadline.ended === "timeout")
    return new AdapterError(
      "CONNECT_TIMEOUT",
      `The server did not finish the handshake within ${timeoutMs} ms; a package runner that downloads on first use may need a larger requestTimeoutMs, or its package installed beforehand`,
      { serverSaid },
    );
  const local = localFailure(thrown);
  if (local !== undefined) return local.code === "CONNECTION_LOST" ? inHandshake(local) : local;
  if (isClosing(thrown) || thrown instanceof ChildGoneError)
    return new AdapterError("START_FAILED", `The server ${report.how} before it answered`, {
      serverSaid,
    });
  if (thrown instanceof RpcError)
    return new AdapterError(
      "CONNECT_FAILED",
      `The server refused the handshake with JSON-RPC error ${thrown.code}`,
      { serverSaid: saidIn(thrown), cause: thrown },
    );
  return notMcp(thrown);
}

/** Turns whatever ended a request into an {@link AdapterError}. `end` is there once the connection has ended. */
export function failureOfRequest(
  thrown: unknown,
  circumstances: Circumstances & {
    readonly method: string;
    readonly end: AdapterError | undefined;
  },
): AdapterError {
  const { deadline, timeoutMs, method, end } = circumstances;
  if (deadline.ended === "cancelled") return cancelled();
  if (deadline.ended === "closed")
    return new AdapterError("CLOSED", "The connection was closed before the answer");
  if (deadline.ended === "timeout")
    return new AdapterError(
      "REQUEST_TIMEOUT",
      `${method} had no answer within ${timeoutMs} ms; a larger requestTimeoutMs gives this server more time`,
    );
  const local = localFailure(thrown);
  if (local !== undefined) return local;
  if (end !== undefined) return end;
  if (thrown instanceof ChildGoneError)
    return new AdapterError("CONNECTION_LOST", "The server's process takes no more input");
  if (!(thrown instanceof RpcError)) return notMcp(thrown);
  if (thrown.code === ANSWER_OVER_LIMIT) return tooLong(thrown.data);
  const sentence = `The server answered with JSON-RPC error ${thrown.code}`;
  return new AdapterError("SERVER_ERROR", sentence, { serverSaid: saidIn(thrown), cause: thrown });
}

/** What the SDK rejects with when the connection ends; servers answer with the same code, but in their own words. */
function isClosing(thrown: unknown): boolean {
  if (!(thrown instanceof RpcError) || thrown.code !== CONNECTION_CLOSED) return false;
  return saidIn(thrown) === "Connection closed";
}

/** A failure of our own, thrown by the guarded fetch or carried by the answer that stands in for a missing one. */
function localFailure(thrown: unknown): AdapterError | undefined {
  if (thrown instanceof AdapterError) return thrown;
  return thrown instanceof RpcError && thrown.data instanceof AdapterError
    ? thrown.data
    : undefined;
}

function inHandshake({ message, cause }: AdapterError): AdapterError {
  return new AdapterError("CONNECT_FAILED", `${message} during the handshake`, { cause });
}

function cancelled(): AdapterError {
  return new AdapterError("CANCELLED", "The request was cancelled");
}

function tooLong(data: unknown): AdapterError {
  const actual = isObject(data) ? data.actual : "more";
  return new AdapterError(
    "LIMIT_EXCEEDED",
    `The server's answer has ${actual} bytes, and one message may have at most ${limits.maxMessageBytes}`,
  );
}

function notMcp(thrown: unknown): AdapterError {
  const isShape = thrown instanceof $ZodError || thrown instanceof SyntaxError;
  const sentence = isShape
    ? "The server sent an answer that is no MCP message"
    : "The server and the adapter could not agree on the protocol";
  return new AdapterError("PROTOCOL_ERROR", sentence, { cause: thrown });
}

function saidIn({ message }: RpcError): string {
  return cutText(message, { maxBytes: limits.maxServerMessageBytes }).text;
}
