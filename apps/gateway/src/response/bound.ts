import { countBytes, type JsonMember } from "@core/bounds";
import { type MemberChanges, membersOf, readEnvelope, rewriteEnvelope } from "@core/wire";
import type { OutputLimits } from "../config/config.ts";
import type { ClientSession } from "../upstream/client-session.ts";
import { type Block, type BlockList, readBlocks } from "./block.ts";
import { boundCompletion } from "./completion.ts";
import { cutBlocks, type Shown } from "./cut.ts";
import { boundError } from "./error.ts";
import { allowanceFor, type Keep, type Kept, linkTo, noteOf } from "./notice.ts";
import { fits, less, type Size, sizeOfJson, sumOf } from "./size.ts";
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
  return (answer, { bytes, lines }, session) => {
    const limits = { bytes: bytes || Infinity, lines: lines || Infinity };
    if (answer.length <= Math.min(limits.bytes, limits.lines * LEAST_BYTES_OF_LINE)) return answer;
    const message = readEnvelope(answer);
    const keep = (text: string) =>
      spills.keep(session, text, { bytes, lines }).catch((error: Error) => error);
    if (message.kind === "error") return boundError(answer, message, limits, keep);
    if (message.kind !== "response") return answer;
    const members = membersOf(answer, message.envelope.result);
    const completion = boundCompletion(answer, members, limits);
    if (completion !== undefined)
      return rewriteEnvelope(answer, message, { result: { set: { completion } } });
    const result = readResult(answer, members);
    if (fits(sizeOf(result), limits)) return answer;
    return cutResult(result, limits, keep).then((changes) =>
      rewriteEnvelope(answer, message, { result: changes }),
    );
  };
}

interface Result {
  readonly blocks: readonly Block[];
  readonly structured: { readonly text: string; readonly size: Size } | undefined;
  /** The members of `_meta`, as JSON text without the braces. */
  readonly meta: string;
}

function readResult(bytes: Buffer, members: readonly JsonMember[]): Result {
  const jsonOf = ({ valueStart, valueEnd }: JsonMember) => bytes.subarray(valueStart, valueEnd);
  // One that stands twice is read by some as the first and by others as the last.
  const structured = members.filter(({ key }) => key === "structuredContent").map(jsonOf);
  const meta = members.find(({ key, kind }) => key === "_meta" && kind === "object");
  return {
    blocks: readBlocks(bytes, members),
    structured:
      structured.length === 0
        ? undefined
        : { text: structured.join("\n"), size: sumOf(structured.map(sizeOfJson)) },
    meta: meta === undefined ? "" : jsonOf(meta).toString("utf8").slice(1, -1).trim(),
  };
}

function sizeOf({ blocks, structured }: Result): Size {
  return sumOf([...blocks.map(({ size }) => size), ...(structured ? [structured.size] : [])]);
}

/** What is to be different in a result that is too large. */
async function cutResult(result: Result, limits: Size, keep: Keep): Promise<MemberChanges> {
  const { structured } = result;
  const home = homeOf(result);
  // The line and the link count as well; a resource has them outside of its text.
  const room = home === "contents" ? limits : less(limits, allowanceFor(sizeOf(result), limits));
  const isDropped = structured !== undefined && !fits(structured.size, room);
  const whole = wholeText(result, isDropped);
  const kept = await keep(whole);
  const beside = structured === undefined || isDropped ? room : less(room, structured.size);
  const { blocks, left } = cutBlocks(previewOf(result, isDropped), beside);
  const note = noteOf(left, isDropped, kept);
  const shown = [...blocks, ...(home === "contents" ? [] : closing(home, note, kept, whole))];
  const listed = new Set<BlockList>([home, ...result.blocks.map(({ list }) => list)]);
  return {
    remove: (key) =>
      (key === "structuredContent" && isDropped) || (key === "description" && !has(shown, key)),
    set: {
      ...Object.fromEntries([...listed].flatMap((list) => memberOf(list, shown))),
      ...(isDropped && { isError: "true" }),
      ...(home === "contents" && { _meta: metaWith(result.meta, note, kept) }),
    },
  };
}

/** The list that ends with what is said about the cut. */
function homeOf({ blocks, structured }: Result): BlockList {
  if (structured !== undefined || has(blocks, "content")) return "content";
  return has(blocks, "contents") ? "contents" : "messages";
}

function has(among: readonly Pick<Shown, "list">[], list: string): boolean {
  return among.some((one) => one.list === list);
}

/** A member of the result as it is to be, by its key. */
function memberOf(list: BlockList, shown: readonly Shown[]): [string, string][] {
  const own = shown.filter((one) => one.list === list).map(({ json }) => json.toString("utf8"));
  if (list !== "description") return [[list, `[${own.join()}]`]];
  return own[0] === undefined ? [] : [[list, own[0]]];
}

/** The line and the link, with which the answer ends. */
function closing(list: BlockList, note: string, kept: Kept, whole: string): Shown[] {
  const blocks = [
    { type: "text", text: note },
    ...(typeof kept === "string" ? [linkTo(kept, countBytes(whole))] : []),
  ];
  const inList = (block: object) =>
    list === "messages" ? { role: "user", content: block } : block;
  return blocks.map((block) => ({ list, json: Buffer.from(JSON.stringify(inList(block))) }));
}

function metaWith(meta: string, note: string, kept: Kept): string {
  const next = typeof kept === "string" ? `"wraptool/next":${JSON.stringify(kept)},` : "";
  return `{${next}"wraptool/note":${JSON.stringify(note)}${meta && ","}${meta}}`;
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
  const { text, size } = structured;
  const json = Buffer.from(JSON.stringify({ type: "text", text }));
  const start = json.indexOf('"text":') + '"text":'.length;
  return [...blocks, { list: "content", json, text, span: { start, end: json.length - 1 }, size }];
}
