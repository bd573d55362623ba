/** One signal for everything that can end a wait early, and the knowledge of which it was. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Undefined while the wait goes on. */
  readonly ended: "timeout" | "cancelled" | undefined;
  /** Lets go of the timer and the outer signal. */
  release(): void;
}

/** Ends after so many milliseconds, or with the caller's wish to stop: whichever comes first. */
export function createDeadline(ms: number, outer: AbortSignal): Deadline {
  const controller = new AbortController();
  let ended: Deadline["ended"];
  const end = (how: NonNullable<Deadline["ended"]>) => {
    ended ??= how;
    controller.abort(new Error(how));
  };
  const cancel = () => end("cancelled");
  const timer = setTimeout(() => end("timeout"), ms);
  if (outer.aborted) cancel();
  else outer.addEventListener("abort", cancel, { once: true });
  return {
    signal: controller.signal,
    get ended() {
      return ended;
    },
    release() {
      clearTimeout(timer);
      outer.removeEventListener("abort", cancel);
    },
  };
}
