import { isDeepStrictEqual } from "node:util";
import { isObject } from "@core/wire";
import type { Outcome } from "../operation/outcome.ts";
import { contentBlock } from "./content.ts";
import { declinedNote } from "./declined.ts";
import { type Draft, textBlock } from "./draft.ts";

/** The result of a tool as blocks that a host takes (A33). Text stays as the tool wrote it. */
export function draftCall({
  server,
  result,
  isChecked,
  links,
  declined,
}: Extract<Outcome, { operation: "tools.call" }>): Draft {
  const content = Array.isArray(result.content) ? result.content : [];
  const blocks = content.map((block) => contentBlock(block, links));
  const { structuredContent } = result;
  const hasStructured = structuredContent !== undefined && structuredContent !== null;
  if (hasStructured && !content.some((block) => isJsonOf(block, structuredContent)))
    blocks.push(textBlock(JSON.stringify(structuredContent)));
  if (blocks.length === 0) blocks.push(textBlock("The tool returned no content"));
  if (!isChecked) blocks.push(textBlock(NOT_CHECKED));
  return {
    label: "call",
    server,
    isError: result.isError === true,
    blocks: [...blocks, ...declinedNote(declined)],
    details: { hasStructuredContent: hasStructured },
    narrow: "call it with arguments that ask for less, such as a filter, a page or a range",
  };
}

const NOT_CHECKED =
  "[The arguments were not checked before the call: the tool's input schema does not compile]";

/** Structured output is usually also there as JSON text, and is not shown twice. */
function isJsonOf(block: unknown, value: unknown): boolean {
  if (!isObject(block) || block.type !== "text" || typeof block.text !== "string") return false;
  try {
    return isDeepStrictEqual(JSON.parse(block.text), value);
  } catch {
    return false; // a text that is no JSON is not that value
  }
}
