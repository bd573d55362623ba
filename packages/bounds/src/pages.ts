import { LimitError, requireAmount } from "./limit.ts";

/** One page of a list. A page without `nextCursor` is the last; the empty string is a cursor like any other. */
export interface Page<T> {
  readonly entries: readonly T[];
  readonly nextCursor?: string | undefined;
}

/** Bounds of a whole list, over all of its pages. */
export interface PageLimits {
  readonly maxPages: number;
  readonly maxEntries: number;
  /** Milliseconds for the whole list. */
  readonly deadlineMs?: number | undefined;
  /** Cancels the list; its reason is what `collectPages` rejects with. */
  readonly signal?: AbortSignal | undefined;
  /** A monotonic clock in milliseconds. */
  readonly now?: (() => number) | undefined;
}

/** The longest delay that a timer keeps to; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Reads a list page by page into one array. Rejects with `LimitError` "pages", "entries", "repeatedCursor" (any
 * earlier one) or "deadline", with the reason of `signal`, or with what `fetchPage` rejects with. The signal that
 * `fetchPage` gets aborts when the list is cancelled or late; a fetch that does not heed it is abandoned.
 */
export async function collectPages<T>(
  fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>,
  limits: PageLimits,
): Promise<T[]> {
  const maxPages = requireAmount("maxPages", limits.maxPages);
  const maxEntries = requireAmount("maxEntries", limits.maxEntries);
  const deadline = createDeadline(limits);
  const entries: T[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  try {
    for (let pages = 1; ; pages++) {
      if (pages > maxPages) throw new LimitError("pages", maxPages, pages);
      const page = await deadline.race((signal) => fetchPage(cursor, signal));
      const count = entries.length + page.entries.length;
      if (count > maxEntries) throw new LimitError("entries", maxEntries, count);
      for (const entry of page.entries) entries.push(entry);
      cursor = page.nextCursor ?? undefined;
      if (cursor === undefined) return entries;
      if (cursors.has(cursor)) throw new LimitError("repeatedCursor", 1, 2);
      cursors.add(cursor);
    }
  } finally {
    deadline.clear();
  }
}

/** Ends what runs under it when the time is over or the caller cancels, whichever comes first. */
function createDeadline({
  deadlineMs = Infinity,
  signal,
  now = () => performance.now(),
}: PageLimits) {
  requireAmount("deadlineMs", deadlineMs);
  const started = now();
  const controller = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    controller.signal.addEventListener("abort", () => reject(controller.signal.reason));
  });
  // It may reject when nothing races against it.
  aborted.catch(() => {});

  const cancel = () => controller.abort(signal?.reason);
  const expire = () =>
    controller.abort(new LimitError("deadline", deadlineMs, Math.ceil(now() - started)));
  if (signal?.aborted) cancel();
  signal?.addEventListener("abort", cancel);
  const timer = deadlineMs <= MAX_TIMER_MS ? setTimeout(expire, deadlineMs) : undefined;

  return {
    async race<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
      controller.signal.throwIfAborted();
      const result = await Promise.race([aborted, run(controller.signal)]);
      if (now() - started > deadlineMs) expire();
      controller.signal.throwIfAborted();
      return result;
    },
    clear() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    },
  };
}
