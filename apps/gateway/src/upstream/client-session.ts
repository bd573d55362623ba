import type { AllowedCwd } from "../auth/cwd.ts";

/** A client's session as the rooms before it see it: whom a call belongs to, and what ends with it. */
export interface ClientSession {
  /** Names the session in the audit. It is not the session's id and lets nobody in. */
  readonly label: string;
  /** The checked folder of `?cwd=`. Whoever uses its path asks `isStillAllowed` right before. */
  readonly cwd: AllowedCwd | undefined;
  /** What the client declared that servers may ask it for: `sampling`, `elicitation`. */
  readonly capabilities: ReadonlySet<string>;
  /** Whether each of its requests declares that anew, as in the modern era. */
  readonly declaresPerRequest?: boolean;
  /** Keeps the session while something of it is under way. */
  readonly inFlight?: { add(id: string, cancel: () => void): () => void };
  /** Has this run once when the session ends; at once if it has ended already. */
  onEnd(run: () => void): void;
  /** Sends what belongs to none of the session's requests; false if the client has no stream open for it. */
  send(json: Buffer): boolean;
}
