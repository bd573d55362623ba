import { notification } from "../response/message.ts";
import type { Session } from "./session.ts";

/** Counts the changes of the exposed tools, and tells each client that has seen an older list. */
export interface Revisions {
  current(): number;
  /** The exposed tools are not what they were. */
  advance(): void;
  /** Tells a session of what it has missed, if it has a stream to be told on. */
  announce(session: Session): void;
  /** Calls with each change, until what it returns is called. */
  listen(onChange: () => void): () => void;
}

const LIST_CHANGED = notification("notifications/tools/list_changed");

export function createRevisions(sessions: () => Iterable<Session>): Revisions {
  const listeners = new Set<() => void>();
  let revision = 0;
  const announce = (session: Session) => {
    if (session.toldRevision === undefined || session.toldRevision === revision) return;
    if (session.announcements === undefined) return;
    session.toldRevision = revision;
    session.announcements.send(LIST_CHANGED);
  };
  return {
    current: () => revision,
    announce,
    advance() {
      revision++;
      for (const session of sessions()) announce(session);
      for (const onChange of listeners) onChange();
    },
    listen(onChange) {
      // Wrapped, so that one function may listen twice.
      const listener = () => onChange();
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
