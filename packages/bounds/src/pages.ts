import { LimitError, requireMaximum } from "./limit.ts";

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
  readonly now?: () => number;
}

/**
 * Reads a list page by page into one array. Rejects with `LimitError` "pages", "entries", "repeatedCursor" (any
 * earlier one) or "deadline", with the signal's reason, or with what `fetchPage` rejects with. The signal
 * that `fetchPage` gets is aborted when the list is cancelled or late; a fetch that ignores it is abandoned.
 */
export async function collectPages<T>(
  fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>,
  {
    maxPages,
    maxEntries,
    deadlineMs = Infinity,
    signal,
    now = () => performance.now(),
  }: PageLimits,
): Promise<T[]> {
  requireMaximum("maxPages", maxPages);
  requireMaximum("maxEntries", maxEntries);
  requireMaximum("deadlineMs", deadlineMs);
  const started = now();
  const checkDeadline = () => {
    const elapsed = now() - started;
    if (elapsed > deadlineMs) throw new LimitError("deadline", deadlineMs, Math.ceil(elapsed));
  };

  const stop = createStop(signal, deadlineMs);
  const entries: T[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  try {
    for (let pages = 1; ; pages++) {
      if (pages > maxPages) throw new LimitError("pages", maxPages, pages);
      stop.signal.throwIfAborted();
      const page = await Promise.race([fetchPage(cursor, stop.signal), stop.aborted]);
      checkDeadline();
      if (entries.length + page.entries.length > maxEntries)
        throw new LimitError("entries", maxEntries, entries.length + page.entries.length);
      for (const entry of page.entries) entries.push(entry);
      cursor = page.nextCursor ?? undefined;
      if (cursor === undefined) return entries;
      if (cursors.has(cursor)) throw new LimitError("repeatedCursor", 1, 2);
      cursors.add(cursor);
    }
  } finally {
    stop.release();
  }
}

/** One signal for cancellation and deadline, and a promise that rejects with its reason. */
function createStop(outer: AbortSignal | undefined, deadlineMs: number) {
  const controller = new AbortController();
  const { signal } = controller;
  const cancel = () => controller.abort(outer?.reason);
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => {});
  if (outer?.aborted) cancel();
  else outer?.addEventListener("abort", cancel, { once: true });
  const timer = Number.isFinite(deadlineMs)
    ? setTimeout(
        () => controller.abort(new LimitError("deadline", deadlineMs, deadlineMs)),
        deadlineMs,
      )
    : undefined;
  return {
    signal,
    aborted,
    release() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", cancel);
    },
  };
}
