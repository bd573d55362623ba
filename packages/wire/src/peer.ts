import {
  classify,
  errorAnswer,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  idKey,
  isObject,
  isRequestId,
  type JsonObject,
  METHOD_NOT_FOUND,
  type RequestId,
} from "./message.ts";

/** A JSON-RPC error: one that the other side answered, or one that a request handler throws to answer with it. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** No answer in time: `limit` says whether the other side was silent too long or the total ran out despite progress. */
export class RequestTimeoutError extends Error {
  override readonly name = "RequestTimeoutError";
  readonly code = "REQUEST_TIMEOUT";
  readonly method: string;
  readonly limit: "silence" | "total";
  readonly ms: number;

  constructor(method: string, limit: "silence" | "total", ms: number) {
    super(
      limit === "silence"
        ? `${method} had neither an answer nor progress within ${ms} ms`
        : `${method} had no answer within ${ms} ms in total`,
    );
    this.method = method;
    this.limit = limit;
    this.ms = ms;
  }
}

/** `params` of notifications/progress without the token. */
export type Progress = JsonObject;

export interface RequestOptions {
  /** Aborting settles the request at once with the signal's reason, and tells the other side. */
  readonly signal?: AbortSignal | undefined;
  /** Longest silence in milliseconds; Infinity for none. Default 60 s, as in the MCP SDKs. */
  readonly timeoutMs?: number | undefined;
  /** Longest time in all, however much progress comes. Default ten times `timeoutMs`. */
  readonly maxTotalMs?: number | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** An inbound request as its handler sees it. */
export interface InboundRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params?: JsonObject;
}

export interface InboundContext {
  /** Aborted when the other side cancels the request or the peer closes; check `aborted` before starting work. */
  readonly signal: AbortSignal;
  /** Reports progress if the request asked for it. */
  progress(progress: Progress): void;
}

