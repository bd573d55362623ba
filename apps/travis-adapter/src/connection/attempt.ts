/** Work that several callers wait for together: each may leave, and with the last one it ends. */
export interface Attempt<T> {
  /** How the work itself ends. */
  readonly outcome: Promise<T>;
  /** Waits for the outcome; an aborted `signal` rejects with its reason at once. */
  join(signal?: AbortSignal): Promise<T>;
  /** Ends the work: whoever waits is rejected with `reason`. */
  abort(reason: Error): void;
}

export interface AttemptOptions<T> {
  run(signal: AbortSignal): Promise<T>;
  /** The last caller has left; the work is being ended. */
  onAbandon(): void;
}

/** Starts the work. It goes on while nobody has joined yet. */
export function createAttempt<T>({ run, onAbandon }: AttemptOptions<T>): Attempt<T> {
  const controller = new AbortController();
  const outcome = run(controller.signal);
  const result = Promise.race([outcome, rejectionOf(controller.signal)]);
  // Whoever waits hears of a failure; with nobody waiting it is no unhandled one.
  result.catch(() => {});
  let waiting = 0;

  function leave(reason: unknown): void {
    waiting--;
    if (waiting > 0 || controller.signal.aborted) return;
    onAbandon();
    controller.abort(reason);
  }

  async function join(signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    waiting++;
    if (signal === undefined) return result;
    const left = new AbortController();
    const onAbort = () => left.abort(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await Promise.race([result, rejectionOf(left.signal)]);
    } finally {
      signal.removeEventListener("abort", onAbort);
      if (left.signal.aborted) leave(signal.reason);
      else waiting--;
    }
  }

  return { outcome, join, abort: (reason) => controller.abort(reason) };
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  const rejection = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  rejection.catch(() => {});
  return rejection;
}
