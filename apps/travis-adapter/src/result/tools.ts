import { quote } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Outcome } from "../operation/outcome.ts";
import { shortestExample } from "../request/example.ts";
import { type Draft, textBlock } from "./draft.ts";
import { fitRows, oneLine, toolRow } from "./rows.ts";

type Of<Operation extends Outcome["operation"]> = Extract<Outcome, { operation: Operation }>;

/** Compact summaries of all tools; a longer catalog is cut, with the number left out (A13). */
export function draftList({ server, tools, rejected }: Of<"tools.list">): Draft {
  const search = JSON.stringify({ server, search: "what the tool should do" });
  const text = fitRows({
    header: [`MCP tools on ${quote(server)} (${tools.length})`, ...noteOnRejected(rejected)].join(
      "\n",
    ),
    rows: tools.map((tool) => toolRow(tool, limits.maxRowDescription)),
    more: (left) => `… ${left} more tools; find them with ${search}`,
    maxBytes: limits.maxInlineBytes,
    maxLines: limits.maxInlineLines,
  });
  return { label: "list", server, isError: false, blocks: [textBlock(text)] };
}

function noteOnRejected(rejected: Of<"tools.list">["rejected"]): string[] {
  if (rejected.size === 0) return [];
  const named = [...rejected]
    .slice(0, limits.maxRejectedNames)
    .map(([name, reason]) => `${quote(name)} (${oneLine(reason, limits.maxRowDescription)})`);
  const rest = rejected.size - named.length;
  const all = [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
  return [`Left out, because their definitions are not valid over HTTP: ${all}`];
}

/** At most 20 matches in at most 4 KiB, best first (A14). */
export function draftSearch({ server, query, matches }: Of<"tools.search">): Draft {
  const { tools } = matches;
  const shown = tools.slice(0, limits.maxSearchMatches);
  const header = `MCP search on ${quote(server)} for ${quote(query)} (${tools.length} matches)`;
  const text = fitRows({
    header: [header, ...noteOn(server, matches)].join("\n"),
    rows: shown.map((tool) => toolRow(tool, limits.maxSearchDescription)),
    beyond: tools.length - shown.length,
    more: (left) => `… ${left} more; refine the query`,
    maxBytes: limits.maxSearchBytes,
    maxLines: limits.maxInlineLines,
  });
  return { label: "search", server, isError: false, blocks: [textBlock(text)] };
}

function noteOn(server: string, { tools, weak }: Of<"tools.search">["matches"]): string[] {
  if (tools.length === 0)
    return [`Nothing matches; use other words, or list all tools with ${shortestExample(server)}`];
  return weak
    ? ["No tool matches well; these are the nearest. Other words may find better ones."]
    : [];
}