export interface Clock {
  now(): number;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

export interface PeerOptions {
  /** Hands one message to the transport. Where it returns a promise, its rejection fails the request it carried. */
  send(message: JsonObject): void | Promise<void>;
  /** Answers with the returned result, or with the error that it throws. Without it each request gets -32601. */
  onRequest?: (request: InboundRequest, context: InboundContext) => unknown;
  onNotification?: (notification: { method: string; params?: JsonObject }) => void;
  /** Messages that are no JSON-RPC, answers without a known request, failed sends of answers and notices. */
  onError?: (error: Error) => void;
  /** Tells the other side that a request is over. Default: notifications/cancelled; modern HTTP closes the response instead. */
  cancel?: (id: number, reason: string) => void;
  clock?: Clock;
}

export interface Peer {
  /** Resolves with the result as it came, unchecked. Rejects with RpcError, RequestTimeoutError, the signal's or the close's reason. */
  request(method: string, params?: JsonObject, options?: RequestOptions): Promise<unknown>;
  notify(method: string, params?: JsonObject): Promise<void>;
  /** Takes one parsed message from the transport. Never throws. */
  receive(message: unknown): void;
  /** Rejects all pending requests with `reason` and aborts all handlers. A closed peer stays closed. */
  close(reason: Error): void;
  readonly pending: number;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const TOTAL_FACTOR = 10;
/** A longer delay makes setTimeout fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

interface Pending {
  settle(outcome: { result: unknown } | { error: unknown }): void;
  progress(progress: Progress): void;
}

/**
 * A JSON-RPC peer over any transport: it keeps what is pending, and nothing else. Request ids are its own, counted from 1
 * because the v1 SDK ignores the cancellation of request 0.
 */
export function createPeer(options: PeerOptions): Peer {
  const { onRequest, onNotification, onError = () => {}, clock = SYSTEM_CLOCK } = options;
  const pending = new Map<number, Pending>();
  const handling = new Map<string, AbortController>();
  let nextId = 1;
  let closed: { reason: Error } | undefined;

  async function send(message: JsonObject): Promise<void> {
    if (closed) throw closed.reason;
    await options.send(message);
  }

  function sendQuietly(message: JsonObject): void {
    send(message).catch((error) => onError(asError(error)));
  }

  function notification(method: string, params?: JsonObject): JsonObject {
    return params === undefined ? { jsonrpc: "2.0", method } : { jsonrpc: "2.0", method, params };
  }

  function cancelRemote(id: number, method: string, reason: string): void {
    // The legacy handshake must not be cancelled (MCP 2025-11-25, Cancellation).
    if (method === "initialize") return;
    if (options.cancel) options.cancel(id, reason);
    else sendQuietly(notification("notifications/cancelled", { requestId: id, reason }));
  }

  function request(
    method: string,
    params: JsonObject | undefined,
    requestOptions: RequestOptions = {},
  ): Promise<unknown> {
    const { signal, onProgress, timeoutMs = DEFAULT_TIMEOUT_MS } = requestOptions;
    const { maxTotalMs = timeoutMs * TOTAL_FACTOR } = requestOptions;
    if (closed) return Promise.reject(closed.reason);
    if (signal?.aborted) return Promise.reject(signal.reason);

    const id = nextId++;
    return new Promise((resolve, reject) => {
      const end = clock.now() + maxTotalMs;
      let timer: unknown;

      function watch(): void {
        clock.clearTimeout(timer);
        const left = end - clock.now();
        const limit = left < timeoutMs ? "total" : "silence";
        const wait = Math.min(left, timeoutMs);
        if (wait === Number.POSITIVE_INFINITY) return;
        timer = clock.setTimeout(
          () => {
            const ms = limit === "total" ? maxTotalMs : timeoutMs;
            abandon(new RequestTimeoutError(method, limit, ms), "timeout");
          },
          Math.min(Math.max(wait, 0), LONGEST_TIMER_MS),
        );
      }

      function settle(outcome: { result: unknown } | { error: unknown }): void {
        pending.delete(id);
        clock.clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        if ("error" in outcome) reject(outcome.error);
        else resolve(outcome.result);
      }

      function abandon(error: unknown, reason: string): void {
        settle({ error });
        cancelRemote(id, method, reason);
      }

      function onAbort(): void {
        abandon(signal?.reason, "cancelled");
      }

      pending.set(id, {
        settle,
        progress(progress) {
          watch();
          onProgress?.(progress);
        },
      });
      signal?.addEventListener("abort", onAbort, { once: true });
      watch();
      send({ jsonrpc: "2.0", id, method, params: withProgressToken(params, id) }).catch((error) =>
        pending.get(id)?.settle({ error }),
      );
    });
  }

  async function answer(inbound: InboundRequest): Promise<void> {
    const { id, params } = inbound;
    const key = idKey(id);
    if (handling.has(key)) {
      sendQuietly(
        errorAnswer(id, INVALID_REQUEST, "A request with this id is still being handled"),
      );
      return;
    }
    const controller = new AbortController();
    handling.set(key, controller);
    const meta = isObject(params?._meta) ? params._meta : {};
    const context: InboundContext = {
      signal: controller.signal,
      progress(progress) {
        const { progressToken } = meta;
        if (!isRequestId(progressToken) || controller.signal.aborted || !handling.has(key)) return;
        sendQuietly(notification("notifications/progress", { ...progress, progressToken }));
      },
    };
    const message = await answerTo(inbound, context);
    handling.delete(key);
    // A cancelled request gets no answer, whatever came of it (MCP, Cancellation).
    if (!controller.signal.aborted) sendQuietly(message);
  }

  async function answerTo(inbound: InboundRequest, context: InboundContext): Promise<JsonObject> {
    const { id, method } = inbound;
    try {
      if (method === "ping") return { jsonrpc: "2.0", id, result: {} };
      if (!onRequest) throw new RpcError(METHOD_NOT_FOUND, "Method not found");
      return { jsonrpc: "2.0", id, result: (await onRequest(inbound, context)) ?? {} };
    } catch (error) {
      if (error instanceof RpcError) return errorAnswer(id, error.code, error.message, error.data);
      onError(asError(error));
      // What went wrong inside is for our own log, not for the other side.
      return errorAnswer(id, INTERNAL_ERROR, "Internal error");
    }
  }

  function notified(method: string, params: JsonObject | undefined): void {
    if (method === "notifications/cancelled") {
      const { requestId } = params ?? {};
      if (isRequestId(requestId)) handling.get(idKey(requestId))?.abort();
      return;
    }
    const { progressToken, ...progress } = params ?? {};
    const asked =
      method === "notifications/progress" && typeof progressToken === "number"
        ? pending.get(progressToken)
        : undefined;
    if (asked) asked.progress(progress);
    else onNotification?.(params === undefined ? { method } : { method, params });
  }

  function settled(id: RequestId | null, outcome: { result: unknown } | { error: Error }): void {
    const waiting = typeof id === "number" ? pending.get(id) : undefined;
    if (waiting) waiting.settle(outcome);
    // The answer to a cancelled request may come late; only an error that names no request is worth a word.
    else if (id === null && "error" in outcome) onError(outcome.error);
  }

  function refused(message: unknown, reason: string, id: RequestId | undefined): void {
    const error = new Error(`The other side sent no JSON-RPC message: ${reason}`);
    onError(error);
    if (id === undefined) return;
    if (isObject(message) && "method" in message) {
      sendQuietly(errorAnswer(id, INVALID_REQUEST, `Invalid request: ${reason}`));
    } else {
      settled(id, { error });
    }
  }

  function take(message: unknown): void {
    const read = classify(message);
    switch (read.kind) {
      case "request":
        void answer(read);
        break;
      case "notification":
        notified(read.method, read.params);
        break;
      case "response":
        settled(read.id, { result: read.result });
        break;
      case "error":
        settled(read.id, {
          error: new RpcError(read.error.code, read.error.message, read.error.data),
        });
        break;
      case "batch":
        refused(message, "a batch inside a batch", undefined);
        break;
      case "invalid":
        refused(message, read.reason, read.id);
    }
  }

  function receive(message: unknown): void {
    if (closed) return;
    for (const part of Array.isArray(message) ? message : [message]) {
      try {
        take(part);
      } catch (error) {
        // A callback of the owner threw; the messages behind this one are not its fault.
        onError(asError(error));
      }
    }
  }

  return {
    request,
    notify: (method, params) => send(notification(method, params)),
    receive,
    close(reason) {
      if (closed) return;
      closed = { reason };
      for (const waiting of [...pending.values()]) waiting.settle({ error: reason });
      for (const controller of handling.values()) controller.abort(reason);
    },
    get pending() {
      return pending.size;
    },
  };
}

/** Every request asks for progress: without a token a server sends none, and nothing could tell slow from dead. */
function withProgressToken(params: JsonObject | undefined, progressToken: number): JsonObject {
  const meta = isObject(params?._meta) ? params._meta : {};
  return { ...params, _meta: { ...meta, progressToken } };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
