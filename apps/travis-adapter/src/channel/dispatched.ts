import { EnvHttpProxyAgent, fetch } from "undici";
import type { Network } from "./network.ts";

export interface DispatchOptions {
  readonly httpProxy: string | undefined;
  readonly httpsProxy: string | undefined;
  /** Hosts that are reached directly, with commas between. */
  readonly noProxy: string;
  /** PEM of all authorities that are trusted; undefined for Node's own. */
  readonly authorities: readonly string[] | undefined;
}

/** A network over a dispatcher of its own, which has no timeouts: deadlines of ours end a request. */
export function openDispatched(options: DispatchOptions): Network {
  const { httpProxy = "", httpsProxy = "", noProxy, authorities } = options;
  const tls = authorities === undefined ? {} : { ca: [...authorities] };
  const dispatcher = new EnvHttpProxyAgent({
    httpProxy,
    httpsProxy,
    noProxy,
    connect: tls,
    requestTls: tls,
    proxyTls: tls,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  type Init = Parameters<typeof fetch>[1];
  return {
    async fetch(url, init) {
      const response = await fetch(url, { ...(init as Init), dispatcher });
      // The platform's class and this one are alike in all that is used.
      return response as unknown as Response;
    },
    close: () => dispatcher.destroy(),
  };
}
