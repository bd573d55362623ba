import { MAX_SESSION_SUBSCRIPTIONS } from "../limits.ts";
import type { ClientSession } from "../upstream/client-session.ts";
import type { Subscriber } from "./subscribers.ts";

/** The sessions of older revisions as subscribers, one each, for as long as they last. */
export interface SessionSubscribers {
  of(session: ClientSession): Subscriber;
  /** The session does not want to hear of this resource any more. */
  forget(session: ClientSession, uri: string): void;
  /** Tells a session that has got its stream of what changed while it had none. */
  announce(session: ClientSession): void;
}

/** `onEnd` runs once for each subscriber, when its session ends. */
export function createSessionSubscribers(
  onEnd: (subscriber: Subscriber) => void,
): SessionSubscribers {
  const subscribers = new WeakMap<ClientSession, Subscriber>();
  const missed = new WeakMap<ClientSession, Map<string, Buffer>>();

  function create(session: ClientSession): Subscriber {
    const unheard = new Map<string, Buffer>();
    const subscriber: Subscriber = {
      session,
      send(json, uri) {
        if (!session.send(json) && unheard.size < MAX_SESSION_SUBSCRIPTIONS) unheard.set(uri, json);
      },
    };
    subscribers.set(session, subscriber);
    missed.set(session, unheard);
    session.onEnd(() => onEnd(subscriber));
    return subscriber;
  }

  return {
    of: (session) => subscribers.get(session) ?? create(session),
    forget: (session, uri) => void missed.get(session)?.delete(uri),
    announce(session) {
      const unheard = missed.get(session);
      for (const [uri, json] of unheard ?? []) if (session.send(json)) unheard?.delete(uri);
    },
  };
}
