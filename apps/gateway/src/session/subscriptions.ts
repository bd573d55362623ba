import { type JsonObject, META_KEYS, membersOf, textAt } from "@core/wire";
import { REFUSALS } from "../errors.ts";
import type { Identity } from "../exchange/initialize.ts";
import { type IdText, resultMessage } from "../response/message.ts";
import type { EndpointRequest, RequestMessage } from "./endpoint-request.ts";
import { openEventStream } from "./event-stream.ts";
import { refuse } from "./refuse.ts";
import type { ChangeMethod, Revisions } from "./revisions.ts";
import type { Session } from "./session.ts";

/** `subscriptions/listen`: the streams on which modern clients hear that lists have changed. */
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
  /** What the gateway offers to clients. */
  capabilities(): object;
}

export function createSubscriptions(options: SubscriptionsOptions): Subscriptions {
  const { revisions, identity, capabilities } = options;
  const open = new Set<() => void>();

  return {
    listen(body, message, session, { response, accept }) {
      const { idText } = message;
      if (!accept.events) return refuse(response, REFUSALS.eventsOnly, idText);
      const wanted = readFilter(body, message);
      if (wanted === undefined) return refuse(response, REFUSALS.filter, idText);
      const stop: (() => void)[] = [];
      const stream = openEventStream(response, () => {
        open.delete(end);
        for (const run of stop) run();
      });
      const end = () => {
        stream.send(endOf(idText, identity));
        stream.end();
      };
      const offered = capabilities();
      const honoured = Object.entries(KINDS).filter(
        ([kind]) => wanted.has(kind) && kind.replace("ListChanged", "") in offered,
      );
      const notifications = Object.fromEntries(honoured.map(([kind]) => [kind, true]));
      stream.send(stamped("notifications/subscriptions/acknowledged", { notifications }, idText));
      if (honoured.length === 0) return end();
      const methods = new Set(honoured.map(([, method]) => method));
      open.add(end);
      // While it is open it keeps its session, as a call does.
      stop.push(session.inFlight.add(`subscription ${idText}`, end));
      stop.push(
        revisions.listen((method) => {
          if (methods.has(method)) stream.send(stamped(method, {}, idText));
        }),
      );
    },
    endAll() {
      for (const end of open) end();
    },
    get size() {
      return open.size;
    },
  };
}

/** The kinds of notification that a client asks for; undefined if it does not say so rightly. */
function readFilter(body: Buffer, { envelope }: RequestMessage): ReadonlySet<string> | undefined {
  const filter = membersOf(body, envelope.params).find(({ key }) => key === "notifications");
  if (filter?.kind !== "object") return undefined;
  const asked = membersOf(body, filter).filter((member) => textAt(body, member) === "true");
  return new Set(asked.map(({ key }) => key));
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
