import { countBytes } from "@core/bounds";
import { ConfigError, parseDocument } from "@core/config";
import type { Row } from "./rows.ts";

/** A Markdown text in two parts. */
export interface FrontMatter {
  /** The YAML between the fences; undefined where the text does not open with a closed pair of them. */
  readonly yaml: string | undefined;
  readonly body: string;
}

const FENCE = /^---[ \t]*\r?$/;

/** Whether a Markdown text opens with a fence, whether or not it is closed. */
export function opensFrontMatter(text: string): boolean {
  return FENCE.test(text.replace(/^\uFEFF/, "").split("\n", 1)[0] ?? "");
}

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

/** The fields of front matter, none of one that holds nothing; undefined where it is over `maxBytes` or no YAML mapping. */
export function parseFrontMatter(yaml: string, maxBytes: number): Row | undefined {
  if (countBytes(yaml) > maxBytes) return undefined;
  try {
    const { value } = parseDocument(yaml, { file: "front matter", format: "yaml" });
    if (value === null) return {};
    const isMapping = typeof value === "object" && value !== null && !Array.isArray(value);
    return isMapping ? (value as Row) : undefined;
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}
