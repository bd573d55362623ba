import { isObject } from "@core/wire";
import type { Prompt } from "../catalog/prompts.ts";
import { quote } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Links } from "../operation/links.ts";
import type { Outcome } from "../operation/outcome.ts";
import { contentBlock, mapText, rawBytes } from "./content.ts";
import { declinedNote } from "./declined.ts";
import { type Block, type Draft, textBlock } from "./draft.ts";
import { fitRows, oneLine } from "./rows.ts";
import { breakLabels, closingOf, untrusted } from "./untrusted.ts";

type Of<Operation extends Outcome["operation"]> = Extract<Outcome, { operation: Operation }>;

/** Bounded summaries of prompts and their arguments (A18). */
export function draftPrompts({ server, query, promptCount, prompts }: Of<"prompts.list">): Draft {
  const found = query === undefined ? "" : `; the first that match ${quote(query)}`;
  const example = JSON.stringify({ server, operation: "prompts.list", query: "words" });
  const rows = prompts.map(promptRow);
  const text = fitRows({
    header: `MCP prompts on ${quote(server)} (${promptCount} prompts)${found}`,
    rows: rows.length === 0 && query !== undefined ? ["Nothing matches"] : rows,
    more: (left) => `… ${left} more; find them with ${example}`,
    maxBytes: limits.maxInlineBytes,
    maxLines: limits.maxInlineLines,
  });
  const details = { promptCount };
  return { label: "prompts.list", server, isError: false, blocks: [textBlock(text)], details };
}

function promptRow({ name, description, arguments: args }: Prompt): string {
  const described = oneLine(description ?? "No description", limits.maxRowDescription);
  const listed = args.map((argument) => {
    const need = argument.isRequired ? "required" : "optional";
    return `${oneLine(argument.name, limits.maxQuoted)}(${need})`;
  });
  const taken = listed.length === 0 ? "none" : listed.join(", ");
  return breakLabels(
    `- ${oneLine(name, limits.maxRowDescription)}: ${described}; arguments=${taken}`,
  );
}

/** The messages in their order, each as untrusted data (A18, A19). */
export function draftPrompt(outcome: Of<"prompts.get">): Draft {
  const { server, prompt, messages, links, declined } = outcome;
  const blocks = messages.flatMap((message, index) => draftMessage(message, index + 1, links));
  if (blocks.length === 0) blocks.push(textBlock("The prompt has no messages"));
  const contents = messages.map((message) => (isObject(message) ? message.content : undefined));
  return {
    label: "prompts.get",
    server,
    isError: false,
    blocks: [...blocks, ...declinedNote(declined)],
    details: { prompt, messageCount: messages.length, rawBytes: rawBytes(contents) },
    narrow: "use arguments that make a shorter prompt",
    closing: closingOf("prompt"),
  };
}

/** An image cannot stand between marks, so the text between them says that it follows. */
function draftMessage(message: unknown, number: number, links: Links): Block[] {
  const { role, content } = isObject(message) ? message : {};
  const about = `message=${number} role=${typeof role === "string" ? oneLine(role, limits.maxQuoted) : "unknown"}`;
  const block = contentBlock(content, links, (_about, body) => body);
  if (block.type !== "image") return [mapText(block, (text) => untrusted("prompt", about, text))];
  const told = untrusted("prompt", about, `[MCP image: ${block.mimeType}, follows]`);
  return [textBlock(told), block];
}
