import {
  countBytes,
  countLines,
  cutText,
  type JsonElement,
  type JsonMember,
  readElements,
  readMembers,
  scanJson,
} from "@core/bounds";
import { type Edit, membersOf, readEnvelope, rewriteEnvelope, splice, stringAt } from "@core/wire";
import type { OutputLimits } from "../config/config.ts";
import type { ClientSession } from "../upstream/client-session.ts";
import type { Spills } from "./spills.ts";

/** Holds answers within `max_output`; what is cut becomes a spill of the session. The answer must be scrubbed. */
export type Bound = (
  answer: Buffer,
  limits: OutputLimits,
  session: ClientSession,
) => Buffer | Promise<Buffer>;

/** A line end takes two bytes in JSON at least, and a text is never longer than its JSON: a short message is within. */
const LEAST_BYTES_OF_LINE = 2;

export function createBound(spills: Pick<Spills, "keep">): Bound {
  return (answer, limits, session) => {
    const { bytes = Infinity, lines = Infinity } = asCutLimits(limits);
    if (answer.length <= Math.min(bytes, lines * LEAST_BYTES_OF_LINE)) return answer;
    const message = readEnvelope(answer);
    if (message.kind !== "response") return answer;
    const members = membersOf(answer, message.envelope.result);
    const result = readResult(answer, members);
    if (fits(sizeOf(result), limits)) return answer;
    return cutResult(result, limits, (text) => spills.keep(session, text, limits)).then((changes) =>
      rewriteEnvelope(answer, message, { result: changes }),
    );
  };
}

interface Size {
  readonly bytes: number;
  readonly lines: number;
}

/** A block of an answer. What is neither text nor binary counts as the JSON that it is, and is kept or left out whole. */
interface Block {
  readonly json: Buffer;
  readonly text: string | undefined;
  /** Where in `json` the text stands, with its quotes. */
  readonly span: { readonly start: number; readonly end: number } | undefined;
  readonly size: Size;
}

interface Result {
  /** `content` of a tool, or `contents` of a resource. */
  readonly list: "content" | "contents";
  readonly blocks: readonly Block[];
  readonly structured: { readonly text: string; readonly size: Size } | undefined;
}

function readResult(bytes: Buffer, members: readonly JsonMember[]): Result {
  const list = members.find(({ key }) => key === "content" || key === "contents");
  const structured = members.find(({ key }) => key === "structuredContent");
  const elements = list?.kind === "array" ? readElements(bytes, list.valueStart) : [];
  return {
    list: list?.key === "contents" ? "contents" : "content",
    blocks: elements.map((element) => readBlock(bytes, element)),
    structured: structured && readStructured(bytes, structured),
  };
}

function readStructured(bytes: Buffer, { valueStart, valueEnd }: JsonMember) {
  const json = bytes.subarray(valueStart, valueEnd);
  let lines = countLines(json.toString("utf8"));
  scanJson(json, {
    scalar({ kind, start, end }) {
      if (kind === "string") lines += countLines(JSON.parse(json.toString("utf8", start, end))) - 1;
    },
  });
  // Empty strings have no line at all, which is one less than a text without a line end.
  return { text: json.toString("utf8"), size: { bytes: json.length, lines: Math.max(1, lines) } };
}

const BINARY: ReadonlySet<unknown> = new Set(["image", "audio"]);

function readBlock(bytes: Buffer, { kind, valueStart, valueEnd }: JsonElement): Block {
  const json = bytes.subarray(valueStart, valueEnd);
  const members = kind === "object" ? readMembers(json, 0, ["resource"]) : [];
  const resource = members.find(({ key }) => key === "resource")?.members ?? [];
  const find = (among: readonly JsonMember[], name: string) =>
    among.find(({ key }) => key === name);
  const member = find(members, "text") ?? find(resource, "text");
  const text = stringAt(json, member);
  if (member !== undefined && text !== undefined) {
    const size = { bytes: countBytes(text), lines: countLines(text) };
    return { json, text, span: { start: member.valueStart, end: member.valueEnd }, size };
  }
  const isBinary =
    BINARY.has(stringAt(json, find(members, "type"))) ||
    (find(members, "blob") ?? find(resource, "blob")) !== undefined;
  const size = isBinary ? { bytes: 0, lines: 0 } : { bytes: json.length, lines: 1 };
  return { json, text: undefined, span: undefined, size };
}

function sizeOf({ blocks, structured }: Result): Size {
  const sizes = [...blocks.map(({ size }) => size), ...(structured ? [structured.size] : [])];
  return {
    bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
    lines: sizes.reduce((sum, { lines }) => sum + lines, 0),
  };
}

function fits({ bytes, lines }: Size, limits: OutputLimits): boolean {
  return (
    (limits.bytes === 0 || bytes <= limits.bytes) && (limits.lines === 0 || lines <= limits.lines)
  );
}

