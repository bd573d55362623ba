/** One record of a JSON Lines file. */
export type Row = { readonly [field: string]: unknown };

/**
 * The records of a JSON Lines text. A line that is no JSON object is passed over: one bad write must not hide the rest.
 */
export function parseRows(text: string): Row[] {
  const rows: Row[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endOfLine(text, start);
    const row = end > start ? parseRow(text.slice(start, end)) : undefined;
    if (row) rows.push(row);
    start = end + 1;
  }
  return rows;
}

/** The same of the lines alone in which one of the marks stands; the others cost next to nothing. */
export function parseMarkedRows(text: string, marks: readonly string[]): Row[] {
  const nextMark = createMarkFinder(text, marks);
  const rows: Row[] = [];
  for (let at = nextMark(0); at < text.length; ) {
    const end = endOfLine(text, at);
    const row = parseRow(text.slice(text.lastIndexOf("\n", at) + 1, end));
    if (row) rows.push(row);
    at = nextMark(end + 1);
  }
  return rows;
}

/** Finds where from a place on the first of the marks stands; at the end of the text where none does. */
function createMarkFinder(text: string, marks: readonly string[]): (from: number) => number {
  const places = marks.map(() => -1);
  return (from) => {
    for (const [at, mark] of marks.entries()) {
      if (places[at]! >= from) continue;
      const found = text.indexOf(mark, from);
      places[at] = found === -1 ? text.length : found;
    }
    return Math.min(text.length, ...places);
  };
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
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
