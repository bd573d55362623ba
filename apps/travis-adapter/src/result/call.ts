import { isDeepStrictEqual } from "node:util";
import { isObject, type JsonObject } from "@core/wire";
import { limits } from "../limits.ts";
import type { Outcome } from "../operation/outcome.ts";
import { type Block, type Draft, textBlock } from "./draft.ts";
import { oneLine } from "./rows.ts";

/** The result of a tool as blocks that a host takes (A33). Text stays as the tool wrote it. */
export function draftCall({
  server,
  result,
  isChecked,
}: Extract<Outcome, { operation: "tools.call" }>): Draft {
  const content = Array.isArray(result.content) ? result.content : [];
  const blocks = content.map(blockOf);
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
    blocks,
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

function blockOf(block: unknown): Block {
  if (!isObject(block)) return unsupported("block without a type");
  const { type } = block;
  if (type === "text" && typeof block.text === "string") return textBlock(block.text);
  if (type === "image" && typeof block.data === "string") return imageBlock(block.data, block);
  if (type === "audio" && typeof block.data === "string")
    return fileBlock("audio", block.data, block);
  if (type === "resource_link") return textBlock(`[MCP resource link: ${describe(block)}]`);
  if (type === "resource" && isObject(block.resource)) return resourceBlock(block.resource);
  return unsupported(typeof type === "string" ? type : "block without a type");
}

function imageBlock(data: string, block: JsonObject): Block {
  const mimeType = mimeOf(block);
  const isInline = isBase64(data) && decodedLength(data) <= limits.maxInlineImageBytes;
  return isInline && /^image\//.test(mimeType)
    ? { type: "image", data, mimeType }
    : fileBlock("image", data, block);
}

function resourceBlock(resource: JsonObject): Block {
  const { text, blob } = resource;
  if (typeof text === "string") return textBlock(`[MCP resource: ${describe(resource)}]\n${text}`);
  if (typeof blob === "string") return fileBlock("resource", blob, resource);
  return unsupported("resource without content");
}

/** Binary content: kept as a file, and told of by kind, type and size. */
function fileBlock(kind: string, base64: string, block: JsonObject): Block {
  const mimeType = mimeOf(block);
  if (!isBase64(base64)) return textBlock(`[MCP ${kind}: ${mimeType}, not shown: no valid base64]`);
  const data = Buffer.from(base64, "base64");
  const text = (kept: string) => `[MCP ${kind}: ${mimeType}, ${data.length} bytes; ${kept}]`;
  return { type: "file", data, extension: "bin", text };
}

/** Name, type and size of a resource. Its URI may hold credentials and is never shown. */
function describe(resource: JsonObject): string {
  const { title, name, size } = resource;
  const label = [title, name].find((text) => typeof text === "string" && text !== "");
  return [
    typeof label === "string" ? oneLine(label, limits.maxQuoted) : "without a name",
    mimeOf(resource),
    ...(typeof size === "number" ? [`${size} bytes`] : []),
  ].join(", ");
}

function mimeOf({ mimeType }: JsonObject): string {
  return typeof mimeType === "string" && mimeType !== ""
    ? oneLine(mimeType, limits.maxQuoted)
    : "unknown MIME type";
}

function unsupported(type: string): Block {
  return textBlock(`[Unsupported MCP content: ${oneLine(type, limits.maxQuoted)}]`);
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

/** Bytes that a valid base64 text stands for. */
function decodedLength(base64: string): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}
