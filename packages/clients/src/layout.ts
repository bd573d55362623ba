/** The line end of a text: that of its first line, LF where it has a single line. */
export function lineEndOf(text: string): "\n" | "\r\n" {
  return text[text.indexOf("\n") - 1] === "\r" ? "\r\n" : "\n";
}

/** Where the line that holds `offset` starts. A byte order mark is no part of the line. */
export function lineStart(text: string, offset: number): number {
  const start = offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
  return start === 0 && text.startsWith("\uFEFF") ? 1 : start;
}

/** Where the line after the one that holds `offset` starts; the text's end if there is none. */
export function nextLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end + 1;
}

/** The spaces and tabs that start the line that holds `offset`. */
export function indentAt(text: string, offset: number): string {
  const start = lineStart(text, offset);
  return text.slice(start, skipBlanks(text, start));
}

/** The first offset from `offset` on that is no space or tab. */
export function skipBlanks(text: string, offset: number): number {
  let at = offset;
  while (text[at] === " " || text[at] === "\t") at++;
  return at;
}

/** The first offset of the run of spaces and tabs that ends at `offset`. */
export function skipBlanksBack(text: string, offset: number): number {
  let at = offset;
  while (text[at - 1] === " " || text[at - 1] === "\t") at--;
  return at;
}
