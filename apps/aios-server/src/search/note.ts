import { ConfigError, parseDocument } from "@core/config";
import { limits } from "../limits.ts";
import type { SearchText } from "../reader/block.ts";
import { splitFrontMatter } from "../reader/front-matter.ts";
import { excerptAround } from "./excerpt.ts";
import { MATCH_KINDS, type MatchKind, type Pattern, type TextMatch } from "./pattern.ts";
import { foldedOf } from "./text.ts";
import { foldText } from "./word.ts";

/** A place in a note that matches, with the lines around it. Lines count from 1, those of the front matter too. */
interface Snippet {
  readonly line: number;
  readonly lineEnd: number;
  readonly content: string;
  readonly match: MatchKind;
  readonly area: Area;
}

type Area = "description" | "heading" | "body";

/** A note that matches. */
export interface NoteMatch {
  readonly match: TextMatch;
  readonly boost: number;
  readonly title: string;
  /** Whether there is any place to show. */
  readonly isShown: boolean;
  /** The best places, at most five, none of them twice. Made when asked for. */
  snippets(): readonly Snippet[];
}

const AREAS: readonly Area[] = ["description", "heading", "body"];
/** What a match is worth by the area of its best place (field §4.6). */
const AREA_BOOST: Readonly<Record<Area, number>> = { description: 3, heading: 2, body: 0 };
const TITLE_BOOST = 2.5;
const PATH_BOOST = 1;

/** A line that matches; `at` is its place among the lines of the body, -1 for the description. */
interface Place {
  readonly at: number;
  readonly kind: MatchKind;
  readonly area: Area;
}

/** A note in the parts that are searched. Body and folded body have the same lines. */
interface Parts {
  readonly description: string | undefined;
  readonly body: string;
  readonly foldedBody: string;
  /** Lines in front of the body. */
  readonly offset: number;
}

/**
 * Matches a note by its body, the description in its front matter, and what is known of it `beside` these; undefined
 * where none of them matches. Title and path alone make no match, but a better one.
 */
export function matchNote(
  pattern: Pattern,
  searched: SearchText,
  known: { path: string; title?: string; beside?: string },
): NoteMatch | undefined {
  const { path, beside = "" } = known;
  const parts = partsOf(pattern, searched);
  const { description = "", body, foldedBody } = parts;
  const foldedDescription = foldText(description);
  const others = [foldText(beside), foldedDescription].filter((text) => text !== "");
  const match = pattern.match([...others, foldedBody].join("\n"));
  if (match === undefined) return undefined;

  const places = placesIn(pattern, foldedBody.split("\n"), match);
  const inDescription = pattern.match(foldedDescription);
  if (inDescription) places.push({ at: -1, kind: inDescription.kind, area: "description" });
  places.sort(comparePlaces);
  const title = known.title ?? titleOf(body) ?? path;
  return {
    match,
    boost:
      AREA_BOOST[places[0]?.area ?? "body"] +
      (pattern.match(foldText(title)) ? TITLE_BOOST : 0) +
      (pattern.match(foldText(path)) ? PATH_BOOST : 0),
    title,
    isShown: places.length > 0,
    snippets: () => snippetsOf(pattern, parts, places),
  };
}

function partsOf(pattern: Pattern, searched: SearchText): Parts {
  const folded = foldedOf(searched);
  const { text } = searched;
  const whole = { description: undefined, body: text, foldedBody: folded, offset: 0 };
  if (!/^\uFEFF?---/.test(text)) return whole;
  const { yaml, body } = splitFrontMatter(text);
  if (yaml === undefined) return whole;
  const offset = text.slice(0, text.length - body.length).split("\n").length - 1;
  const foldedLines = folded.split("\n");
  // Only a front matter that holds what is looked for is worth being parsed.
  const isAsked = pattern.match(foldedLines.slice(0, offset).join("\n")) !== undefined;
  return {
    description: isAsked ? descriptionOf(yaml) : undefined,
    body,
    foldedBody: foldedLines.slice(offset).join("\n"),
    offset,
  };
}

function descriptionOf(yaml: string): string | undefined {
  try {
    const { value } = parseDocument(yaml, { file: "note.md", format: "yaml" });
    const description = (value as { description?: unknown } | null)?.description;
    return typeof description === "string" ? description : undefined;
  } catch (error) {
    // A note with a broken front matter is still a note.
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

function placesIn(pattern: Pattern, lines: readonly string[], whole: TextMatch): Place[] {
  const areaOf = (line: string): Area => (/^#{1,6}\s/.test(line) ? "heading" : "body");
  const places: Place[] = [];
  for (const [at, line] of lines.entries()) {
    const match = pattern.match(line);
    if (match) places.push({ at, kind: match.kind, area: areaOf(line) });
  }
  if (places.length > 0) return places;
  // No line holds all that the note holds: then the first line of each term stands for it.
  const first = pattern.terms.map((_, term) =>
    lines.findIndex((line) => pattern.holds(term, line)),
  );
  return [...new Set(first)]
    .filter((at) => at !== -1)
    .map((at) => ({ at, kind: whole.kind, area: areaOf(lines[at]!) }));
}

function comparePlaces(a: Place, b: Place): number {
  return (
    MATCH_KINDS.indexOf(a.kind) - MATCH_KINDS.indexOf(b.kind) ||
    AREAS.indexOf(a.area) - AREAS.indexOf(b.area) ||
    a.at - b.at
  );
}

function titleOf(body: string): string | undefined {
  const [, title] = /^# (.*)$/m.exec(body) ?? [];
  return title?.trim() || undefined;
}

function snippetsOf(pattern: Pattern, parts: Parts, places: readonly Place[]): Snippet[] {
  const lines = parts.body.split("\n");
  const snippets: Snippet[] = [];
  const shown = new Set<string>();
  for (const { at, kind, area } of places) {
    const first = Math.max(0, at - 1);
    const last = Math.min(lines.length - 1, at + 1);
    const content =
      at === -1
        ? `description: ${parts.description}`
        : lines
            .slice(first, last + 1)
            .map((line) => line.trim())
            .filter((line) => line !== "")
            .join(" / ");
    if (shown.has(content)) continue;
    shown.add(content);
    snippets.push({
      line: at === -1 ? 1 : parts.offset + first + 1,
      lineEnd: at === -1 ? 1 : parts.offset + last + 1,
      content: excerptAround(
        content,
        pattern.placeIn(foldText(content)),
        limits.maxResultContentUnits,
      ),
      match: kind,
      area,
    });
    if (snippets.length === limits.maxSnippets) break;
  }
  return snippets;
}
