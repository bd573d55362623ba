import { setMaxListeners } from "node:events";
import { LimitError } from "@core/bounds";
import { classify, type JsonObject, type RequestId } from "@core/wire";
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import { AdapterError } from "../errors.ts";
import { answerTooLong, maxAnswerBytes } from "./channel.ts";
import { watchEvents } from "./events.ts";
import { failureOfFetch, refusalOf } from "./http-failure.ts";
import type { Fetch } from "./network.ts";

/** A request on its way, as its body has it. */
export interface SentRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params?: JsonObject;
}

export interface GuardedFetchOptions {
  readonly fetch: Fetch;
  /**
   * Told when a response that should carry the answer to `id` has ended. `failure` is what to say if it did not; undefined
   * where the transport takes the stream up again.
   */
  onResponseEnd(id: RequestId, failure: AdapterError | undefined): void;
  /** The headers that repeat a request's own words. */
  headersOf(request: SentRequest): Readonly<Record<string, string>>;
  /** The request whose response was broken off after that event. */
  interruptedAfter(eventId: string): SentRequest | undefined;
  /** Told of the GET for the server's own messages, which the transport would open once and lose for good. */
  onNotices(url: string | URL, init: RequestInit): void;
}

export interface GuardedFetch {
  readonly fetch: FetchLike;
  /** Ends the response to a request. */
  abort(id: RequestId): void;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * A `fetch` for the SDK's transport: it bounds what is received, turns refusals into {@link AdapterError}s, which reach
 * the waiting request as they are, and tells when a response has ended.
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { onResponseEnd, headersOf, interruptedAfter, onNotices } = options;
  const running = new Map<RequestId, AbortController>();

  async function fetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const response = await options.fetch(url, init).catch((error: unknown) => {
      throw init.signal?.aborted ? error : failureOfFetch(error);
    });
    if (REDIRECTS.has(response.status)) return onSameOrigin(response, url);
    if (init.method !== "POST") return response;
    const refusal = await refusalOf(response, url, init, options.fetch);
    if (refusal !== undefined) throw refusal;
    return response;
  }

  async function fetchAnswer(
    request: SentRequest,
    url: string | URL,
    init: RequestInit,
  ): Promise<Response> {
    const { id, method } = request;
    const controller = new AbortController();
    const { signal } = controller;
    // AbortSignal.any would stay with the transport's signal, which outlives all of its requests.
    const stop = () => controller.abort(init.signal?.reason);
    init.signal?.addEventListener("abort", stop);
    running.set(id, controller);
    const finish = () => {
      init.signal?.removeEventListener("abort", stop);
      running.delete(id);
    };
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(headersOf(request))) headers.set(name, value);
    try {
      const response = await fetch(url, { ...init, headers, signal });
      if (response.status === 202 || (response.ok && response.body === null))
        throw new AdapterError("PROTOCOL_ERROR", "The server took the request and gives no answer");
      if (response.body === null || REDIRECTS.has(response.status)) {
        finish();
        return response;
      }
      return bounded(response, maxAnswerBytes(method), (failure) => {
        finish();
        onResponseEnd(id, failure);
      });
    } catch (error) {
      finish();
      throw error;
    }
  }

  /** Takes a broken response up after its last event. Where that fails, the answer will never come. */
  async function resume(
    { id, method }: SentRequest,
    url: string | URL,
    init: RequestInit,
  ): Promise<Response> {
    try {
      const response = await fetch(url, init);
      if (REDIRECTS.has(response.status)) return response;
      if (isStream(response))
        return bounded(response, maxAnswerBytes(method), (failure) => onResponseEnd(id, failure));
      await response.body?.cancel();
      onResponseEnd(id, notResumed());
      return noStream();
    } catch (error) {
      onResponseEnd(id, failureOfFetch(error));
      throw error;
    }
  }

  /** A GET is for one of two streams: the rest of a response, or the server's own messages. */
  async function fetchStream(url: string | URL, init: RequestInit): Promise<Response> {
    const eventId = new Headers(init.headers).get("last-event-id");
    if (eventId === null) onNotices(url, init);
    const request = eventId === null ? undefined : interruptedAfter(eventId);
    return request === undefined ? noStream() : resume(request, url, init);
  }

  return {
    fetch(url, init) {
      // The transport hands one signal to every request of its life, about which Node warns after the tenth.
      if (init?.signal) setMaxListeners(Infinity, init.signal);
      if (init?.method === "GET") return fetchStream(url, init);
      const request = requestIn(init?.body);
      return request === undefined ? fetch(url, init) : fetchAnswer(request, url, init ?? {});
    },
    abort: (id) => running.get(id)?.abort(),
  };
}

/** A redirect that the transport may follow: headers are for one origin alone. */
function onSameOrigin(response: Response, url: string | URL): Response {
  const location = response.headers.get("location") ?? "";
  const from = new URL(url);
  if (URL.canParse(location, from.href) && new URL(location, from).origin === from.origin)
    return response;
  throw new AdapterError(
    "CONNECT_FAILED",
    "The server redirects to another origin, where its headers must not go; configure the address that it redirects to, if you trust it",
  );
}

/** By this answer the transport leaves a stream alone. */
function noStream(): Response {
  return new Response(null, { status: 405 });
}

function notResumed(): AdapterError {
  return new AdapterError(
    "CONNECTION_LOST",
    "The response ended before the answer, and the server does not take it up again",
  );
}

export function isStream(response: Response): boolean {
  const type = response.headers.get("content-type") ?? "";
  return response.ok && /^text\/event-stream\b/i.test(type);
}

/** The request that a POST carries; undefined for a notification or an answer. */
function requestIn(body: unknown): SentRequest | undefined {
  const message = typeof body === "string" ? classify(JSON.parse(body)) : undefined;
  return message?.kind === "request" ? message : undefined;
}

type BodyEnd = (failure: AdapterError | undefined) => void;

/** The same response, whose body fails when one message in it grows over the limit. */
function bounded(response: Response, maximum: number, onEnd: BodyEnd = () => {}): Response {
  if (response.body === null) return response;
  const { status, headers } = response;
  const body = pass(response.body, maximum, isStream(response), onEnd);
  return new Response(ReadableStream.from(body), { status, headers });
}

async function* pass(
  body: ReadableStream<Uint8Array>,
  maximum: number,
  isEvents: boolean,
  onEnd: BodyEnd,
): AsyncGenerator<Uint8Array> {
  const watch = watchEvents(maximum, isEvents);
  let failure = new AdapterError("CONNECTION_LOST", "The response ended before the answer");
  let isRefused = false;
  try {
    for await (const chunk of body) {
      watch.push(chunk);
      yield chunk;
    }
  } catch (error) {
    isRefused = error instanceof LimitError;
    failure = isRefused ? answerTooLong(maximum) : failureOfFetch(error);
    throw failure;
  } finally {
    // Whatever has arrived is read in microtasks, so an answer that was in the response has been delivered when the
    // next macrotask starts. By an event id the transport takes the stream up again.
    setImmediate(onEnd, watch.hasId && !isRefused ? undefined : failure);
  }
}
