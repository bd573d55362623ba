import {
  createScanner,
  findNodeAtLocation,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import {
  type Dialect,
  depthFound,
  type EntryAddress,
  MAX_DEPTH,
  nest,
  type PlainMap,
  type ReadDialect,
  type Refuse,
} from "./dialect.ts";
import { insertDocument, insertMember, removeMember, replaceMember } from "./json-splice.ts";
import { styleOf } from "./json-style.ts";

/** Strict JSON: no comment and no trailing comma. */
export const readJson: ReadDialect = (text, refuse) => readTree(text, refuse, true);

/** JSON with comments and trailing commas. */
export const readJsonc: ReadDialect = (text, refuse) => readTree(text, refuse, false);

function readTree(text: string, refuse: Refuse, strict: boolean): Dialect {
  const root = parseRoot(text, refuse, strict);
  const style = styleOf(text, root);
  const find = (path: readonly string[]) => root && findNodeAtLocation(root, [...path]);
  const member = ({ keyPath, name }: EntryAddress) => find([...keyPath, name])!.parent!;
  return {
    value: root === undefined ? {} : (plainValue(root) as PlainMap),
    isBlank: root === undefined,
    offsetOf: (path) => find(path)?.offset,
    insertion: ({ keyPath, name }, value, preamble) => {
      const path = [...keyPath, name];
      const depth = depthFound(keyPath, find);
      const map = find(path.slice(0, depth));
      if (map === undefined) return [insertDocument(text, { ...preamble, ...nest(path, value) })];
      return insertMember(text, map, [path[depth]!, nest(path.slice(depth + 1), value)], style);
    },
    replacement: (address, value) => [replaceMember(text, member(address), value, style)],
    removal: (address) => removeMember(text, member(address)),
  };
}

function parseRoot(source: string, refuse: Refuse, strict: boolean): Node | undefined {
  // The parser knows no byte order mark; a space in its place keeps every offset.
  const text = source.replace(/^\uFEFF/, " ");
  refuseDepth(text, refuse);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, {
    disallowComments: strict,
    allowTrailingComma: !strict,
    allowEmptyContent: true,
  });
  const [error] = errors;
  if (error !== undefined) {
    const language = strict ? "strict JSON" : "JSON";
    const found = spacedWords(printParseErrorCode(error.error));
    throw refuse("SYNTAX", `is not ${language} (${found})`, error);
  }
  if (root === undefined) return undefined;
  if (root.type !== "object") throw refuse("NOT_A_MAP", "must have an object at its root", root);
  refuseDuplicates(root, refuse);
  return root;
}

/** `CommaExpected` as `comma expected`. */
function spacedWords(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}

/** The parser recurses, so depth is measured on the tokens first. */
function refuseDepth(text: string, refuse: Refuse): void {
  const scanner = createScanner(text, true);
  let depth = 0;
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    if (text[offset] === "{" || text[offset] === "[") depth++;
    if (text[offset] === "}" || text[offset] === "]") depth--;
    if (depth > MAX_DEPTH)
      throw refuse("TOO_DEEP", `is nested deeper than ${MAX_DEPTH} levels`, { offset });
  }
}

function refuseDuplicates(node: Node, refuse: Refuse): void {
  const keys = new Set<string>();
  for (const child of node.children ?? []) {
    if (child.type === "property") {
      const key = keyOf(child);
      if (keys.has(key))
        throw refuse("DUPLICATE_KEY", "this key stands twice in one object; keep one", child);
      keys.add(key);
    }
    refuseDuplicates(child, refuse);
  }
}

/** Unlike the parser's own conversion, this one keeps a key `__proto__` as a key. */
function plainValue(node: Node): unknown {
  const children = node.children ?? [];
  if (node.type === "array") return children.map(plainValue);
  if (node.type !== "object") return node.value as unknown;
  return Object.fromEntries(
    children.map((property) => [keyOf(property), plainValue(property.children![1]!)]),
  );
}

function keyOf(property: Node): string {
  return property.children![0]!.value as string;
}
