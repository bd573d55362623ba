import { JsonSyntaxError, type JsonVisitor, scanJson } from "@core/bounds";
import type { PathStep } from "./error.ts";
import { arrayNode, type DocumentNode, type Member, objectNode, scalarNode } from "./node.ts";
import {
  type DocumentFault,
  type DocumentLimits,
  type DocumentReader,
  keyFault,
  type Refuse,
} from "./reader.ts";

/** A container whose end has not been read yet. */
type OpenNode =
  | { readonly kind: "array"; readonly items: DocumentNode[] }
  | {
      readonly kind: "object";
      readonly members: Map<string, Member>;
      key: string;
      keyOffset: number;
    };

/** Reads one JSON text as the standard has it: no comments, no trailing commas. */
export const readJson: DocumentReader = (text, limits, refuse) => {
  const builder = createBuilder(text, limits, refuse);
  try {
    scanJson(text, builder.visitor);
  } catch (error) {
    if (error instanceof JsonSyntaxError) refuseSyntax(text, error, refuse);
    throw error;
  }
  return builder.tree();
};

function createBuilder(text: string, { maxDepth, maxValues }: DocumentLimits, refuse: Refuse) {
  const open: OpenNode[] = [];
  const faults: DocumentFault[] = [];
  let root: DocumentNode | undefined;
  let values = 0;

  const count = (start: number) => {
    values += 1;
    if (values > maxValues) refuse("TOO_LARGE", `holds more than ${maxValues} values`, start);
  };
  const begin = (node: OpenNode, start: number) => {
    count(start);
    if (open.length >= maxDepth)
      refuse("TOO_DEEP", `is nested deeper than ${maxDepth} levels`, start);
    open.push(node);
  };
  const add = (node: DocumentNode) => {
    const parent = open.at(-1);
    if (parent === undefined) root = node;
    else if (parent.kind === "array") parent.items.push(node);
    else if (!parent.members.has(parent.key))
      parent.members.set(parent.key, { keyOffset: parent.keyOffset, node });
  };
  const end = (start: number) => {
    const node = open.pop()!;
    add(node.kind === "array" ? arrayNode(start, node.items) : objectNode(start, node.members));
  };

  const visitor: JsonVisitor = {
    startObject: ({ start }) =>
      begin({ kind: "object", members: new Map(), key: "", keyOffset: start }, start),
    startArray: ({ start }) => begin({ kind: "array", items: [] }, start),
    endObject: ({ start }) => end(start),
    endArray: ({ start }) => end(start),
    key({ key, start, duplicate }) {
      const object = open.at(-1);
      if (object?.kind !== "object") return;
      object.key = key;
      object.keyOffset = start;
      const fault =
        duplicate || key === "__proto__" ? keyFault(open.map(stepOf), start, duplicate) : undefined;
      if (fault !== undefined) faults.push(fault);
    },
    scalar({ start, end: stop }) {
      count(start);
      const lexeme = text.slice(start, stop);
      add(scalarNode(start, JSON.parse(lexeme), lexeme));
    },
  };
  return { visitor, tree: () => ({ root: root!, faults }) };
}

/** The key or index that is being read in a container. */
function stepOf(node: OpenNode): PathStep {
  return node.kind === "array" ? node.items.length : node.key;
}

function refuseSyntax(text: string, { offset, reason }: JsonSyntaxError, refuse: Refuse): never {
  if (text.trim() === "") refuse("SYNTAX", "is empty; write at least {}", 0);
  if (/^(?:\/[/*]|#)/.test(text.slice(offset, offset + 2)))
    refuse("SYNTAX", "comments are not allowed in JSON; remove this one", offset);
  const before = text.slice(0, offset).trimEnd();
  if (before.endsWith(",") && /[\]}]/.test(text.charAt(offset)))
    refuse("SYNTAX", "a trailing comma is not allowed in JSON; remove it", before.length - 1);
  return refuse("SYNTAX", `is not valid JSON: ${reason}`, offset);
}
