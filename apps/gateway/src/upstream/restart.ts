import {
  MAX_ENDS_IN_WINDOW,
  RESTART_FLOOR_MS,
  RESTART_PAUSE_MS,
  RESTART_WINDOW_MS,
} from "../limits.ts";

/** Whether a server that ended by itself may be started again, in milliseconds from now, or not for so long. */
type RestartVerdict =
  | { readonly kind: "start"; readonly delayMs: number }
  | { readonly kind: "paused"; readonly leftMs: number };

/** Paces the starts of one server, so that one that keeps dying cannot spin. */
export interface Restarts {
  /** The server ended, or failed to start, without being asked to. */
  ended(): void;
  verdict(): RestartVerdict;
  /** Forgets all ends, and with them a pause. */
  forgive(): void;
}

/** `now` is a monotonic clock in milliseconds. */
export function createRestarts(now: () => number): Restarts {
  let ends: number[] = [];
  const forgetOld = () => {
    const since = now() - RESTART_WINDOW_MS;
    ends = ends.filter((end) => end > since);
  };
  let pausedUntil = Number.NEGATIVE_INFINITY;
  return {
    ended() {
      forgetOld();
      ends.push(now());
      if (ends.length < MAX_ENDS_IN_WINDOW) return;
      pausedUntil = now() + RESTART_PAUSE_MS;
      ends = [];
    },
    forgive() {
      ends = [];
      pausedUntil = Number.NEGATIVE_INFINITY;
    },
    verdict() {
      const leftMs = pausedUntil - now();
      if (leftMs > 0) return { kind: "paused", leftMs };
      forgetOld();
      const last = ends.at(-1);
      if (last === undefined) return { kind: "start", delayMs: 0 };
      const wait = RESTART_FLOOR_MS * 2 ** (ends.length - 1);
      return { kind: "start", delayMs: Math.max(0, last + wait - now()) };
    },
  };
}
