import { isModernVersion, type ParamHeader, requestHeaders } from "@core/wire";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";
import { limits } from "../limits.ts";
import { type Channel, type Listener, localAnswer } from "./channel.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";
import type { Network } from "./network.ts";
import type { ResolvedHttp } from "./resolve.ts";

/**
 * Opens a Streamable HTTP server over the SDK's transport. What that lacks is added around its `fetch`: bounds, clear
 * failures, the headers of the modern era. A request whose response ended without the answer is answered here, because
 * the transport would leave it to its timeout.
 */
export async function openHttp(server: ResolvedHttp, network: Network): Promise<Channel> {
  const answered = new Set<RequestId>();
  const mirrors = new Map<RequestId, readonly ParamHeader[]>();
  let listener: Listener | undefined;
  let modern: string | undefined;

  const guarded = createGuardedFetch({
    fetch: network.fetch,
    onResponseEnd(id, failure) {
      if (answered.delete(id) || failure === undefined) return;
      listener?.onMessage(localAnswer(id, failure));
    },
    headersOf: (message) =>
      modern === undefined ? {} : requestHeaders(message, modern, mirrors.get(message.id)),
  });
  const sdk = new StreamableHTTPClientTransport(server.url, {
    fetch: guarded.fetch,
    requestInit: { headers: server.headers },
  });
  sdk.onmessage = (message) => {
    if (("result" in message || "error" in message) && message.id !== undefined)
      answered.add(message.id);
    listener?.onMessage(message);
  };
  sdk.onclose = () => listener?.onEnd();
  await sdk.start();

  return {
    listen(told) {
      listener = told;
    },
    async send(message, mirrored) {
      const id = message.id as RequestId;
      if (mirrored.length > 0) mirrors.set(id, mirrored);
      await sdk.send(message as unknown as JSONRPCMessage).finally(() => mirrors.delete(id));
    },
    speak(version) {
      modern = isModernVersion(version) ? version : undefined;
      sdk.setProtocolVersion(version);
    },
    abandon(id) {
      // The end of the response is what cancels a modern request (MCP 2026-07-28, cancellation).
      if (modern !== undefined) guarded.abort(id);
      return modern !== undefined;
    },
    endReport: async () => ({ how: "closed the connection", stderr: "", isProcess: false }),
    async close() {
      await endSession(sdk);
      await sdk.close();
      await network.close();
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
