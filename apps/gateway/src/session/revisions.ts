import { notification } from "../response/message.ts";
import type { ListKind } from "../upstream/list-kind.ts";
import type { Session } from "./session.ts";

/** Counts the changes of the exposed tools, and tells clients of what they have seen an older state of. */
export interface Revisions {
  current(): number;
  /** What clients see of a list is not what it was. */
  changed(kind: ListKind): void;
  /** Tells a session of what it has missed, if it has a stream to be told on. */
  announce(session: Session): void;
  /** Calls with the method of each announcement, until what it returns is called. */
  listen(onChange: (method: ChangeMethod) => void): () => void;
}

export type ChangeMethod = `notifications/${"tools" | "resources" | "prompts"}/list_changed`;

const METHODS: Readonly<Record<ListKind, ChangeMethod>> = Object.freeze({
  tools: "notifications/tools/list_changed",
  resources: "notifications/resources/list_changed",
  templates: "notifications/resources/list_changed",
  prompts: "notifications/prompts/list_changed",
});

const TOOLS_CHANGED = notification(METHODS.tools);

export function createRevisions(sessions: () => Iterable<Session>): Revisions {
  const listeners = new Set<(method: ChangeMethod) => void>();
  let revision = 0;
  const announce = (session: Session) => {
    if (session.toldRevision === undefined || session.toldRevision === revision) return;
    if (session.announcements === undefined) return;
    session.toldRevision = revision;
    session.announcements.send(TOOLS_CHANGED);
  };
  return {
    current: () => revision,
    announce,
    changed(kind) {
      const method = METHODS[kind];
      if (kind === "tools") {
        revision++;
        for (const session of sessions()) announce(session);
      } else {
        const note = notification(method);
        for (const session of sessions()) session.send(note);
      }
      for (const listener of listeners) listener(method);
    },
    listen(onChange) {
      // Wrapped, so that one function may listen twice.
      const listener = (method: ChangeMethod) => onChange(method);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
