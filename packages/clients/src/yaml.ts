import { ConfigError, parseDocument as parseBounded } from "@core/config";
import {
  isCollection,
  isMap,
  isPair,
  isScalar,
  type Pair,
  type ParsedNode,
  parseDocument,
  stringify,
  type YAMLMap,
} from "yaml";
import {
  type EntryAddress,
  isPlainMap,
  MAX_DEPTH,
  nest,
  type PlainMap,
  type ReadDialect,
  type Refuse,
} from "./dialect.ts";
import type { TextEdit } from "./edit.ts";
import { lineEndOf, lineStart, nextLine, skipBlanksBack } from "./layout.ts";
import type { EntryMap } from "./table.ts";

type Member = Pair<ParsedNode, ParsedNode | null>;

/** YAML of one document. Entries are edited in block maps; a map in braces is edited only while it is empty. */
export const readYaml: ReadDialect = (text, refuse) => {
  const value = readValue(text, refuse);
  const root = parseRoot(text);
  const eol = lineEndOf(text);
  const unit = root === null ? DEFAULT_INDENT : indentOf(text, root);
  const find = (path: readonly string[]) => findMember(root, path);

  const write = (column: number, entry: EntryMap) => {
    const written = stringify(entry, { ...WRITE_OPTIONS, indent: unit })
      .trimEnd()
      .split("\n");
    return written.map((line) => " ".repeat(column) + line).join(eol);
  };
  const requireBlock = (node: ParsedNode | null, field: string): YAMLMap.Parsed => {
    if (isBlockMap(node)) return node;
    const reason =
      "is not written with each key on its own line, the only form that is edited here";
    throw refuse("UNSUPPORTED_FORM", reason, { offset: node?.range[0], field });
  };
  const entryAt = ({ keyPath, name }: EntryAddress) => {
    const owner = find(keyPath)!;
    const map = requireBlock(owner.value, keyPath.join("."));
    return { owner, map, member: find([...keyPath, name])! };
  };

  return {
    value,
    offsetOf: (path) => find(path)?.key.range[0],
    insertion: ({ keyPath, name }, entry) => {
      const path = [...keyPath, name];
      if (root === null) return [insertLines(text, text.length, write(0, nest(path, entry)), eol)];
      const depth = keyPath.findLastIndex((_, index) => find(path.slice(0, index + 1))) + 1;
      const owner = find(path.slice(0, depth));
      const added = nest(path.slice(depth), entry);
      if (owner !== undefined && isEmpty(text, owner.value)) {
        const lines = write(columnOf(text, owner) + unit, added);
        return [
          ...clear(text, owner.value),
          insertLines(text, endOfLines(text, owner), lines, eol),
        ];
      }
      const map = requireBlock(
        owner === undefined ? root : owner.value,
        path.slice(0, depth).join("."),
      );
      const [first, last] = [map.items[0] as Member, map.items.at(-1) as Member];
      const lines = write(columnOf(text, first), added);
      return [insertLines(text, endOfLines(text, last), lines, eol)];
    },
    replacement: (address, entry) => {
      const { member } = entryAt(address);
      const { offset, length } = linesOf(text, member);
      const written = write(columnOf(text, member), { [address.name]: entry });
      const endsLine = text[offset + length - 1] === "\n";
      return [{ offset, length, text: endsLine ? written + eol : written }];
    },
    removal: (address) => {
      const { owner, map, member } = entryAt(address);
      const removed = removeLines(text, member);
      if (map.items.length > 1) return [removed];
      // A key without a value would be null, and the map has to stay a map.
      const colon = text.indexOf(":", owner.key.range[1]) + 1;
      return [{ offset: colon, length: 0, text: " {}" }, removed];
    },
  };
};

const DEFAULT_INDENT = 2;

/** Strings stay on one line, and are quoted also where only YAML 1.1 would take them for something else (`yes`). */
const WRITE_OPTIONS = { lineWidth: 0, blockQuote: false, compat: "yaml-1.1" } as const;

