import {
  Composer,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type ParsedNode,
  Scalar,
  type YAMLMap,
  type YAMLParseError,
} from "yaml";
import type { Path } from "./error.ts";
import { arrayNode, type DocumentNode, type Member, objectNode, scalarNode } from "./node.ts";
import {
  type DocumentFault,
  type DocumentLimits,
  type DocumentReader,
  keyFault,
  type Refuse,
} from "./reader.ts";
import { guardedTokens, MISPLACED, SECOND_DOCUMENT } from "./yaml-guard.ts";

/**
 * Reads one YAML 1.2 document as plain values. Refused: more than one document, directives, tags, merge keys, keys
 * that are no strings, and aliases that are too many, grow too large or point into themselves.
 */
export const readYaml: DocumentReader = (text, limits, refuse) => {
  const document = composeDocument(text, limits, refuse);
  const contents = document?.contents ?? null;
  if (contents === null) return { root: scalarNode(0, null), faults: [] };
  return createBuilder(limits, refuse).tree(contents);
};

/** Text → library document, with the checks that have to come before its recursive steps. */
function composeDocument(text: string, limits: DocumentLimits, refuse: Refuse) {
  // Repeated keys are found while building: the library compares each key with each other, in quadratic time.
  const composer = new Composer({ uniqueKeys: false, prettyErrors: false, merge: false });
  const documents: Document.Parsed[] = [];
  for (const token of guardedTokens(text, limits, refuse))
    for (const document of composer.next(token)) documents.push(document);
  for (const document of composer.end(true, text.length)) documents.push(document);

  const [first, second] = documents;
  const error = firstError(first?.errors ?? []);
  if (error !== undefined) refuse("SYNTAX", SENTENCES[error.code] ?? NOT_YAML, error.pos[0]);
  if (second !== undefined) refuse("SYNTAX", SECOND_DOCUMENT, second.range[0]);
  return first;
}

function createBuilder({ maxDepth, maxValues }: DocumentLimits, refuse: Refuse) {
  const faults: DocumentFault[] = [];
  /** By anchor; `null` while its value is still being built. */
  const anchored = new Map<string, DocumentNode | null>();

  const build = (node: ParsedNode, path: Path): DocumentNode => {
    if (isAlias(node)) return resolve(node.source, node.range[0], path);
    if (node.anchor !== undefined) anchored.set(node.anchor, null);
    const built = bounded(buildValue(node, path));
    if (node.anchor !== undefined) anchored.set(node.anchor, built);
    return built;
  };

  const resolve = (anchor: string, offset: number, path: Path): DocumentNode => {
    const target = anchored.get(anchor);
    if (target === null) refuse("SYNTAX", "an alias must not point at what it stands in", offset);
    if (target === undefined) return refuse("SYNTAX", "an alias has no anchor before it", offset);
    requireDepth(path.length + target.depth, offset);
    return target;
  };

  const requireDepth = (depth: number, offset: number) => {
    if (depth > maxDepth) refuse("TOO_DEEP", `is nested deeper than ${maxDepth} levels`, offset);
  };

  const bounded = (node: DocumentNode): DocumentNode => {
    if (node.size > maxValues)
      refuse("TOO_LARGE", `holds more than ${maxValues} values, aliases written out`, node.offset);
    return node;
  };

  const buildValue = (node: ParsedNode, path: Path): DocumentNode => {
    const offset = node.range[0];
    if (isScalar(node)) return buildScalar(node, offset);
    requireDepth(path.length + 1, offset);
    if (isMap(node)) return objectNode(offset, buildMembers(node as YAMLMap.Parsed, path));
    if (isSeq(node))
      return arrayNode(
        offset,
        node.items.map((item, index) => build(item as ParsedNode, [...path, index])),
      );
    return refuse("SYNTAX", NOT_YAML, offset);
  };

  const buildMembers = (map: YAMLMap.Parsed, path: Path): Map<string, Member> => {
    const members = new Map<string, Member>();
    for (const { key, value } of map.items) {
      const name = readKey(key, map.range[0], refuse);
      const keyOffset = key.range[0];
      const memberPath = [...path, name];
      const fault = keyFault(memberPath, keyOffset, members.has(name));
      if (fault !== undefined) faults.push(fault);
      const node = value === null ? scalarNode(key.range[1], null) : build(value, memberPath);
      if (!members.has(name)) members.set(name, { keyOffset, node });
    }
    return members;
  };

  return { tree: (contents: ParsedNode) => ({ root: build(contents, []), faults }) };
}

function buildScalar(node: Scalar, offset: number): DocumentNode {
  const lexeme = node.type === Scalar.PLAIN ? node.source : "";
  return scalarNode(offset, node.value as string | number | boolean | null, lexeme);
}

function readKey(key: unknown, mapOffset: number, refuse: Refuse): string {
  const offset = (key as ParsedNode | null)?.range?.[0] ?? mapOffset;
  if (!isScalar(key) || typeof key.value !== "string")
    return refuse("SYNTAX", "a key must be a string; put it in quotes", offset);
  if (key.value === "<<" && key.type === Scalar.PLAIN)
    return refuse("SYNTAX", "merge keys are not supported; write the fields out", offset);
  return key.value;
}

function firstError(errors: readonly YAMLParseError[]): YAMLParseError | undefined {
  return errors.reduce<YAMLParseError | undefined>(
    (first, error) => (first === undefined || error.pos[0] < first.pos[0] ? error : first),
    undefined,
  );
}

const NOT_YAML = "is not valid YAML";

// Own sentences, because the library's messages quote the text.
const SENTENCES: Readonly<Partial<Record<YAMLParseError["code"], string>>> = {
  ALIAS_PROPS: "an alias can have neither anchor nor tag",
  BAD_ALIAS: "an alias or anchor has no valid name",
  BAD_INDENT: "the indentation does not fit the lines around it",
  BAD_PROP_ORDER: "an anchor stands in the wrong place",
  BAD_SCALAR_START: "a plain value cannot start with this character; put it in quotes",
  BLOCK_AS_IMPLICIT_KEY: "a nested mapping or list cannot start on the line of its key",
  BLOCK_IN_FLOW: "a block value cannot stand inside brackets",
  KEY_OVER_1024_CHARS: "a key is longer than 1024 characters",
  MISSING_CHAR: "a colon, comma, bracket, quote or blank is missing",
  MULTILINE_IMPLICIT_KEY: "a key must stand on one line",
  MULTIPLE_ANCHORS: "a value can have one anchor only",
  TAB_AS_INDENT: "tabs cannot indent; use spaces",
  UNEXPECTED_TOKEN: MISPLACED,
};
