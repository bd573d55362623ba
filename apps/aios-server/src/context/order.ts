/** Order of two texts by UTF-16 units, the same on every machine whatever its locale (S18). */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The first items by a comparison, and where it sees no difference by what is written in their records. */
export function firstRecords<T extends { readonly row: unknown }>(
  items: readonly T[],
  count: number,
  compare: (a: T, b: T) => number,
): T[] {
  const sorted = items.toSorted(compare);
  const last = sorted[count - 1];
  const beyond = last ? sorted.findIndex((item, at) => at >= count && compare(last, item) < 0) : -1;
  // What is written is compared last: that is slow, and most records are already out.
  const candidates = beyond === -1 ? sorted : sorted.slice(0, beyond);
  return sortRecords(candidates, compare).slice(0, count);
}

function sortRecords<T extends { readonly row: unknown }>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
): T[] {
  const texts = new Map<T, string>();
  const textOf = (item: T) => {
    const text = texts.get(item) ?? canonicalText(item.row);
    texts.set(item, text);
    return text;
  };
  return items.toSorted((a, b) => compare(a, b) || compareText(textOf(a), textOf(b)));
}

/** A record nested deeper than this is compared by what stands above: a tie is no reason to run out of stack. */
const COMPARED_DEPTH = 16;

/** JSON with sorted keys, so that two records with the same content have the same text. */
export function canonicalText(value: unknown, depth = COMPARED_DEPTH): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (depth === 0) return "…";
  if (Array.isArray(value))
    return `[${value.map((item) => canonicalText(item, depth - 1)).join(",")}]`;
  const members = Object.entries(value).sort(([a], [b]) => compareText(a, b));
  const texts = members.map(
    ([key, item]) => `${JSON.stringify(key)}:${canonicalText(item, depth - 1)}`,
  );
  return `{${texts.join(",")}}`;
}
