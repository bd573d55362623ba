import { idKey, isRequestId, METHOD_NOT_FOUND, type RelayMessage } from "@core/wire";
import { MAX_QUOTED_CHARACTERS } from "../limits.ts";
import { resultMessage } from "../response/message.ts";
import type { ClientSession } from "../upstream/client-session.ts";
import type { ClientRequest } from "./client-request.ts";
import type { InFlight } from "./in-flight.ts";

/** What the gateway does with the messages of a session. */
export interface Exchange {
  /** Whether there is anything behind a method. */
  serves(method: string): boolean;
  /** Answers a request through its reply, now or later. */
  request(client: ClientRequest): void;
  notification(
    bytes: Buffer,
    message: RelayMessage & { readonly kind: "notification" },
    inFlight: InFlight,
  ): void;
  /** Takes a client's answer to what a server asked it for. */
  answer(
    bytes: Buffer,
    message: RelayMessage & { readonly kind: "response" | "error" },
    session: ClientSession,
  ): void;
}

export interface ExchangeOptions {
  callTool(client: ClientRequest): void;
  listTools(client: ClientRequest): void;
}

export function createExchange({ callTool, listTools }: ExchangeOptions): Exchange {
  const methods: Readonly<Record<string, (client: ClientRequest) => void>> = {
    "tools/call": callTool,
    "tools/list": listTools,
    ping: ({ message, reply }) => reply.finish(resultMessage(message.idText, "{}")),
  };
  return {
    serves: (method) => Object.hasOwn(methods, method),
    request(client) {
      const { method } = client.message;
      if (Object.hasOwn(methods, method)) return methods[method]?.(client);
      const shown = method.slice(0, MAX_QUOTED_CHARACTERS);
      client.reply.fail(METHOD_NOT_FOUND, `Method not found: ${shown}`);
    },
    notification(bytes, { method, params }, inFlight) {
      const member = params.requestId;
      if (method !== "notifications/cancelled" || member === undefined) return;
      const id: unknown = JSON.parse(bytes.toString("utf8", member.valueStart, member.valueEnd));
      if (isRequestId(id)) inFlight.cancel(idKey(id));
    },
    // Nothing is asked of clients yet, so nothing waits for an answer.
    answer() {},
  };
}
