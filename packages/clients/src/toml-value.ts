import type { AST } from "toml-eslint-parser";
import { MAX_DEPTH, type PlainMap, type Refuse } from "./dialect.ts";

/** What stands at the top of a TOML document: a table with its header, or a member of the root. */
export type TopNode = AST.TOMLKeyValue | AST.TOMLTable;

/** Where a top node stands in the document; the number of an array's table is its index. */
export type TomlPath = readonly (string | number)[];

/**
 * The values of a document. The parser's own conversion is not used, because it writes through keys such as `__proto__`
 * into prototypes; this one defines every key.
 */
export function readTables(nodes: readonly TopNode[], refuse: Refuse): PlainMap {
  const root: Container = {};
  for (const node of nodes) {
    const members = isTable(node) ? node.body : [node];
    const table = isTable(node) ? descend(root, node.resolvedKey) : root;
    for (const member of members) defineMember(table, member, 1, refuse);
  }
  return root;
}

export function isTable(node: TopNode): node is AST.TOMLTable {
  return node.type === "TOMLTable";
}

export function pathOf(node: TopNode): TomlPath {
  if (isTable(node)) return node.resolvedKey;
  return node.key.keys.map((key) => (key.type === "TOMLBare" ? key.name : key.value));
}

type Container = { [key: string | number]: unknown };

function defineMember(
  table: Container,
  member: AST.TOMLKeyValue,
  depth: number,
  refuse: Refuse,
): void {
  const path = pathOf(member);
  const value = readValue(member.value, depth, refuse);
  define(descend(table, path.slice(0, -1)), path.at(-1)!, value);
}

function readValue(node: AST.TOMLContentNode, depth: number, refuse: Refuse): unknown {
  if (node.type === "TOMLValue") return node.value;
  if (depth > MAX_DEPTH)
    throw refuse("TOO_DEEP", `is nested deeper than ${MAX_DEPTH} levels`, {
      offset: node.range[0],
    });
  if (node.type === "TOMLArray")
    return node.elements.map((element) => readValue(element, depth + 1, refuse));
  const table: Container = {};
  for (const member of node.body) defineMember(table, member, depth + 1, refuse);
  return table;
}

/** The container at a path, made where it is missing: an array where the next step is an index. */
function descend(from: Container, path: TomlPath): Container {
  return path.reduce<Container>((at, step, index) => {
    if (!Object.hasOwn(at, step)) define(at, step, typeof path[index + 1] === "number" ? [] : {});
    return at[step] as Container;
  }, from);
}

function define(container: Container, key: string | number, value: unknown): void {
  const flags = { enumerable: true, configurable: true, writable: true };
  Object.defineProperty(container, key, { value, ...flags });
}
