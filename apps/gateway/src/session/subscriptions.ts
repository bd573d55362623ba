import type { ServerResponse } from "node:http";
import { isObject, type JsonObject, META_KEYS, membersOf, textAt } from "@core/wire";
import { REFUSALS } from "../errors.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Identity } from "../exchange/initialize.ts";
import type { Subscriber } from "../exchange/subscribers.ts";
import { MAX_SESSION_SUBSCRIPTIONS } from "../limits.ts";
import { type IdText, resultMessage } from "../response/message.ts";
import type { EndpointRequest, RequestMessage } from "./endpoint-request.ts";
import { type EventStream, openEventStream } from "./event-stream.ts";
import { refuse } from "./refuse.ts";
import type { ChangeMethod, Revisions } from "./revisions.ts";
import type { Session } from "./session.ts";

/** `subscriptions/listen`: the streams on which modern clients hear that lists or resources have changed. */
export interface Subscriptions {
  /** Opens a stream that lasts until the client closes it or the gateway stops. */
  listen(body: Buffer, message: RequestMessage, session: Session, request: EndpointRequest): void;
  /** Ends every stream with the answer that says so. */
  endAll(): void;
  readonly size: number;
}

/** What a client asks for, and by which method it is told. */
const KINDS: Readonly<Record<string, ChangeMethod>> = Object.freeze({
  toolsListChanged: "notifications/tools/list_changed",
  promptsListChanged: "notifications/prompts/list_changed",
  resourcesListChanged: "notifications/resources/list_changed",
});

export interface SubscriptionsOptions {
  readonly revisions: Revisions;
  readonly identity: Identity;
  readonly exchange: Pick<Exchange, "capabilities" | "listen" | "leave">;
}

export function createSubscriptions(options: SubscriptionsOptions): Subscriptions {
  const { revisions, identity, exchange } = options;
  const open = new Set<() => void>();

  /** Opens the stream, on which nothing is said before what the client will hear of is known. */
  function openListening(response: ServerResponse, session: Session, idText: IdText): Listening {
    const stop: (() => void)[] = [];
    const subscriber = createStreamSubscriber(session, idText, (json) => stream.send(json));
    const release = () => {
      open.delete(end);
      exchange.leave(subscriber);
      for (const run of stop.splice(0)) run();
    };
    const stream = openEventStream(response, release);
    const end = () => {
      release();
      stream.send(endOf(idText, identity));
      stream.end();
    };
    open.add(end);
    // While it is open it keeps its session, as a call does.
    stop.push(session.inFlight.add(`subscription ${idText}`, end));
    return { idText, stream, subscriber, end, stop, isOpen: () => open.has(end) };
  }

  /** Tells the client what it will hear of, and from then on of that. */
  function begin(listening: Listening, kinds: readonly string[], uris: readonly string[]) {
    const { idText, stream, subscriber, end, stop, isOpen } = listening;
    if (!isOpen()) return;
    const notifications = {
      ...Object.fromEntries(kinds.map((kind) => [kind, true])),
      ...(uris.length > 0 && { resourceSubscriptions: [...uris] }),
    };
    stream.send(stamped("notifications/subscriptions/acknowledged", { notifications }, idText));
    if (Object.keys(notifications).length === 0) return end();
    const methods = new Set(kinds.map((kind) => KINDS[kind]));
    stop.push(
      revisions.listen((method) => {
        if (methods.has(method)) stream.send(stamped(method, {}, idText));
      }),
    );
    subscriber.begin();
  }

  return {
    listen(body, message, session, { response, accept }) {
      const { idText } = message;
      if (!accept.events) return refuse(response, REFUSALS.eventsOnly, idText);
      const filter = readFilter(body, message);
      if (filter === undefined) return refuse(response, REFUSALS.filter, idText);
      const offered = exchange.capabilities();
      const kinds = Object.keys(KINDS).filter(
        (kind) => filter.kinds.has(kind) && kind.replace("ListChanged", "") in offered,
      );
      const listening = openListening(response, session, idText);
      if (filter.uris.length === 0) return begin(listening, kinds, []);
      exchange
        .listen(listening.subscriber, filter.uris)
        .then((uris) => begin(listening, kinds, uris))
        .catch(listening.end);
    },
    endAll() {
      for (const end of open) end();
    },
    get size() {
      return open.size;
    },
  };
}

/** One open stream. */
interface Listening {
  readonly idText: IdText;
  readonly stream: EventStream;
  readonly subscriber: StreamSubscriber;
  end(): void;
  /** What to run when it ends. */
  readonly stop: (() => void)[];
  isOpen(): boolean;
}

interface StreamSubscriber extends Subscriber {
  /** From now on it is told, first of what has changed before. */
  begin(): void;
}

/** The first word on a stream is which resources it is about; what a server says earlier waits for it. */
function createStreamSubscriber(
  session: Session,
  subscriptionId: IdText,
  send: (json: Buffer) => void,
): StreamSubscriber {
  const early = new Map<string, Buffer>();
  let hasBegun = false;
  return {
    session,
    subscriptionId,
    send(json, uri) {
      if (hasBegun) send(json);
      else if (early.size < MAX_SESSION_SUBSCRIPTIONS) early.set(uri, json);
    },
    begin() {
      hasBegun = true;
      for (const json of early.values()) send(json);
      early.clear();
    },
  };
}

interface Filter {
  readonly kinds: ReadonlySet<string>;
  readonly uris: readonly string[];
}

/**
 * What a client asks to hear of; undefined if it does not say so rightly. Of the resources no more than a session may have:
 * it is told which ones.
 */
function readFilter(body: Buffer, { envelope }: RequestMessage): Filter | undefined {
  const filter = membersOf(body, envelope.params).find(({ key }) => key === "notifications");
  if (filter?.kind !== "object") return undefined;
  const asked: unknown = JSON.parse(textAt(body, filter));
  const { resourceSubscriptions = [], ...others } = isObject(asked) ? asked : {};
  if (!isTextList(resourceSubscriptions)) return undefined;
  return {
    kinds: new Set(Object.keys(others).filter((kind) => others[kind] === true)),
    uris: [...new Set(resourceSubscriptions)].slice(0, MAX_SESSION_SUBSCRIPTIONS),
  };
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

/** A notification of the subscription with this id, which keeps the form that the client gave it. */
function stamped(method: string, params: JsonObject, idText: IdText): Buffer {
  const rest = JSON.stringify(params).slice(1, -1);
  const meta = `"_meta":{"${META_KEYS.subscriptionId}":${idText}}`;
  const text = `{"jsonrpc":"2.0","method":"${method}","params":{${rest}${rest && ","}${meta}}}`;
  return Buffer.from(text);
}

function endOf(idText: IdText, identity: Identity): Buffer {
  const serverInfo = `"${META_KEYS.serverInfo}":${JSON.stringify(identity)}`;
  const meta = `{"${META_KEYS.subscriptionId}":${idText},${serverInfo}}`;
  return resultMessage(idText, `{"resultType":"complete","_meta":${meta}}`);
}
