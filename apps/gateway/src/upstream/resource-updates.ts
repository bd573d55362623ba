import { INVALID_REQUEST, isObject, META_KEYS, METHOD_NOT_FOUND, textAt } from "@core/wire";
import { UpstreamError } from "../errors.ts";
import type { Answer, Of } from "./answer.ts";

/** Asks one running server to tell of changes of single resources, in the words of its era. */
export interface ResourceUpdates {
  /** Settles when the server has agreed. Rejects with UpstreamError, and with SubscriptionError if the server says no. */
  subscribe(uri: string, timeoutMs: number): Promise<void>;
  /** Settles when the server knows, or has had the time for it. */
  unsubscribe(uri: string): Promise<void>;
}

/** The server does not tell of this resource. */
export class SubscriptionError extends UpstreamError {
  /** The code of the JSON-RPC error that says so. */
  readonly rpcCode: number;

  constructor(rpcCode: number, message: string) {
    super("REFUSED", message);
    this.rpcCode = rpcCode;
  }
}

const NOT_SUBSCRIBABLE = "This resource cannot be subscribed to";

/** A server without `resources.subscribe` must not be asked. */
export const NO_UPDATES: ResourceUpdates = Object.freeze({
  subscribe: () => Promise.reject(new SubscriptionError(METHOD_NOT_FOUND, NOT_SUBSCRIBABLE)),
  unsubscribe: () => Promise.resolve(),
});

export interface SessionUpdatesOptions {
  ask(method: string, params: object, timeoutMs: number): Promise<Answer>;
  errorOf(answer: Answer): { readonly code: number | undefined; readonly text: string };
}

/** For a server with sessions: a request to begin, and a request to end. */
export function createSessionUpdates({ ask, errorOf }: SessionUpdatesOptions): ResourceUpdates {
  const timeouts = new Map<string, number>();
  return {
    async subscribe(uri, timeoutMs) {
      const answer = await ask("resources/subscribe", { uri }, timeoutMs);
      if (answer.message.kind === "error") {
        const { code = INVALID_REQUEST, text } = errorOf(answer);
        throw new SubscriptionError(code, text);
      }
      timeouts.set(uri, timeoutMs);
    },
    async unsubscribe(uri) {
      const timeoutMs = timeouts.get(uri);
      if (timeoutMs === undefined || !timeouts.delete(uri)) return;
      // What it still tells of the resource is for nobody.
      await ask("resources/unsubscribe", { uri }, timeoutMs).catch(() => {});
    },
  };
}

/** For a modern server: a stream for each resource, which is ended like any request. */
export interface ListenedUpdates extends ResourceUpdates {
  /** The server names what it will tell of. */
  acknowledged(bytes: Buffer, message: Of<"notification">): void;
  /** The server has answered a request that has this text for an id, and so ended it. */
  answered(id: string, error: { code: number | undefined; text: string } | undefined): void;
  /** Nothing will be answered any more. */
  fail(error: UpstreamError): void;
}

interface Opening {
  readonly id: string;
  readonly uri: string;
  settle(error?: UpstreamError): void;
}

export interface ListenedUpdatesOptions {
  /** The server's name in sentences. */
  readonly name: string;
  /** Sends a request with what every request to a modern server says. */
  sendRequest(message: object): void;
  sendNotification(message: object): void;
}

export function createListenedUpdates(options: ListenedUpdatesOptions): ListenedUpdates {
  const { name, sendRequest, sendNotification } = options;
  const streams = new Map<string, string>();
  const openings = new Map<string, Opening>();
  let count = 0;

  const cancel = (id: string) =>
    sendNotification({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: id },
    });
  return {
    subscribe(uri, timeoutMs) {
      // No number: those are the ids of other requests.
      const id = `resource ${++count}`;
      return new Promise((resolve, reject) => {
        const tooLate = new UpstreamError(
          "TIMEOUT",
          `Server ${name} did not answer within ${timeoutMs} ms`,
        );
        const timer = setTimeout(() => {
          cancel(id);
          settle(tooLate);
        }, timeoutMs);
        const settle = (error?: UpstreamError) => {
          clearTimeout(timer);
          openings.delete(id);
          if (error !== undefined) return reject(error);
          streams.set(uri, id);
          resolve();
        };
        openings.set(id, { id, uri, settle });
        sendRequest({
          jsonrpc: "2.0",
          id,
          method: "subscriptions/listen",
          params: { notifications: { resourceSubscriptions: [uri] } },
        });
      });
    },
    async unsubscribe(uri) {
      const id = streams.get(uri);
      if (id === undefined) return;
      streams.delete(uri);
      cancel(id);
    },
    acknowledged(bytes, { envelope, meta }) {
      const id = meta[META_KEYS.subscriptionId];
      const opening = id?.kind === "string" && openings.get(JSON.parse(textAt(bytes, id)));
      if (!opening || envelope.params === undefined) return;
      const params: unknown = JSON.parse(textAt(bytes, envelope.params));
      if (namesResource(params, opening.uri)) return opening.settle();
      opening.settle(new SubscriptionError(METHOD_NOT_FOUND, NOT_SUBSCRIBABLE));
      cancel(opening.id);
    },
    answered(id, error) {
      const { code = INVALID_REQUEST, text = NOT_SUBSCRIBABLE } = error ?? {};
      openings.get(id)?.settle(new SubscriptionError(code, text));
    },
    fail(error) {
      for (const { settle } of openings.values()) settle(error);
    },
  };
}

function namesResource(params: unknown, uri: string): boolean {
  const notifications = isObject(params) ? params.notifications : undefined;
  const uris = isObject(notifications) ? notifications.resourceSubscriptions : undefined;
  return Array.isArray(uris) && uris.includes(uri);
}
