import { createEventDecoder } from "@core/wire";
import { fetchWithinOrigin } from "@modelcontextprotocol/sdk/shared/transport.js";
import { limits } from "../limits.ts";
import { isStream } from "./guarded-fetch.ts";
import type { Fetch } from "./network.ts";

/** The stream of a Streamable HTTP server's own messages, which belong to no request: a changed list, for one. */
export interface Notices {
  /** Begins to listen, once, until the signal of `init` aborts. `init` is the GET without `Last-Event-ID`. */
  open(url: string | URL, init: RequestInit): void;
  /** How often messages may have been lost so far; while nobody listens, once more with each look. */
  lapses(): number;
}

export interface NoticesOptions {
  readonly fetch: Fetch;
  /** Waits so many milliseconds; rejects when the signal aborts. */
  pause(ms: number, signal: AbortSignal | undefined): Promise<void>;
  onMessage(message: unknown): void;
}

/**
 * Listens as MCP 2025-11-25 describes it (Streamable HTTP, "Resumability and Redelivery"): a stream that ends is opened
 * again, after the time that the server asked for and with the id of the last event, by which it may send what was missed.
 * A server that refuses the stream is left alone; a stream that again and again brings nothing is asked for ever more rarely.
 */
export function createNotices({ fetch, pause, onMessage }: NoticesOptions): Notices {
  let isBegun = false;
  let isBroken = false;
  let lapses = 0;
  let lastEventId = "";
  let retryMs: number = limits.streamRetryMs;

  async function listen(url: string | URL, init: RequestInit): Promise<void> {
    for (let silent = 0; ; silent++) {
      const response = await request(url, init);
      if (response !== undefined && isStream(response)) {
        if (await read(response)) silent = 0;
      } else if (response !== undefined) {
        await response.body?.cancel();
        if (!isBroken || !isPassing(response.status)) break;
      }
      isBroken = true;
      lapses++;
      const most = Math.max(retryMs, limits.maxStreamRetryMs);
      await pause(Math.min(retryMs * 2 ** silent, most), init.signal ?? undefined);
    }
    isBroken = false;
  }

  /** Undefined where the server cannot be reached at the moment. */
  async function request(url: string | URL, init: RequestInit): Promise<Response | undefined> {
    const headers = new Headers(init.headers);
    if (lastEventId !== "") headers.set("last-event-id", lastEventId);
    try {
      return await fetchWithinOrigin(fetch)(url, { ...init, redirect: "follow", headers });
    } catch (error) {
      if (init.signal?.aborted) throw error;
      return undefined;
    }
  }

  /** Reads to the end, however it comes, and tells whether there was any event. */
  async function read(response: Response): Promise<boolean> {
    let isHeard = false;
    const decoder = createEventDecoder({
      maxEventBytes: limits.maxMessageBytes,
      onEvent({ data }) {
        isHeard = true;
        deliver(data);
      },
      onOversize() {
        isHeard = true;
      },
      onRetry(ms) {
        retryMs = Math.min(Math.max(ms, limits.minStreamRetryMs), limits.maxTimeoutMs);
      },
    });
    if (isBroken) lapses++;
    isBroken = false;
    try {
      for await (const chunk of response.body ?? []) decoder.push(chunk);
    } catch {
      // Broken off or ended: it is opened again either way, unless the signal is aborted.
    }
    lastEventId = decoder.lastEventId || lastEventId;
    return isHeard;
  }

  function deliver(data: string): void {
    if (data === "") return; // an event that only names an id
    try {
      onMessage(JSON.parse(data));
    } catch {
      // No message: noise, as a line on stdout would be.
    }
  }

  return {
    open(url, init) {
      if (isBegun) return;
      isBegun = true;
      listen(url, init).catch(() => {}); // closed, so nobody listens any more
    },
    lapses() {
      if (isBroken) lapses++;
      return lapses;
    },
  };
}

/** A server that is overloaded or starts again, in contrast to one that refuses the stream. */
function isPassing(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501);
}
