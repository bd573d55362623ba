import type { Template } from "../catalog/resource.ts";
import { quote } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Outcome, ReferredResource } from "../operation/outcome.ts";
import { rawBytes, resourceBody } from "./content.ts";
import { declinedNote } from "./declined.ts";
import { type Draft, textBlock } from "./draft.ts";
import { fitRows, oneLine } from "./rows.ts";
import { breakLabels, closingOf } from "./untrusted.ts";

type Of<Operation extends Outcome["operation"]> = Extract<Outcome, { operation: Operation }>;

/** Bounded summaries with opaque references, resources before templates (A17). */
export function draftResources(outcome: Of<"resources.list">): Draft {
  const { server, query, resources, templates, resourceCount, templateCount } = outcome;
  const counts = `${resourceCount} resources, ${templateCount} templates`;
  const found = query === undefined ? "" : `; the first that match ${quote(query)}`;
  const rows = [...resources.map(resourceRow), ...templates.map(templateRow)];
  const example = JSON.stringify({ server, operation: "resources.list", query: "words" });
  const text = fitRows({
    header: `MCP resources on ${quote(server)} (${counts})${found}`,
    rows: rows.length === 0 && query !== undefined ? ["Nothing matches"] : rows,
    more: (left) => `… ${left} more; find them with ${example}`,
    maxBytes: limits.maxInlineBytes,
    maxLines: limits.maxInlineLines,
  });
  const details = { resourceCount, templateCount };
  return { label: "resources.list", server, isError: false, blocks: [textBlock(text)], details };
}

function resourceRow({ resource, reference }: ReferredResource): string {
  const size = resource.size === undefined ? "" : `, ${resource.size} bytes`;
  return `- ${reference ?? "(no reference left)"} ${describe(resource)}${size})`;
}

function templateRow(template: Template): string {
  return `- template ${describe(template)})`;
}

/** `name: description (type`, to be closed by the caller. */
function describe(entry: ReferredResource["resource"] | Template): string {
  const name = oneLine(entry.name, limits.maxRowDescription);
  const described = oneLine(entry.description ?? "No description", limits.maxRowDescription);
  const type = oneLine(entry.mimeType ?? "unknown MIME type", limits.maxQuoted);
  return breakLabels(`${name}: ${described} (${type}`);
}

/** The bodies of a resource, each as untrusted data; what is binary is kept as a file (A19). */
export function draftResource(outcome: Of<"resources.read">): Draft {
  const { server, reference, contents, declined } = outcome;
  const blocks = contents.map((content) => resourceBody(content, reference));
  if (blocks.length === 0) blocks.push(textBlock("The resource has no content"));
  return {
    label: "resources.read",
    server,
    isError: false,
    blocks: [...blocks, ...declinedNote(declined)],
    details: { resource: reference, rawBytes: rawBytes(contents) },
    narrow: "look for a resource that holds a part of it, or for a tool that reads a range",
    closing: closingOf("resource"),
  };
}
