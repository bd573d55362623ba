import type { WorkingContextRequest } from "../arguments/working-context.ts";
import type { Contained } from "../reader/contained.ts";
import { daysAt } from "./days.ts";
import { fitContext } from "./fit.ts";
import { selectSections } from "./sections.ts";
import { readSources } from "./sources.ts";

/** The bounded working context of a folder, and what had to stay out of it. */
export interface Projection {
  readonly markdown: string;
  readonly truncated: boolean;
  /** The slug of the selected project; null where none was selected. */
  readonly project: string | null;
  /** Projects that nobody could read. */
  readonly skippedProjects: number;
}

/**
 * Makes the working context at a moment of the clock's own calendar. Every source is read whole or the call fails, and
 * nothing that was read may have changed by the end.
 */
export function projectContext(
  reader: Contained,
  asked: Pick<WorkingContextRequest, "limit" | "budget"> & { receipt: string; now: Date },
): Projection {
  const { limit, budget, receipt, now } = asked;
  const days = daysAt(now);
  const sources = readSources(reader, days);
  const selector = reader.access.project;
  const selected = selector === null ? undefined : sources.catalog.select(selector);
  const sections = selectSections(sources, { days, sessions: limit, selected });
  reader.verify();
  const { today } = days;
  const fitted = fitContext(sections, {
    receipt,
    today,
    budget,
    hasSelection: selected !== undefined,
  });
  return {
    ...fitted,
    project: selected?.slug ?? null,
    skippedProjects: sources.catalog.unusable.length,
  };
}
