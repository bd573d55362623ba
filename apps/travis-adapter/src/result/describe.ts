import { countBytes, countLines, cutText } from "@core/bounds";
import { quote } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Outcome } from "../operation/outcome.ts";
import { type Block, type Draft, textBlock } from "./draft.ts";
import { fitSchema, wholeSchema } from "./schema-text.ts";

type Description = Extract<Outcome, { operation: "tools.describe" }>;

/** One tool with its full input schema; the output schema and the annotations where they still fit (A15). */
export function draftDescribe({ server, tool }: Description): Draft {
  const { name, title, description = "No description", inputSchema = {} } = tool;
  const head = [
    `MCP tool ${quote(name)} on ${quote(server)}`,
    ...(title === undefined ? [] : [`Title: ${title}`]),
    cutText(description, { maxBytes: limits.maxDescriptionBytes }).text,
    "Input schema:",
  ].join("\n");
  const schema = fitSchema(inputSchema, {
    maxBytes: limits.maxInlineBytes - countBytes(head) - limits.maxSchemaNoteBytes,
    maxLines: limits.maxInlineLines - countLines(head) - limits.maxSchemaNoteLines,
  });
  let text = `${head}\n${schema.text}`;
  const blocks: Block[] = [];
  if (schema.elided.length > 0) {
    text += `\n${noteOn(schema.elided)}`;
    blocks.push({
      type: "file",
      data: wholeSchema(inputSchema),
      extension: "json",
      text: (kept) => `Whole input schema: ${kept}`,
    });
  }
  for (const [label, value] of [
    ["Output schema", tool.outputSchema],
    ["Annotations", tool.annotations],
  ] as const)
    if (value !== undefined) text = withPart(text, label, value);
  return {
    label: "describe",
    server,
    isError: false,
    blocks: [textBlock(text), ...blocks],
  };
}

function withPart(text: string, label: string, value: unknown): string {
  const part = `${text}\n${label}:\n${wholeSchema(value)}`;
  const fits = countBytes(part) <= limits.maxInlineBytes - limits.maxSchemaNoteBytes;
  if (fits && countLines(part) <= limits.maxInlineLines - limits.maxSchemaNoteLines) return part;
  return `${text}\n${label}: left out, it would not fit`;
}

function noteOn(elided: readonly string[]): string {
  const named = elided
    .slice(0, limits.maxNamesListed)
    .map((path) => quote(path))
    .join(", ");
  const more = elided.length - limits.maxNamesListed;
  return `Left out of the schema: ${named}${more > 0 ? ` and ${more} more parts` : ""}`;
}