/** Read with the bounds of all configuration first: the library's own reading has none. */
function readValue(text: string, refuse: Refuse): PlainMap {
  try {
    const limits = { maxBytes: Number.POSITIVE_INFINITY, maxDepth: MAX_DEPTH };
    const { value } = parseBounded(text, { file: "", format: "yaml", limits });
    if (value === null) return {};
    if (isPlainMap(value)) return value;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { code, reason, line, column } = error;
    const own = code === "TOO_DEEP" || code === "DUPLICATE_KEY" ? code : "SYNTAX";
    throw refuse(own, reason, { line, column });
  }
  throw refuse("NOT_A_MAP", "must have a map at its root");
}

/** The root map as the library places it; `null` for a text without content. */
function parseRoot(text: string): YAMLMap.Parsed | null {
  const { contents } = parseDocument(text, { uniqueKeys: false });
  return isMap(contents) ? (contents as YAMLMap.Parsed) : null;
}

function findMember(root: ParsedNode | null, path: readonly string[]): Member | undefined {
  let node = root;
  let found: Member | undefined;
  for (const key of path) {
    if (!isMap(node)) return undefined;
    found = (node as YAMLMap.Parsed).items.find(
      (member) => isScalar(member.key) && member.key.value === key,
    ) as Member | undefined;
    if (found === undefined) return undefined;
    node = found.value;
  }
  return found;
}

function isBlockMap(node: ParsedNode | null): node is YAMLMap.Parsed {
  return isMap(node) && node.flow !== true;
}

/** Whether a key has nothing after it, or braces with nothing in them: both become a block map. */
function isEmpty(text: string, node: ParsedNode | null): boolean {
  if (node === null) return true;
  const [start, end] = node.range;
  if (isScalar(node)) return start === end;
  return isMap(node) && node.flow === true && /^\{\s*\}$/.test(text.slice(start, end));
}

function clear(text: string, node: ParsedNode | null): TextEdit[] {
  if (!isMap(node)) return [];
  const start = skipBlanksBack(text, node.range[0]);
  return [{ offset: start, length: node.range[1] - start, text: "" }];
}

/** Adds lines where a line starts, or at the end of a text that has no final line end and keeps none. */
function insertLines(text: string, offset: number, lines: string, eol: string): TextEdit {
  const isUnended = offset === text.length && !/(^\uFEFF?|\n)$/.test(text);
  return { offset, length: 0, text: isUnended ? eol + lines : lines + eol };
}

function removeLines(text: string, member: Member): TextEdit {
  const { offset, length } = linesOf(text, member);
  if (text[offset + length - 1] === "\n") return { offset, length, text: "" };
  const from = text.slice(0, offset).replace(/\r?\n$/, "").length;
  return { offset: from, length: text.length - from, text: "" };
}

function linesOf(text: string, member: Member): { offset: number; length: number } {
  const offset = lineStart(text, member.key.range[0]);
  return { offset, length: endOfLines(text, member) - offset };
}

/** Where the line after the member's last one starts. Comments after its last value are not its own. */
function endOfLines(text: string, member: Member): number {
  const end = endOfValue(member);
  return text[end - 1] === "\n" ? end : nextLine(text, end);
}

function endOfValue({ key, value }: Member): number {
  if (value === null) return key.range[1];
  const last: unknown = isCollection(value) && value.flow !== true ? value.items.at(-1) : undefined;
  if (isPair(last)) return endOfValue(last as Member);
  if (last !== undefined) return endOfValue({ key, value: last as ParsedNode } as Member);
  return value.range[1];
}

function columnOf(text: string, member: Member): number {
  return member.key.range[0] - lineStart(text, member.key.range[0]);
}

/** The columns from a key to the keys of its map: those of the first nested map. */
function indentOf(text: string, root: YAMLMap.Parsed): number {
  for (const member of root.items as Member[]) {
    if (!isBlockMap(member.value)) continue;
    const step = columnOf(text, member.value.items[0] as Member) - columnOf(text, member);
    if (step > 0) return step;
  }
  return DEFAULT_INDENT;
}
