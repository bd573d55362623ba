import {
  INVALID_PARAMS,
  idKey,
  isRequestId,
  METHOD_NOT_FOUND,
  membersOf,
  type RelayMessage,
  stringAt,
} from "@core/wire";
import { MAX_QUOTED_CHARACTERS } from "../limits.ts";
import { resultMessage } from "../response/message.ts";
import type { ClientSession } from "../upstream/client-session.ts";
import type { ListKind } from "../upstream/list-kind.ts";
import type { ClientRequest } from "./client-request.ts";
import type { HeldCalls } from "./held.ts";
import type { InFlight } from "./in-flight.ts";
import type { ServerRequests } from "./server-request.ts";
import type { Subscribing } from "./subscribe.ts";
import type { Subscriber } from "./subscribers.ts";
import type { SubscriptionOffer } from "./subscription-offer.ts";

/** What the gateway does with the messages of a session. */
export interface Exchange {
  /** What the gateway offers to clients. */
  capabilities(): object;
  /** Settles when it is known what the gateway offers, or was waited for long enough; undefined where it is known. */
  learn(session: ClientSession | undefined): Promise<void> | undefined;
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
  /** For a stream of a modern client: tells which of these resources it will hear of, until it leaves. */
  listen(subscriber: Subscriber, uris: readonly string[]): Promise<readonly string[]>;
  leave(subscriber: Subscriber): void;
  /** Tells a session that has got its stream of what it has missed. */
  announce(session: ClientSession): void;
}

export interface ExchangeOptions {
  readonly callTool: Handler;
  readonly readResource: Handler;
  readonly getPrompt: Handler;
  readonly complete: Handler;
  list(kind: ListKind): Handler;
  /** What any rule names; the rest is not there for clients. */
  readonly has: { readonly resources: boolean; readonly prompts: boolean };
  readonly serverRequests: Pick<ServerRequests, "answer" | "setLevel">;
  readonly heldCalls: HeldCalls;
  readonly subscribing: Subscribing;
  readonly offer: SubscriptionOffer;
  readonly leave: Exchange["leave"];
  readonly announce: Exchange["announce"];
}

/** What a server may answer by a question (MCP 2026-07-28). */
const MAY_ASK: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"]);

type Handler = (client: ClientRequest) => void;

export function createExchange(options: ExchangeOptions): Exchange {
  const { has, list, serverRequests, heldCalls, subscribing, offer } = options;
  const methods: Readonly<Record<string, Handler>> = {
    "tools/call": options.callTool,
    "tools/list": list("tools"),
    // What was cut from an answer is read as a resource, whether or not servers have any.
    "resources/read": options.readResource,
    "resources/list": list("resources"),
    "resources/templates/list": list("templates"),
    ...(has.resources && {
      "resources/subscribe": subscribing.subscribe,
      "resources/unsubscribe": subscribing.unsubscribe,
    }),
    ...(has.prompts && { "prompts/list": list("prompts"), "prompts/get": options.getPrompt }),
    ...((has.prompts || has.resources) && { "completion/complete": options.complete }),
    "logging/setLevel": createSetLevel(serverRequests),
    ping: ({ message, reply }) => reply.finish(resultMessage(message.idText, "{}")),
  };
  const capabilities = () => ({
    tools: { listChanged: true },
    resources: { listChanged: true, ...(offer.isMade && { subscribe: true }) },
    ...(has.prompts && { prompts: { listChanged: true } }),
    ...((has.prompts || has.resources) && { completions: {} }),
    logging: {},
  });
  return {
    capabilities,
    learn: offer.learn,
    serves: (method) => Object.hasOwn(methods, method),
    request(client) {
      const { method } = client.message;
      const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
      if (handler !== undefined && client.modern !== undefined && MAY_ASK.has(method))
        return heldCalls.serve(client, handler);
      if (handler !== undefined) return handler(client);
      const shown = method.slice(0, MAX_QUOTED_CHARACTERS);
      client.reply.fail(METHOD_NOT_FOUND, `Method not found: ${shown}`);
    },
    notification(bytes, { method, params }, inFlight) {
      const member = params.requestId;
      if (method !== "notifications/cancelled" || member === undefined) return;
      const id: unknown = JSON.parse(bytes.toString("utf8", member.valueStart, member.valueEnd));
      if (isRequestId(id)) inFlight.cancel(idKey(id));
    },
    answer: serverRequests.answer,
    listen: subscribing.listen,
    leave: options.leave,
    announce: options.announce,
  };
}

function createSetLevel({ setLevel }: Pick<ServerRequests, "setLevel">): Handler {
  return ({ bytes, message, session, reply }) => {
    const params = membersOf(bytes, message.envelope.params);
    const level = stringAt(
      bytes,
      params.find(({ key }) => key === "level"),
    );
    if (level !== undefined && setLevel(session, level))
      reply.finish(resultMessage(message.idText, "{}"));
    else reply.fail(INVALID_PARAMS, "params.level must be a log level");
  };
}
