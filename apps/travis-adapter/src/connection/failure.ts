import { cutText } from "@core/bounds";
import {
  ChildGoneError,
  MISSING_CLIENT_CAPABILITY,
  RequestTimeoutError,
  RpcError,
} from "@core/wire";
import type { EndReport } from "../channel/channel.ts";
import { AdapterError, type ErrorCode } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Deadline } from "./deadline.ts";

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

/** What is known about a handshake that failed, beside what was thrown. */
interface HandshakeEnd {
  /** What ended the wait before its time. */
  readonly ended: Deadline["ended"];
  readonly timeoutMs: number;
  readonly report: EndReport;
}

/** Turns whatever ended a handshake into an {@link AdapterError}. */
export function failureOfConnect(
  thrown: unknown,
  { ended, timeoutMs, report }: HandshakeEnd,
): AdapterError {
  const serverSaid = report.stderr;
  if (ended === "cancelled") return cancelled();
  if (ended === "timeout")
    return new AdapterError(
      "CONNECT_TIMEOUT",
      `The server did not finish the handshake within ${timeoutMs} ms; a package runner that downloads on first use may need a larger requestTimeoutMs, or its package installed beforehand`,
      { serverSaid },
    );
  const isLost = thrown instanceof AdapterError && thrown.code === "CONNECTION_LOST";
  if (thrown instanceof ChildGoneError || (isLost && report.isProcess))
    return new AdapterError("START_FAILED", `The server ${report.how} before it answered`, {
      serverSaid,
      cause: thrown,
    });
  if (isLost) return inHandshake(thrown);
  if (thrown instanceof AdapterError) return thrown;
  if (thrown instanceof RpcError)
    return new AdapterError(
      "CONNECT_FAILED",
      `The server refused the handshake with JSON-RPC error ${thrown.code}`,
      { serverSaid: saidIn(thrown), cause: thrown },
    );
  return notMcp(thrown);
}

/** Turns whatever ended a request, but for its cancellation, into an {@link AdapterError}. */
export function failureOfRequest(
  thrown: unknown,
  { timeoutMs, method }: { readonly timeoutMs: number; readonly method: string },
): AdapterError {
  if (thrown instanceof RequestTimeoutError) {
    const { limit, ms } = thrown;
    const how =
      limit === "total" ? `within ${ms} ms in all, despite progress` : `within ${timeoutMs} ms`;
    return new AdapterError(
      "REQUEST_TIMEOUT",
      `${method} had no answer ${how}; a larger requestTimeoutMs gives this server more time`,
    );
  }
  if (thrown instanceof AdapterError) return thrown;
  if (thrown instanceof ChildGoneError)
    return new AdapterError("CONNECTION_LOST", "The server's process takes no more input");
  if (!(thrown instanceof RpcError)) return notMcp(thrown);
  const said = { serverSaid: saidIn(thrown), cause: thrown };
  const sentence = `The server answered with JSON-RPC error ${thrown.code}`;
  if (thrown.code !== MISSING_CLIENT_CAPABILITY)
    return new AdapterError("SERVER_ERROR", sentence, said);
  const what = "it needs something of its client that this one does not do";
  return new AdapterError("INPUT_REQUIRED", `${sentence}: ${what}`, said);
}

function inHandshake({ message, cause }: AdapterError): AdapterError {
  return new AdapterError("CONNECT_FAILED", `${message} during the handshake`, { cause });
}

export function cancelled(): AdapterError {
  return new AdapterError("CANCELLED", "The request was cancelled");
}

function notMcp(thrown: unknown): AdapterError {
  const sentence = "The server sent an answer that is no MCP message";
  return new AdapterError("PROTOCOL_ERROR", sentence, { cause: thrown });
}

function saidIn({ message }: RpcError): string {
  return cutText(message, { maxBytes: limits.maxServerMessageBytes }).text;
}
