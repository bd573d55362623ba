import { LimitError } from "@core/bounds";
import { META_KEYS, rewriteEnvelope } from "@core/wire";
import { UpstreamError } from "../errors.ts";
import type { PermittedRead } from "../policy/resource.ts";
import type { IdText } from "../response/message.ts";
import type { Scrub } from "../response/scrub.ts";
import type { ClientSession } from "../upstream/client-session.ts";
import type { Subscription } from "../upstream/held-subscriptions.ts";
import type { ResourceUpdate } from "../upstream/resource-update.ts";
import type { Upstream } from "../upstream/upstream.ts";

/** Who is told of changes of resources: a session, or one stream of a modern client. */
export interface Subscriber {
  readonly session: ClientSession;
  /** What each word to a modern client names as its cause. */
  readonly subscriptionId?: IdText;
  send(json: Buffer, uri: string): void;
}

/** Who has subscribed to what. It outlives a reload, which may take subscriptions away. */
export interface Subscribers {
  /** Settles when the server tells of the resource. Rejects with UpstreamError or LimitError; then nothing is left of it. */
  add(subscriber: Subscriber, permitted: PermittedRead): Added;
  remove(subscriber: Subscriber, uri: string): void;
  removeAll(subscriber: Subscriber): void;
  /** Tells those, and no others, that have subscribed to this resource or to one that it lies in. */
  tell(update: ResourceUpdate, server: string, owner: ClientSession | undefined): void;
  /** Judges all of them anew: some may be hidden now, and some be another server's. */
  judge(): void;
  readonly size: number;
}

interface Added {
  readonly opened: Promise<void>;
  /** False if the same subscriber has subscribed to it before. */
  readonly isNew: boolean;
}

/** What the configuration of this moment says. */
export interface SubscriptionRules {
  /** The predicate of reading. */
  permit(uri: string): PermittedRead | undefined;
  readonly upstreams: ReadonlyMap<string, Pick<Upstream, "subscribe">>;
  /** Milliseconds that a server has to agree. */
  timeoutOf(server: string): number;
  readonly scrub: Pick<Scrub, "message">;
}

export interface SubscribersOptions {
  rules(): SubscriptionRules;
  readonly maxOfSession: number;
  readonly maxInAll: number;
}

interface Entry {
  readonly subscriber: Subscriber;
  readonly server: string;
  readonly upstream: Pick<Upstream, "subscribe"> | undefined;
  readonly part: Subscription;
}

export function createSubscribers(options: SubscribersOptions): Subscribers {
  const { rules, maxOfSession, maxInAll } = options;
  const byUri = new Map<string, Map<Subscriber, Entry>>();
  const uris = new Map<Subscriber, Set<string>>();
  const counts = new Map<ClientSession, number>();
  let size = 0;

  const count = (session: ClientSession, by: 1 | -1) => {
    const now = (counts.get(session) ?? 0) + by;
    size += by;
    if (now === 0) counts.delete(session);
    else counts.set(session, now);
  };
  const findFull = (session: ClientSession) => {
    const own = counts.get(session) ?? 0;
    if (own >= maxOfSession)
      return new LimitError("subscriptions of a session", maxOfSession, own + 1);
    if (size >= maxInAll) return new LimitError("subscriptions", maxInAll, size + 1);
    return undefined;
  };
  const put = (uri: string, entry: Entry) => {
    const { subscriber } = entry;
    const entries = byUri.get(uri) ?? new Map<Subscriber, Entry>();
    const own = uris.get(subscriber) ?? new Set<string>();
    byUri.set(uri, entries.set(subscriber, entry));
    uris.set(subscriber, own.add(uri));
    count(subscriber.session, 1);
  };
  const take = (uri: string, subscriber: Subscriber) => {
    const entries = byUri.get(uri);
    const entry = entries?.get(subscriber);
    if (entries === undefined || entry === undefined) return;
    entries.delete(subscriber);
    if (entries.size === 0) byUri.delete(uri);
    const own = uris.get(subscriber);
    own?.delete(uri);
    if (own?.size === 0) uris.delete(subscriber);
    count(subscriber.session, -1);
    entry.part.release();
  };
  const open = (subscriber: Subscriber, permitted: PermittedRead) => {
    const { server, uri } = permitted;
    const { upstreams, timeoutOf } = rules();
    const upstream = upstreams.get(server);
    const part = upstream?.subscribe(permitted, subscriber.session, timeoutOf(server)) ?? gone();
    const entry: Entry = { subscriber, server, upstream, part };
    put(uri, entry);
    part.opened.catch(() => {
      if (byUri.get(uri)?.get(subscriber) === entry) take(uri, subscriber);
    });
    return part.opened;
  };

  return {
    add(subscriber, permitted) {
      const before = byUri.get(permitted.uri)?.get(subscriber);
      if (before !== undefined) return { opened: before.part.opened, isNew: false };
      const full = findFull(subscriber.session);
      const opened = full === undefined ? open(subscriber, permitted) : Promise.reject(full);
      return { opened, isNew: true };
    },
    remove: (subscriber, uri) => take(uri, subscriber),
    removeAll(subscriber) {
      for (const uri of [...(uris.get(subscriber) ?? [])]) take(uri, subscriber);
    },
    tell(update, server, owner) {
      const { permit, scrub } = rules();
      if (permit(update.uri)?.server !== server) return;
      const told = new Set<Subscriber>();
      for (const [uri, entries] of byUri)
        if (liesIn(update.uri, uri))
          for (const entry of entries.values())
            if (
              entry.server === server &&
              (owner ?? entry.subscriber.session) === entry.subscriber.session
            )
              told.add(entry.subscriber);
      for (const subscriber of told)
        subscriber.send(scrub.message(messageFor(subscriber, update)), update.uri);
    },
    judge() {
      const { permit, upstreams } = rules();
      for (const [uri, entries] of [...byUri])
        for (const { subscriber, server, upstream } of [...entries.values()]) {
          const permitted = permit(uri);
          if (permitted?.server === server && upstreams.get(server) === upstream) continue;
          take(uri, subscriber);
          // A server that does not tell of it has said so by the end of what was there.
          if (permitted !== undefined) open(subscriber, permitted).catch(() => {});
        }
    },
    get size() {
      return size;
    },
  };
}

/** For a server that went with a reload, between the policy's word and now. */
function gone(): Subscription {
  const error = new UpstreamError("UNAVAILABLE", "Its server is gone");
  return { opened: Promise.reject(error), release() {} };
}

/** A server may tell of a part of what was subscribed to (MCP, resources/updated). */
function liesIn(uri: string, whole: string): boolean {
  if (!uri.startsWith(whole)) return false;
  return (
    uri.length === whole.length ||
    whole.endsWith("/") ||
    "/?#".includes(uri[whole.length] as string)
  );
}

function messageFor({ subscriptionId }: Subscriber, { bytes, message }: ResourceUpdate): Buffer {
  const key = META_KEYS.subscriptionId;
  const meta =
    subscriptionId === undefined
      ? { remove: (name: string) => name === key }
      : { set: { [key]: subscriptionId } };
  return rewriteEnvelope(bytes, message, { meta });
}
