import type { Path, PathStep } from "./error.ts";

/** A value of a document with the offset where it starts, in UTF-16 units of the text. */
export type DocumentNode = ScalarNode | ArrayNode | ObjectNode;

interface NodeBase {
  readonly offset: number;
  /** The values in it, itself included, as if every alias were written out. */
  readonly size: number;
  /** The objects and arrays inside each other: 0 for a scalar, 1 for `[]`. */
  readonly depth: number;
  /** Whether it is or holds a number such as `1.0` or `1e3`: whole, but not written as an integer. */
  readonly hasWrittenFraction: boolean;
}

export interface ScalarNode extends NodeBase {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
  /** Whether it is a number written in plain decimal digits. */
  readonly isInteger: boolean;
}

export interface ArrayNode extends NodeBase {
  readonly kind: "array";
  readonly value: readonly unknown[];
  readonly items: readonly DocumentNode[];
}

export interface ObjectNode extends NodeBase {
  readonly kind: "object";
  readonly value: Readonly<Record<string, unknown>>;
  readonly members: ReadonlyMap<string, Member>;
}

export interface Member {
  readonly keyOffset: number;
  readonly node: DocumentNode;
}

/** A decimal integer as both formats write it: no fraction, exponent or leading zero. */
const INTEGER = /^[-+]?(?:0|[1-9][0-9]*)$/;

export function scalarNode(offset: number, value: ScalarNode["value"], lexeme = ""): ScalarNode {
  const isInteger = typeof value === "number" && INTEGER.test(lexeme);
  const hasWrittenFraction = !isInteger && Number.isInteger(value);
  return { kind: "scalar", offset, value, isInteger, size: 1, depth: 0, hasWrittenFraction };
}

export function arrayNode(offset: number, items: readonly DocumentNode[]): ArrayNode {
  const value = Object.freeze(items.map((item) => item.value));
  return { kind: "array", offset, value, items, ...summary(items) };
}

export function objectNode(offset: number, members: ReadonlyMap<string, Member>): ObjectNode {
  const entries = Array.from(members, ([key, { node }]) => [key, node.value] as const);
  const nodes = Array.from(members.values(), ({ node }) => node);
  // fromEntries defines own properties, so no key reaches a setter of the prototype.
  const value = Object.freeze(Object.fromEntries(entries));
  return { kind: "object", offset, value, members, ...summary(nodes) };
}

function summary(parts: readonly DocumentNode[]) {
  return {
    depth: parts.reduce((deepest, part) => Math.max(deepest, part.depth), 0) + 1,
    size: parts.reduce((sum, part) => sum + part.size, 1),
    hasWrittenFraction: parts.some((part) => part.hasWrittenFraction),
  };
}

/** The member at a path: its value, and where its key starts (for an array's item, where the item does). */
export function findMember(root: DocumentNode, path: Path): Member | undefined {
  let found: Member | undefined = { keyOffset: root.offset, node: root };
  for (const step of path) {
    found = childOf(found.node, step);
    if (found === undefined) return undefined;
  }
  return found;
}

function childOf(node: DocumentNode, step: PathStep): Member | undefined {
  if (node.kind === "object") return node.members.get(String(step));
  const item = node.kind === "array" ? node.items[Number(step)] : undefined;
  return item && { keyOffset: item.offset, node: item };
}
