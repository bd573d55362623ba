import { cutText, fitItems } from "@core/bounds";
import type { SearchRequest } from "../arguments/search.ts";
import { limits } from "../limits.ts";
import type { MemoryDecision } from "../memory/gate.ts";
import { interleave } from "../search/corpus.ts";
import { isHiddenField } from "../search/record.ts";
import type { Found } from "../search/search.ts";
import { writeOwnLength } from "./own-length.ts";

type Off = Extract<MemoryDecision, { mode: "off" }>;
type On = Exclude<MemoryDecision, Off>;
type Asked = Pick<SearchRequest, "query" | "scope" | "budget">;

const QUERY_MARK = "[query truncated]";
const TEXT_MARK = "\n[truncated]";

/** The text of the answer of search_aios while memory is off: the receipt, and that nothing was looked at. */
export function offSearchAnswer({ query, scope }: Asked, { receipt, notice }: Off): string {
  const answer = {
    query,
    scope,
    results: [],
    omissions: [],
    memory: "off",
    receipt,
    notice,
    complete: true,
  };
  return JSON.stringify(answer, null, 2);
}

/**
 * The text of an answer of search_aios, at most `budget` UTF-16 units long as a whole (S9). Results come from each scope
 * in turn, so that none starves another; one that does not fit is passed over and a smaller one may follow (S17). What
 * was left out of the search is always told (S12). Where the whole does not fit, it is written without indentation.
 */
export function searchAnswer(made: {
  asked: Asked;
  memory: On;
  found: Found;
  scrubPaths: (text: string) => string;
}): string {
  const { asked, memory, found, scrubPaths } = made;
  const { query, budget } = asked;
  const results = interleave(found.lists).map((result) =>
    shown(result, { scrubPaths, depth: limits.maxResultDepth }),
  );
  const write = (included: readonly unknown[], echo: string, indent?: number) =>
    writeOwnLength((used) => {
      const truncated = included.length < results.length || echo !== query;
      const answer = {
        query: echo,
        scope: asked.scope,
        memory: memory.mode,
        receipt: memory.receipt,
        notice: null,
        ...selectionOf(asked, found),
        results: included,
        complete: found.omissions.length === 0,
        omissions: found.omissions,
        ...(found.skippedProjects > 0 ? { skipped: { projects: found.skippedProjects } } : {}),
        budget: { limit: budget, used, truncated },
      };
      return JSON.stringify(answer, null, indent);
    });

  const echo = shorterEcho(query, budget, (some) => write([], some));
  const { included, text } = fitItems({
    items: results,
    budget,
    skip: true,
    render: (some) => write(some, echo),
  });
  const pretty = write(included, echo, 2);
  return pretty.length <= budget ? pretty : text;
}

/** The query, cut where the answer would not fit even without results: escaped it may be six times as long. */
function shorterEcho(query: string, budget: number, write: (echo: string) => string): string {
  if (write(query).length <= budget) return query;
  const render = (start: readonly string[]) => write(start.join("") + QUERY_MARK);
  return fitItems({ items: [...query], budget, render }).included.join("") + QUERY_MARK;
}

function selectionOf({ scope }: Asked, { project }: Found) {
  if (project)
    return { scope_selection: { project: project.slug, project_id: project.id ?? null } };
  return scope === "all" ? { scope_selection: { projects: "omitted" } } : {};
}

interface Showing {
  readonly scrubPaths: (text: string) => string;
  readonly depth: number;
  /** The field that the value stands in. */
  readonly field?: string;
}

/** A value as it may leave: without machine paths and the fields that hold them, lists and texts cut (field §4.7). */
function shown(value: unknown, showing: Showing): unknown {
  if (typeof value === "string") return shownText(value, showing);
  if (typeof value !== "object" || value === null) return value;
  const { scrubPaths, depth } = showing;
  if (depth === 0) return TEXT_MARK.trim();
  const inner = { scrubPaths, depth: depth - 1 };
  if (Array.isArray(value))
    return value.slice(0, limits.maxResultItems).map((item) => shown(item, inner));
  const entries = Object.entries(value)
    .filter(([field]) => !isHiddenField(field))
    .map(([field, item]) => [shownText(field, inner), shown(item, { ...inner, field })]);
  return Object.fromEntries(entries);
}

function shownText(text: string, { scrubPaths, field = "" }: Showing): string {
  const maxUnits = ["content", "summary"].includes(field)
    ? limits.maxResultContentUnits
    : limits.maxResultTextUnits;
  const safe = scrubPaths(text);
  if (safe.length <= maxUnits) return safe;
  return cutText(safe, { maxUnits }).text + TEXT_MARK;
}
