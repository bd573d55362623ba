import { countBytes } from "@core/bounds";
import { isObject, type JsonObject } from "@core/wire";
import { withoutUris } from "../catalog/resource.ts";
import { limits } from "../limits.ts";
import type { Links } from "../operation/links.ts";
import { type Block, textBlock } from "./draft.ts";
import { oneLine } from "./rows.ts";
import { untrusted } from "./untrusted.ts";

/** Puts the body of an embedded resource between marks. */
type Mark = (about: string, body: string) => string;

/**
 * One block of MCP content as one that a host takes (A33). Text stays as it was written; the body of an embedded resource
 * is marked as data, unless the whole is going to be.
 */
export function contentBlock(
  block: unknown,
  links: Links,
  mark: Mark = (about, body) => untrusted("resource", about, body),
): Block {
  if (!isObject(block)) return unsupported("block without a type");
  const { type } = block;
  if (type === "text" && typeof block.text === "string") return textBlock(block.text);
  if (type === "image" && typeof block.data === "string") return imageBlock(block.data, block);
  if (type === "audio" && typeof block.data === "string")
    return fileBlock("audio", block.data, mimeOf(block));
  if (type === "resource_link") return textBlock(`[MCP resource link: ${describe(block, links)}]`);
  if (type === "resource" && isObject(block.resource))
    return resourceBlock(block.resource, links, mark);
  return unsupported(typeof type === "string" ? type : "block without a type");
}

/** Bytes of the texts and decoded data that contents hold. */
export function rawBytes(contents: readonly unknown[]): number {
  return contents.reduce((sum: number, part) => {
    if (!isObject(part)) return sum;
    if (isObject(part.resource)) return sum + rawBytes([part.resource]);
    const { text, blob, data } = part;
    if (typeof text === "string") return sum + countBytes(text);
    const base64 = typeof blob === "string" ? blob : data;
    return typeof base64 === "string" ? sum + decodedLength(base64) : sum;
  }, 0);
}

/** The body of one resource as untrusted data, under the reference by which it is known (A19). */
export function resourceBody(resource: unknown, reference: string): Block {
  if (!isObject(resource)) return unsupported("resource without content");
  const { text, blob } = resource;
  const about = `reference=${reference} mime=${mimeOf(resource)}`;
  if (typeof text === "string") return textBlock(untrusted("resource", about, text));
  if (typeof blob !== "string") return unsupported("resource without content");
  const file = fileBlock("resource", blob, mimeOf(resource));
  return mapText(file, (shown) => untrusted("resource", about, shown));
}

/** The same block with another text, of what is shown and of what is told of a file. */
export function mapText(block: Block, map: (text: string) => string): Block {
  if (block.type === "text") return textBlock(map(block.text));
  if (block.type === "image") return block;
  return { ...block, text: (kept) => map(block.text(kept)) };
}

function imageBlock(data: string, block: JsonObject): Block {
  const mimeType = mimeOf(block);
  const isInline = isBase64(data) && decodedLength(data) <= limits.maxInlineImageBytes;
  return isInline && IMAGE_TYPE.test(mimeType)
    ? { type: "image", data, mimeType }
    : fileBlock("image", data, mimeType);
}

const IMAGE_TYPE = /^image\/[\w.+-]+$/;

function resourceBlock(resource: JsonObject, links: Links, mark: Mark): Block {
  const head = `[MCP resource: ${describe(resource, links)}]`;
  const { text, blob } = resource;
  if (typeof text === "string")
    return textBlock(`${head}\n${mark(`mime=${mimeOf(resource)}`, text)}`);
  if (typeof blob !== "string") return unsupported("resource without content");
  const file = fileBlock("resource", blob, mimeOf(resource));
  return mapText(file, (shown) => `${head}\n${shown}`);
}

/** Binary content: kept as a file, and told of by kind, type and size. */
function fileBlock(kind: string, base64: string, mimeType: string): Block {
  if (!isBase64(base64)) return textBlock(`[MCP ${kind}: ${mimeType}, not shown: no valid base64]`);
  const data = Buffer.from(base64, "base64");
  const text = (kept: string) => `[MCP ${kind}: ${mimeType}, ${data.length} bytes; ${kept}]`;
  return { type: "file", data, extension: "bin", text };
}

/** Name, type, size and reference of a resource. Its URI may hold credentials and is never shown. */
function describe(resource: JsonObject, links: Links): string {
  const { title, name, size, uri } = resource;
  const label = [title, name].find((text) => typeof text === "string" && text !== "");
  const hidden = typeof uri === "string" ? uri : undefined;
  const reference = hidden === undefined ? undefined : links.get(hidden);
  return [
    typeof label === "string"
      ? oneLine(withoutUris(label, hidden), limits.maxQuoted)
      : "without a name",
    mimeOf(resource),
    ...(typeof size === "number" ? [`${size} bytes`] : []),
    ...(reference === undefined ? [] : [reference]),
  ].join(", ");
}

function mimeOf({ mimeType }: JsonObject): string {
  return typeof mimeType === "string" && mimeType !== ""
    ? oneLine(withoutUris(mimeType), limits.maxQuoted)
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
