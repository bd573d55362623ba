import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { setTimeout as after } from "node:timers/promises";
import type { Endpoint } from "../harness/endpoint.ts";
import { DIAL_POLL_MS, DIAL_WAIT_MS } from "../limits.ts";

/** One HTTP request to the daemon's `/mcp`. */
interface DoorRequest {
  readonly method: "POST" | "GET" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly signal?: AbortSignal;
}

/**
 * Sends a request and resolves with the response once its headers are there. While nobody listens, which means that nothing
 * was sent, it tries again for a while; a request that may have arrived is never sent twice.
 */
export type Door = (request: DoorRequest) => Promise<IncomingMessage>;

export interface DoorOptions {
  readonly endpoint: Endpoint;
  readonly cwd: string | undefined;
  /** Asked with each request, so that a new token is used as soon as it is written. */
  token(): string | undefined;
}

export function createDoor({ endpoint, cwd, token }: DoorOptions): Door {
  const url = urlOf(endpoint);
  if (cwd !== undefined) url.searchParams.set("cwd", cwd);
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  const place = endpoint.kind === "socket" ? { socketPath: endpoint.path } : {};

  function sendOnce({ method, headers, body, signal }: DoorRequest): Promise<IncomingMessage> {
    const word = token();
    const all = {
      ...headers,
      ...(word !== undefined && { authorization: `Bearer ${word}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    return new Promise((resolve, reject) => {
      // A connection of its own: on a kept one it would stay unknown if the last request on it arrived.
      const options = { ...place, method, headers: all, agent: false, ...(signal && { signal }) };
      request(url, options, resolve).on("error", reject).end(body);
    });
  }

  return async (asked) => {
    const deadline = performance.now() + DIAL_WAIT_MS;
    for (;;) {
      try {
        return await sendOnce(asked);
      } catch (error) {
        if (!isAbsent(error) || performance.now() > deadline) throw error;
        await after(DIAL_POLL_MS, undefined, asked.signal && { signal: asked.signal });
      }
    }
  };
}

/** Whether nobody listens there, so that nothing was sent. */
export function isAbsent(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall === "connect" && (code === "ECONNREFUSED" || code === "ENOENT");
}

function urlOf(endpoint: Endpoint): URL {
  if (endpoint.kind === "socket") return new URL("http://localhost/mcp");
  const url = new URL(endpoint.url);
  url.pathname = url.pathname.replace(/\/(?:sse)?$/, "/mcp");
  return url;
}
