import type { Project } from "../reader/project.ts";
import { oneLine } from "./notes.ts";
import type { Sections } from "./sections.ts";

/** Writes the canonical Markdown of a working context (field §3.6); empty sections leave nothing behind. */
export function renderContext(
  sections: Sections,
  head: { receipt: string; today: string },
): string {
  const blocks: string[][] = [
    [head.receipt],
    [`## Active Context · ${head.today}`],
    block("Identity", sections.identity),
    block("Priorities", sections.priorities),
    block("Current Work", sections.work),
    list("Decisions", sections.decisions),
    today(sections),
    list("Carry-overs", sections.carryOvers),
    project(sections.project),
    list("Recent Sessions", sections.sessions),
    list("Recent Signals", sections.signals),
    list("Recent Events", sections.events),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")
    .trimEnd();
}

function block(title: string, text: string): string[] {
  return text === "" ? [] : [`### ${title}`, text];
}

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`### ${title}`, ...items.map(bullet)];
}

function bullet(item: string): string {
  return `- ${item}`;
}

function today({ focus, plan }: Sections): string[] {
  const lines = [...(focus === "" ? [] : [`**Focus:** ${focus}`]), ...plan.map(bullet)];
  return lines.length === 0 ? [] : ["### Today", ...lines];
}

function project(active: Project | undefined): string[] {
  if (active === undefined) return [];
  const { name, status, domains, description, excerpt } = active;
  const facts = [name, status, domains.join(", ")].map(oneLine).filter((fact) => fact !== "");
  const quote = excerpt === "" || excerpt === description ? [] : excerpt.split("\n");
  return [
    "### Active Project",
    bullet(facts.join(" · ")),
    ...(description === "" ? [] : [`  ${oneLine(description)}`]),
    ...quote.map((line) => `> ${line}`.trimEnd()),
  ];
}
