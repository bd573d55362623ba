/** One signal for everything that can end a wait early, and the knowledge of which it was. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Undefined while the wait goes on. */
  readonly ended: "timeout" | "cancelled" | "closed" | undefined;
  /** Starts the silence anew, because something was heard; the total goes on. */
  extend(): void;
  /** Lets go of timers and signals. */
  release(): void;
}

export interface DeadlineOptions {
  /** Milliseconds without {@link Deadline.extend}, and in all. */
  readonly silenceMs: number;
  readonly totalMs: number;
  /** The caller's wish to stop. */
  readonly outer?: AbortSignal | undefined;
  /** The end of what the wait is for. */
  readonly closing?: AbortSignal | undefined;
}

/** Whichever comes first ends the wait. */
export function createDeadline({ silenceMs, totalMs, outer, closing }: DeadlineOptions): Deadline {
  const controller = new AbortController();
  let ended: Deadline["ended"];
  const end = (how: NonNullable<Deadline["ended"]>) => {
    ended ??= how;
    controller.abort(new Error(how));
  };
  const expire = () => end("timeout");
  const cancel = () => end("cancelled");
  const close = () => end("closed");
  let silence = setTimeout(expire, silenceMs);
  const total = setTimeout(expire, totalMs);
  listen(outer, cancel);
  listen(closing, close);
  return {
    signal: controller.signal,
    get ended() {
      return ended;
    },
    extend() {
      if (ended !== undefined) return;
      clearTimeout(silence);
      silence = setTimeout(expire, silenceMs);
    },
    release() {
      clearTimeout(silence);
      clearTimeout(total);
      outer?.removeEventListener("abort", cancel);
      closing?.removeEventListener("abort", close);
    },
  };
}

function listen(signal: AbortSignal | undefined, onAbort: () => void): void {
  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort, { once: true });
}
