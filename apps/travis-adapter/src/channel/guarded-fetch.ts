import { setMaxListeners } from "node:events";
import { LimitError } from "@core/bounds";
import { classify, type RequestId } from "@core/wire";
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import { AdapterError } from "../errors.ts";
import { limits } from "../limits.ts";
import { watchEvents } from "./events.ts";
import { failureOfFetch, refusalOf } from "./http-failure.ts";

/**
 * Told when a response that should carry the answer to `id` has ended. `failure` is what to say if it did not; undefined
 * where the transport takes the stream up again.
 */
export type ResponseEnd = (id: RequestId, failure: AdapterError | undefined) => void;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * A `fetch` for the SDK's transport: it bounds what is received, turns refusals into {@link AdapterError}s, which reach
 * the waiting request as they are, and tells when a response has ended.
 */
export function createGuardedFetch(onResponseEnd: ResponseEnd): FetchLike {
  return async (url, init) => {
    // The transport hands one signal to every request of its life, about which Node warns after the tenth.
    if (init?.signal) setMaxListeners(0, init.signal);
    const response = await fetch(url, init).catch((error: unknown) => {
      throw init?.signal?.aborted ? error : failureOfFetch(error);
    });
    if (REDIRECTS.has(response.status)) return response;
    if (init?.method === "GET") return isStream(response) ? bounded(response) : noStream(response);
    if (init?.method !== "POST") return response;
    const refusal = await refusalOf(response, url, init);
    if (refusal !== undefined) throw refusal;
    const id = requestIn(init.body);
    if (id !== undefined && response.status === 202)
      throw new AdapterError("PROTOCOL_ERROR", "The server took the request and gives no answer");
    return id === undefined ? response : bounded(response, (failure) => onResponseEnd(id, failure));
  };
}

/** Any refusal of the optional stream of notifications is normal, and never a reason to try again. */
async function noStream(response: Response): Promise<Response> {
  await response.body?.cancel();
  return new Response(null, { status: 405 });
}

function isStream(response: Response): boolean {
  const type = response.headers.get("content-type") ?? "";
  return response.ok && /^text\/event-stream\b/i.test(type);
}

/** The id of the request that a POST carries; undefined for a notification or an answer. */
function requestIn(body: unknown): RequestId | undefined {
  const message = typeof body === "string" ? classify(JSON.parse(body)) : undefined;
  return message?.kind === "request" ? message.id : undefined;
}

type BodyEnd = (failure: AdapterError | undefined) => void;

/** The same response, whose body fails when one message in it grows over the limit. */
function bounded(response: Response, onEnd: BodyEnd = () => {}): Response {
  if (response.body === null) return response;
  const { status, headers } = response;
  const body = pass(response.body, isStream(response), onEnd);
  return new Response(ReadableStream.from(body), { status, headers });
}

async function* pass(
  body: ReadableStream<Uint8Array>,
  isEvents: boolean,
  onEnd: BodyEnd,
): AsyncGenerator<Uint8Array> {
  const watch = watchEvents(limits.maxMessageBytes, isEvents);
  let failure = new AdapterError("CONNECTION_LOST", "The response ended before the answer");
  try {
    for await (const chunk of body) {
      watch.push(chunk);
      yield chunk;
    }
  } catch (error) {
    failure = error instanceof LimitError ? tooLong(error) : failureOfFetch(error);
    throw failure;
  } finally {
    // Whatever has arrived is read in microtasks, so an answer that was in the response has been delivered when the
    // next macrotask starts. By an event id the transport takes the stream up again.
    setImmediate(onEnd, watch.hasId ? undefined : failure);
  }
}

function tooLong({ maximum }: LimitError): AdapterError {
  return new AdapterError(
    "LIMIT_EXCEEDED",
    `The server's answer is longer than ${maximum} bytes, the most that one message may have`,
  );
}
