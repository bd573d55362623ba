import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { RequestId } from "@modelcontextprotocol/sdk/types.js";
import { limits } from "../limits.ts";
import type { Channel } from "./channel.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";
import type { ResolvedHttp } from "./resolve.ts";

/** The code of the answer that stands in for one that will never come; its `data` is an `AdapterError`. */
export const LOCAL_FAILURE = -31_002;

/**
 * Opens a Streamable HTTP server over the SDK's transport. What that lacks is added around its `fetch`; a request whose
 * response ended without the answer is answered here, because the transport would leave it to its timeout.
 */
export function openHttp(server: ResolvedHttp): Channel {
  const answered = new Set<RequestId>();
  const sdk = new StreamableHTTPClientTransport(server.url, {
    fetch: createGuardedFetch((id, failure) => {
      if (answered.delete(id) || failure === undefined) return;
      const error = { code: LOCAL_FAILURE, message: failure.message, data: failure };
      sdk.onmessage?.({ jsonrpc: "2.0", id, error });
      answered.delete(id);
    }),
    requestInit: { headers: server.headers },
  });
  // The client adds its own listener to this one.
  sdk.onmessage = (message) => {
    if (("result" in message || "error" in message) && message.id !== undefined)
      answered.add(message.id);
  };
  return {
    // The SDK's class misses its own interface only under exactOptionalPropertyTypes.
    transport: sdk as Transport,
    endReport: async () => ({ how: "closed the connection", stderr: "" }),
    async close() {
      await endSession(sdk);
      await sdk.close();
    },
  };
}

/** DELETE, for as long as is polite; a server that is gone or does not know the method has nothing left to end. */
async function endSession(sdk: StreamableHTTPClientTransport): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limits.maxSessionEndMs);
  });
  await Promise.race([sdk.terminateSession().catch(() => {}), late]);
  clearTimeout(timer);
}
