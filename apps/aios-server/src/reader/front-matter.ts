/** A Markdown text in two parts. */
export interface FrontMatter {
  /** The YAML between the fences; undefined where the text does not open with a closed pair of them. */
  readonly yaml: string | undefined;
  readonly body: string;
}

const FENCE = /^---[ \t]*\r?$/;

/** Splits front matter from a Markdown text: `---` on the first line, closed by the next line that says `---`. */
export function splitFrontMatter(text: string): FrontMatter {
  // A byte order mark is part of the bytes, not of the first line.
  const lines = text.replace(/^\uFEFF/, "").split("\n");
  if (!FENCE.test(lines[0] ?? "")) return { yaml: undefined, body: text };
  const close = lines.findIndex((line, at) => at > 0 && FENCE.test(line));
  if (close === -1) return { yaml: undefined, body: text };
  return {
    yaml: lines.slice(1, close).join("\n"),
    body: lines.slice(close + 1).join("\n"),
  };
}
