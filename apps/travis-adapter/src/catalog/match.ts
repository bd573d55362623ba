/** Whether every word of the query stands in one of an entry's texts, whatever its case. No query matches all. */
export function matches(
  query: string | undefined,
  entry: {
    readonly name: string;
    readonly title: string | undefined;
    readonly description: string | undefined;
  },
): boolean {
  if (query === undefined) return true;
  const text = [entry.name, entry.title, entry.description].join("\n").toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