type Keep = (text: string) => Promise<string>;

/** What is to be different in a result that is too large. */
async function cutResult(result: Result, limits: OutputLimits, keep: Keep) {
  const { list, structured } = result;
  const keepsStructured = structured !== undefined && fits(structured.size, limits);
  const isDropped = structured !== undefined && !keepsStructured;
  const whole = wholeText(result, isDropped);
  const room = roomBeside(keepsStructured ? structured.size : undefined, limits);
  const { blocks, left } = cutBlocks(previewOf(result, isDropped), room);
  const spill = await keep(whole).catch((error: Error) => error);
  const uri = typeof spill === "string" ? spill : undefined;
  const parts = blocks.map((block) => block.toString("utf8"));
  if (list === "contents")
    return {
      set: {
        contents: `[${parts.join()}]`,
        _meta: JSON.stringify(uri === undefined ? {} : { "wraptool/next": uri }),
      },
    };
  parts.push(JSON.stringify({ type: "text", text: noteOf(left, isDropped, spill) }));
  if (uri !== undefined) parts.push(JSON.stringify(linkTo(uri, whole)));
  return {
    remove: (key: string) => isDropped && key === "structuredContent",
    set: { content: `[${parts.join()}]`, ...(isDropped && { isError: "true" }) },
  };
}

/** The text of the result from its start: all its texts, and the structured content that does not come otherwise. */
function wholeText({ blocks, structured }: Result, isDropped: boolean): string {
  const texts = blocks.flatMap(({ text, json, size }) => text ?? (size.bytes > 0 ? `${json}` : []));
  if (!isDropped || structured === undefined) return texts.join("\n");
  // Servers are told to repeat structured content as text.
  if (texts.length === 1 && isSameJson(texts[0] as string, structured.text)) return structured.text;
  return [...texts, structured.text].join("\n");
}

function isSameJson(a: string, b: string): boolean {
  try {
    return JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b));
  } catch {
    return false; // the text is prose
  }
}

/** The blocks to show the start of: where structured content is dropped and no text stands for it, its JSON. */
function previewOf({ blocks, structured }: Result, isDropped: boolean): readonly Block[] {
  if (!isDropped || structured === undefined || blocks.some(({ text }) => text)) return blocks;
  const json = Buffer.from(JSON.stringify({ type: "text", text: structured.text }));
  const start = json.indexOf('"text":') + '"text":'.length;
  const span = { start: json.indexOf('"', start), end: json.length - 1 };
  const { text, size } = structured;
  return [...blocks, { json, text, span, size }];
}

function roomBeside(taken: Size | undefined, limits: OutputLimits): OutputLimits & Size {
  const rest = (limit: number, used = 0) => (limit === 0 ? Infinity : Math.max(0, limit - used));
  return { bytes: rest(limits.bytes, taken?.bytes), lines: rest(limits.lines, taken?.lines) };
}

/** Keeps blocks from the first as long as there is room, and of the text that crosses the limit its start. */
function cutBlocks(blocks: readonly Block[], room: Size) {
  let { bytes, lines } = room;
  let isCut = false;
  const left = { bytes: 0, lines: 0 };
  const kept: Buffer[] = [];
  for (const { json, text, span, size } of blocks) {
    // No text after the cut is shown, or the start of one would seem to go on with the next.
    const isDone = isCut && text !== undefined;
    if (!isDone && size.bytes <= bytes && size.lines <= lines) {
      bytes -= size.bytes;
      lines -= size.lines;
      kept.push(json);
      continue;
    }
    const cut =
      isDone || text === undefined
        ? undefined
        : cutText(text, { maxBytes: bytes, maxLines: lines });
    left.bytes += cut?.left.bytes ?? size.bytes;
    left.lines += cut?.left.lines ?? size.lines;
    isCut = true;
    bytes = 0;
    lines = 0;
    if (cut !== undefined && span !== undefined && cut.text !== "")
      kept.push(splice(json, [{ ...span, text: JSON.stringify(cut.text) } satisfies Edit]));
  }
  return { blocks: kept, left };
}

function noteOf(left: Size, isDropped: boolean, spill: string | Error): string {
  const what = isDropped ? "the structured content does not fit; " : "";
  const rest = `${left.bytes} bytes (${left.lines} lines) of this answer are left out`;
  const where =
    typeof spill === "string"
      ? `resources/read ${spill} gives the whole answer by pages`
      : `they could not be kept: ${spill.message}`;
  return `[wraptool: ${what}${rest}; ${where}]`;
}

function linkTo(uri: string, whole: string): object {
  return {
    type: "resource_link",
    uri,
    name: "whole answer",
    description: "The whole answer by pages; each names the next in _meta",
    mimeType: "text/plain",
    size: countBytes(whole),
  };
}

function asCutLimits({ bytes, lines }: OutputLimits) {
  return { bytes: bytes || undefined, lines: lines || undefined };
}
