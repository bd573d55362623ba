import { type JsonElement, type JsonMember, readElements, readMembers } from "@core/bounds";
import { stringAt } from "@core/wire";
import { type Size, sizeOfText } from "./size.ts";

/** The members of a result that hold what a model reads, beside structured content. */
const LISTS = ["content", "contents", "messages"] as const;
export type BlockList = (typeof LISTS)[number] | "description";

/**
 * A piece of an answer. What is neither text nor binary counts as the JSON that it is, and is kept or left out whole;
 * binary content does not count.
 */
export interface Block {
  /** The member of the result that it stands in. */
  readonly list: BlockList;
  readonly json: Buffer;
  readonly text: string | undefined;
  /** Where in `json` the text stands, with its quotes. */
  readonly span: { readonly start: number; readonly end: number } | undefined;
  readonly size: Size;
}

/** The blocks of a result in the order in which they stand there. A member that stands twice counts twice. */
export function readBlocks(bytes: Buffer, members: readonly JsonMember[]): readonly Block[] {
  return members.flatMap((member) => {
    const { key, kind, valueStart, valueEnd } = member;
    if (key === "description" && kind === "string")
      return textBlock(bytes.subarray(valueStart, valueEnd));
    const list = LISTS.find((name) => name === key);
    if (list === undefined || kind !== "array") return [];
    return readElements(bytes, valueStart).map((element) => readBlock(list, bytes, element));
  });
}

/** A prompt's description, which is a string alone. */
function textBlock(json: Buffer): Block {
  const text = JSON.parse(json.toString("utf8")) as string;
  return {
    list: "description",
    json,
    text,
    span: { start: 0, end: json.length },
    size: sizeOfText(text),
  };
}

function readBlock(list: BlockList, bytes: Buffer, element: JsonElement): Block {
  const json = bytes.subarray(element.valueStart, element.valueEnd);
  const outer = element.kind === "object" ? readMembers(json, 0, ["content", "resource"]) : [];
  // A prompt's message has its block inside.
  const inner = list === "messages" ? find(outer, "content") : undefined;
  const members = inner === undefined ? outer : membersAt(json, inner);
  const resource = membersAt(json, find(members, "resource"));
  const texts = [...members, ...resource].filter(
    ({ key, kind }) => key === "text" && kind === "string",
  );
  const [text] = texts;
  if (text !== undefined && texts.length === 1) {
    const { valueStart: start, valueEnd: end } = text;
    const value = stringAt(json, text) as string;
    return { list, json, text: value, span: { start, end }, size: sizeOfText(value) };
  }
  const isBinary = texts.length === 0 && isBinaryBlock(json, members, resource);
  const size = isBinary ? { bytes: 0, lines: 0 } : { bytes: json.length, lines: 1 };
  return { list, json, text: undefined, span: undefined, size };
}

const BINARY: ReadonlySet<unknown> = new Set(["image", "audio"]);

function isBinaryBlock(
  json: Buffer,
  members: readonly JsonMember[],
  resource: readonly JsonMember[],
): boolean {
  const isNamedSo = BINARY.has(stringAt(json, find(members, "type")));
  return isNamedSo || find([...members, ...resource], "blob") !== undefined;
}

function membersAt(json: Buffer, member: JsonMember | undefined): readonly JsonMember[] {
  if (member?.kind !== "object") return [];
  return member.members ?? readMembers(json, member.valueStart);
}

function find(members: readonly JsonMember[], name: string): JsonMember | undefined {
  return members.find(({ key }) => key === name);
}
