import { limits } from "../limits.ts";
import { splitFrontMatter } from "../reader/front-matter.ts";
import { withEllipsis } from "../reader/project.ts";
import type { SharedNotes } from "./sources.ts";

/** A note without its front matter, cut to the 800 UTF-16 units that a section may have. */
export function noteText(text: string): string {
  return withEllipsis(splitFrontMatter(text).body.trim(), limits.maxNoteUnits);
}

/** The `## Current Work` of the work note; the whole note where it has no such section. */
export function currentWork(text: string): string {
  return noteText(sectionOf(text, "## Current Work") ?? text);
}

/** The titles of the newest decisions, the last in the log first. */
export function recentDecisions(log: string): string[] {
  const titles: string[] = [];
  // From the end: the log may be long, and only its last titles are wanted.
  for (let end = log.length; end > 0 && titles.length < limits.maxDecisions; ) {
    const start = log.lastIndexOf("\n", end - 1) + 1;
    const line = log.slice(start, end);
    if (line.startsWith("## ")) titles.push(oneLine(line.slice(3)));
    end = start - 1;
  }
  return titles;
}

/** The first line of today's `## Focus`. */
export function focusOf(daily: string): string {
  const lines = (sectionOf(daily, "## Focus") ?? "").split("\n");
  return oneLine(lines.find((line) => line.trim() !== "") ?? "");
}

/** The first items of today's `## Plan`, without bullets and boxes. */
export function planItems(daily: string): string[] {
  const lines = linesOf(sectionOf(daily, "## Plan"));
  return itemsOf(lines, limits.maxPlanItems);
}

/** What was carried over: today's plan lines that say so, then what yesterday's close left; each once. */
export function carryOvers({ today, yesterday }: Pick<SharedNotes, "today" | "yesterday">) {
  const marked = linesOf(sectionOf(today, "## Plan")).filter((line) => CARRIED_OVER.test(line));
  const left = linesOf(sectionOf(sectionOf(yesterday, "## Close") ?? "", "### Carry-over"));
  const seen = new Set<string>();
  const isNew = (item: string) => {
    const key = item.toLowerCase();
    return !seen.has(key) && seen.add(key);
  };
  return itemsOf([...marked, ...left])
    .filter(isNew)
    .slice(0, limits.maxCarryOvers);
}

/**
 * Text that must stay one item of a list: every run of blanks and line ends becomes one space. Of a text that fits no
 * budget the start stands for the whole, because it fits none either.
 */
export function oneLine(text: string): string {
  const start = joinBlanks(text.slice(0, LONG_LINE_UNITS));
  const isWhole = text.length <= LONG_LINE_UNITS;
  return isWhole || start.length > limits.maxContextBudget ? start : joinBlanks(text);
}

/** Twice the largest budget, so that some blanks may be left out of a line that is too long. */
const LONG_LINE_UNITS = 2 * limits.maxContextBudget;

function joinBlanks(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/**
 * The lines below the heading until the next one of its rank or above; undefined where no line, trimmed, is exactly
 * that heading.
 */
function sectionOf(text: string, heading: string): string | undefined {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.trim() === heading);
  if (start === -1) return undefined;
  const ends = heading.startsWith("### ") ? ["## ", "### "] : ["## "];
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => ends.some((mark) => line.startsWith(mark)));
  return (end === -1 ? rest : rest.slice(0, end)).join("\n");
}

const CARRIED_OVER = /Carried\s+over\s+from/;
const BULLET = /^(?:[-*]\s+)?(?:\[[ xX]\]\s+)?/;

/** The lines of a section that are no comments. */
function linesOf(section: string | undefined): string[] {
  const lines = (section ?? "").split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "" && !line.startsWith("<!--"));
}

/** The first items that lines hold, without bullets and boxes. */
function itemsOf(lines: readonly string[], maximum = Infinity): string[] {
  const items: string[] = [];
  for (const line of lines) {
    if (items.length >= maximum) break;
    const item = oneLine(line.replace(BULLET, ""));
    if (item !== "") items.push(item);
  }
  return items;
}
