import { LimitError } from "@core/bounds";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { type Child, type ChildOptions, startChild } from "./child.ts";
import { identifyOversize } from "./identify.ts";
import { ChildGoneError } from "./line-writer.ts";
import {
  type Classified,
  classify,
  errorAnswer,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  idKey,
  isObject,
  isRequestId,
  type RequestId,
} from "./message.ts";
import type { Oversize } from "./oversize.ts";

export type StdioTransportOptions = Omit<ChildOptions, "lend" | "onLine" | "onOversize">;

/** The v1 SDK's Transport over a child of ours. */
export interface StdioTransport extends Transport {
  /** There once `start()` has resolved; keeps its exit and its stderr tail after the end. */
  readonly child: Child | undefined;
}

/** The error code that stands in for an answer over the cap: outside the range that JSON-RPC reserves, so no server's. */
export const ANSWER_OVER_LIMIT = -31_001;

/**
 * Speaks JSON-RPC lines with a child process. Each line is parsed once, and reaches the SDK as a plain envelope: its own
 * schema is strict and would drop an answer with an unknown key, whose request would then hang. An answer over
 * `maxMessageBytes` fails its own request with ANSWER_OVER_LIMIT and `data: {limit, maximum, actual}`.
 *
 * `start()` rejects with ChildStartError. `close()` reports the end at once and resolves when the whole process group
 * is gone; `onclose` fires once, whichever side ended.
 */
export function createStdioTransport(options: StdioTransportOptions): StdioTransport {
  const pending = new Map<string, RequestId>();
  let starting: Promise<Child> | undefined;
  let child: Child | undefined;
  let closed = false;

  function endOnce(): void {
    if (closed) return;
    closed = true;
    pending.clear();
    transport.onclose?.();
  }

  function deliver(message: object): void {
    if (closed) return;
    try {
      transport.onmessage?.(message as JSONRPCMessage);
    } catch (error) {
      // A handler threw; the lines behind this one are not its fault.
      transport.onerror?.(error as Error);
    }
  }

  /** Refuses a request of the server, which would wait for ever otherwise. */
  function refuse(id: RequestId, message: string, data?: unknown): void {
    const refusal = errorAnswer(id, INVALID_REQUEST, message, data);
    child?.send(JSON.stringify(refusal)).catch(() => {
      // The child is gone, which its exit reports.
    });
  }

  function fail(id: RequestId, code: number, message: string, data?: unknown): void {
    if (pending.delete(idKey(id))) deliver(errorAnswer(id, code, message, data));
  }

  /** Takes one message apart and gives the SDK what its schema accepts; false if it was no message. */
  function take(value: unknown): boolean {
    const message = classify(value);
    switch (message.kind) {
      case "request":
      case "notification":
        deliver({ jsonrpc: "2.0", ...callOf(message) });
        return true;
      case "response":
        takeResult(message.id, message.result);
        return true;
      case "error":
        takeError(message);
        return true;
      case "batch":
        // No batch in a batch: depth is the server's choice, and our stack is not.
        return message.messages.map((part) => !Array.isArray(part) && take(part)).includes(true);
      case "invalid":
        return takeInvalid(value, message);
    }
  }

  function takeInvalid(value: unknown, { id, reason }: Classified & { kind: "invalid" }): boolean {
    if (id === undefined) return false;
    if (isObject(value) && "method" in value) refuse(id, `Invalid request: ${reason}`);
    else fail(id, INTERNAL_ERROR, `The server sent no JSON-RPC answer: ${reason}`);
    return true;
  }

  function takeResult(id: RequestId, result: unknown): void {
    if (!isObject(result)) {
      fail(id, INTERNAL_ERROR, "The server sent a result that is not an object");
      return;
    }
    pending.delete(idKey(id));
    deliver({ jsonrpc: "2.0", id, result });
  }

  function takeError({ id, error }: Classified & { kind: "error" }): void {
    const code = Number.isSafeInteger(error.code) ? error.code : INTERNAL_ERROR;
    if (id === null) {
      transport.onerror?.(new Error(`The server answered no known request with error ${code}`));
      return;
    }
    pending.delete(idKey(id));
    deliver({ jsonrpc: "2.0", id, error: { ...error, code } });
  }

  function takeOversize(oversize: Oversize): void {
    const limit = { limit: "message", maximum: options.maxMessageBytes, actual: oversize.bytes };
    const { kind, id } = identifyOversize(oversize);
    if (kind === "call" && id !== undefined) refuse(id, "The request is too long", limit);
    const owner = kind === "answer" ? (id ?? onlyPending()) : undefined;
    if (owner !== undefined && pending.has(idKey(owner))) {
      const sizes = `${limit.actual} bytes, at most ${limit.maximum} are taken`;
      fail(owner, ANSWER_OVER_LIMIT, `The server's answer is too long: ${sizes}`, limit);
    } else {
      transport.onerror?.(new LimitError(limit.limit, limit.maximum, limit.actual));
    }
  }

  function onlyPending(): RequestId | undefined {
    const [only, ...others] = pending.values();
    return others.length === 0 ? only : undefined;
  }

  /** Requests are remembered until they are answered or cancelled, so that their failure can be told apart. */
  function remember(message: JSONRPCMessage): void {
    const sent = classify(message);
    if (sent.kind === "request") pending.set(idKey(sent.id), sent.id);
    if (sent.kind === "notification" && sent.method === "notifications/cancelled") {
      const { requestId } = sent.params ?? {};
      if (isRequestId(requestId)) pending.delete(idKey(requestId));
    }
  }

  const transport: StdioTransport = {
    get child() {
      return child;
    },
    async start() {
      if (starting || closed) throw new Error("A transport starts once.");
      starting = startChild({
        ...options,
        lend: true,
        onLine: (line) => take(parse(line)),
        onOversize: takeOversize,
      });
      const started = await starting;
      child = started;
      started.exited.then(endOnce);
    },
    async send(message) {
      if (closed || !child) throw new ChildGoneError();
      remember(message);
      await child.send(JSON.stringify(message));
    },
    async close() {
      endOnce();
      const started = await starting?.catch(() => undefined);
      await started?.stop();
    },
  };
  return transport;
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString("utf8"));
  } catch {
    // Not JSON, so not an object either: noise.
    return undefined;
  }
}

function callOf({ kind, ...call }: Classified & { kind: "request" | "notification" }) {
  return call;
}
