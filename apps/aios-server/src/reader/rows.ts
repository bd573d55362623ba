/** One record of a JSON Lines file. */
export type Row = { readonly [field: string]: unknown };

/**
 * The records of a JSON Lines text, of the wanted lines alone. A line that is no JSON object is passed over: one bad write
 * must not hide the rest.
 */
export function parseRows(text: string, isWanted: (line: string) => boolean = () => true): Row[] {
  const rows: Row[] = [];
  for (let start = 0; start < text.length; ) {
    const lineEnd = text.indexOf("\n", start);
    const end = lineEnd === -1 ? text.length : lineEnd;
    const line = text.slice(start, end);
    const row = line !== "" && isWanted(line) ? parseRow(line) : undefined;
    if (row) rows.push(row);
    start = end + 1;
  }
  return rows;
}

/** The record of one line; undefined where it holds none. */
export function parseRow(line: string): Row | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
    return isRecord ? (value as Row) : undefined;
  } catch {
    // A half-written line; the writer or the doctor mends it, a reader does not.
    return undefined;
  }
}

/** A field's text; undefined where it is absent, blank or of another type. */
export function textOf(row: Row, field: string): string | undefined {
  const value = row[field];
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
