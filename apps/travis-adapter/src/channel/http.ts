import { setTimeout as pause } from "node:timers/promises";
import { classify, isModernVersion, type ParamHeader, requestHeaders } from "@core/wire";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";
import { limits } from "../limits.ts";
import { type Channel, type Listener, localAnswer } from "./channel.ts";
import { createGuardedFetch, type SentRequest } from "./guarded-fetch.ts";
import type { Network } from "./network.ts";
import { createNotices } from "./notices.ts";
import type { ResolvedHttp } from "./resolve.ts";

/**
 * Opens a Streamable HTTP server over the SDK's transport. What that lacks is added around its `fetch`: bounds, clear
 * failures, the headers of the modern era, and a stream of notices that outlives its breaks. A request whose response ended
 * without the answer is answered here, because the transport would leave it to its timeout.
 */
export async function openHttp(server: ResolvedHttp, network: Network): Promise<Channel> {
  /** The requests that have no answer yet. */
  const awaited = new Set<RequestId>();
  const mirrors = new Map<RequestId, readonly ParamHeader[]>();
  /** The requests whose responses named an event by which they could be taken up again. */
  const resumable = new Map<RequestId, { readonly request: SentRequest; readonly after: string }>();
  let listener: Listener | undefined;
  let modern: string | undefined;

  const notices = createNotices({
    fetch: network.fetch,
    pause: (ms, signal) => pause(ms, undefined, { ref: false, signal }),
    onMessage: deliver,
  });
  const guarded = createGuardedFetch({
    fetch: network.fetch,
    onNotices: notices.open,
    onResponseEnd(id, failure) {
      const isTakenUpAgain = failure === undefined && awaited.has(id);
      if (isTakenUpAgain) return;
      resumable.delete(id);
      if (awaited.delete(id) && failure !== undefined)
        listener?.onMessage(localAnswer(id, failure));
    },
    interruptedAfter: (eventId) =>
      [...resumable.values()].find(({ after }) => after === eventId)?.request,
    headersOf: (message) =>
      modern === undefined ? {} : requestHeaders(message, modern, mirrors.get(message.id)),
  });
  const sdk = new StreamableHTTPClientTransport(server.url, {
    fetch: guarded.fetch,
    requestInit: { headers: server.headers },
  });
  sdk.onmessage = deliver;
  sdk.onclose = () => listener?.onEnd();
  await sdk.start();

  function deliver(message: unknown): void {
    const read = classify(message);
    const isAnswer = read.kind === "response" || read.kind === "error";
    if (isAnswer && read.id !== null) awaited.delete(read.id);
    listener?.onMessage(message);
  }

  async function sendRequest(
    message: JSONRPCMessage,
    request: SentRequest,
    mirrored: readonly ParamHeader[],
  ): Promise<void> {
    const { id } = request;
    const onresumptiontoken = (after: string) => {
      if (awaited.has(id)) resumable.set(id, { request, after });
    };
    awaited.add(id);
    if (mirrored.length > 0) mirrors.set(id, mirrored);
    try {
      await sdk.send(message, { onresumptiontoken });
    } catch (error) {
      awaited.delete(id);
      throw error;
    } finally {
      mirrors.delete(id);
    }
  }

  return {
    listen(told) {
      listener = told;
    },
    async send(message, mirrored) {
      const read = classify(message);
      const sdkMessage = message as unknown as JSONRPCMessage;
      if (read.kind === "request") await sendRequest(sdkMessage, read, mirrored);
      else await sdk.send(sdkMessage);
    },
    speak(version) {
      modern = isModernVersion(version) ? version : undefined;
      sdk.setProtocolVersion(version);
    },
    lapses: notices.lapses,
    abandon(id) {
      awaited.delete(id);
      resumable.delete(id);
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
