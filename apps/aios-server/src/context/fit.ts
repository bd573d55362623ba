import { cutText } from "@core/bounds";
import { renderContext } from "./render.ts";
import { NO_SECTIONS, type Sections } from "./sections.ts";

/** Markdown within a budget of UTF-16 units, and whether anything was left out for it. */
export interface FittedContext {
  readonly markdown: string;
  readonly truncated: boolean;
}

const MARKER = "\n\n[context budget reached]";

/** Steps of one group grow the same section; the first that does not fit ends its group, not the next ones. */
type Group = readonly Partial<Sections>[];

/**
 * Adds sections in the order of their worth as long as the whole stays within the budget (field §3.7). Blocks come
 * whole or not at all, lists item by item; something smaller may still enter after something that did not fit.
 */
export function fitContext(
  sections: Sections,
  head: { receipt: string; today: string; budget: number; hasSelection: boolean },
): FittedContext {
  let kept = NO_SECTIONS;
  let truncated = false;
  for (const group of groupsOf(sections, head.hasSelection))
    for (const step of group) {
      const larger = { ...kept, ...step };
      if (renderContext(larger, head).length > head.budget) {
        truncated = true;
        break;
      }
      kept = larger;
    }
  const markdown = renderContext(kept, head);
  return { markdown: truncated ? withMarker(markdown, head.budget) : markdown, truncated };
}

function groupsOf(sections: Sections, hasSelection: boolean): Group[] {
  const whole = (name: keyof Sections): Group => {
    const value = sections[name];
    const isEmpty =
      value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
    return isEmpty ? [] : [{ [name]: value }];
  };
  const items = (name: "plan" | "carryOvers" | "sessions" | "signals" | "events"): Group =>
    sections[name].map((_, at) => ({ [name]: sections[name].slice(0, at + 1) }));

  const project = whole("project");
  return [
    whole("identity"),
    whole("priorities"),
    whole("work"),
    whole("decisions"),
    hasSelection ? project : [],
    whole("focus"),
    items("plan"),
    items("carryOvers"),
    hasSelection ? [] : project,
    items("sessions"),
    items("signals"),
    items("events"),
  ];
}

function withMarker(markdown: string, budget: number): string {
  const cut = cutText(markdown, { maxUnits: budget - MARKER.length });
  return `${cut.text.trimEnd()}${MARKER}`;
}
