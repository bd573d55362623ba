import { LimitError, requireAmount } from "./limit.ts";

/** What is fitted, into how much, and how it is written. */
export interface FitRequest<T> {
  readonly items: readonly T[];
  /** The most UTF-16 units that the rendered whole may have. */
  readonly budget: number;
  /**
   * Writes the whole answer for some of the items, in their order, knowing how many are left out. With more items it
   * must not become shorter, except that the answer with all of them may (the note about the rest is gone).
   */
  readonly render: (included: readonly T[], left: number) => string;
  /** Passes over an item that does not fit and goes on with the next. Otherwise the first that does not fit ends it. */
  readonly skip?: boolean | undefined;
}

/** The rendered whole, and which items are in it and which are not, each in their order. */
export interface Fitted<T> {
  readonly text: string;
  readonly included: readonly T[];
  readonly left: readonly T[];
}

/**
 * Fits the most items into a budget, exact to the UTF-16 unit: without `skip` the longest start of the items whose
 * rendered whole fits, with `skip` every item in turn that still fits. Throws `LimitError` "budget" when not even
 * the answer without items fits. Renders O(log n) times, and once for each further item with `skip`.
 */
export function fitItems<T>({ items, budget, render, skip = false }: FitRequest<T>): Fitted<T> {
  requireAmount("budget", budget);
  const write = (included: readonly T[]) => render(included, items.length - included.length);

  const all = write(items);
  if (all.length <= budget) return { text: all, included: items, left: [] };
  const none = write([]);
  if (none.length > budget) throw new LimitError("budget", budget, none.length);

  const prefix = longestPrefix(items, (included) => write(included).length <= budget);
  const included = items.slice(0, prefix);
  if (!skip) return { text: write(included), included, left: items.slice(prefix) };
  const left: T[] = [];
  for (const item of items.slice(prefix)) {
    included.push(item);
    if (write(included).length <= budget) continue;
    included.pop();
    left.push(item);
  }
  return { text: write(included), included, left };
}

/** The length of the longest start that fits, where the empty one does and all items do not. Doubles, then halves. */
function longestPrefix<T>(items: readonly T[], fits: (start: readonly T[]) => boolean): number {
  let most = 0;
  let tooMany = 1;
  while (tooMany < items.length && fits(items.slice(0, tooMany))) {
    most = tooMany;
    tooMany *= 2;
  }
  tooMany = Math.min(tooMany, items.length);
  while (tooMany - most > 1) {
    const middle = (most + tooMany) >>> 1;
    if (fits(items.slice(0, middle))) most = middle;
    else tooMany = middle;
  }
  return most;
}
