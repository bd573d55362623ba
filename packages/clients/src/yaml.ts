import { ConfigError, parseDocument as parseBounded } from "@core/config";
import { isMap, isScalar, type ParsedNode, parseDocument, stringify, type YAMLMap } from "yaml";
import {
  depthFound,
  type EntryAddress,
  isPlainMap,
  MAX_DEPTH,
  nest,
  type PlainMap,
  type ReadDialect,
  type Refuse,
} from "./dialect.ts";
import type { TextEdit } from "./edit.ts";
import { lineEndOf, skipBlanksBack } from "./layout.ts";
import type { EntryMap } from "./table.ts";
import {
  columnOf,
  findMember,
  insertLines,
  isBlockMap,
  linesOf,
  membersOf,
  removeLines,
  stepOf,
} from "./yaml-lines.ts";

/** YAML of one document. Entries are edited in block maps; a map in braces is edited only while it is empty. */
export const readYaml: ReadDialect = (text, refuse) => {
  const value = readValue(text, refuse);
  const root = parseRoot(text);
  const eol = lineEndOf(text);
  const step = stepOf(text, root);
  const find = (path: readonly string[]) => findMember(root, path);
  const write = (entry: EntryMap, column: number) => writeLines(entry, { column, step, eol });

  const requireBlock = (node: ParsedNode | null, path: readonly string[]): YAMLMap.Parsed => {
    if (isBlockMap(node)) return node;
    const reason = "is not written with each key on its own line, the only form edited here";
    const where = { offset: node?.range[0], ...(path.length > 0 && { field: path.join(".") }) };
    throw refuse("UNSUPPORTED_FORM", reason, where);
  };
  const memberAt = ({ keyPath, name }: EntryAddress) => {
    requireBlock(find(keyPath)!.value, keyPath);
    return find([...keyPath, name])!;
  };

  return {
    value,
    offsetOf: (path) => find(path)?.key.range[0],
    insertion: ({ keyPath, name }, entry) => {
      const path = [...keyPath, name];
      if (root === null) return [insertLines(text, text.length, write(nest(path, entry), 0), eol)];
      const depth = depthFound(keyPath, find);
      const owner = find(path.slice(0, depth));
      const added = nest(path.slice(depth), entry);
      if (owner !== undefined && isEmpty(text, owner.value)) {
        const lines = write(added, columnOf(text, owner) + step);
        return [
          ...clear(text, owner.value),
          insertLines(text, linesOf(text, owner).end, lines, eol),
        ];
      }
      const map = requireBlock(owner === undefined ? root : owner.value, path.slice(0, depth));
      const members = membersOf(map);
      const lines = write(added, columnOf(text, members[0]!));
      return [insertLines(text, linesOf(text, members.at(-1)!).end, lines, eol)];
    },
    replacement: (address, entry) => {
      const member = memberAt(address);
      const { start, end } = linesOf(text, member);
      const written = write({ [address.name]: entry }, columnOf(text, member));
      const ending = text[end - 1] === "\n" ? eol : "";
      return [{ offset: start, length: end - start, text: written + ending }];
    },
    removal: (address) => {
      const removed = removeLines(text, linesOf(text, memberAt(address)));
      const owner = find(address.keyPath)!;
      if (membersOf(owner.value).length > 1) return [removed];
      // A key without a value would be null, and the map has to stay a map.
      const colon = text.indexOf(":", owner.key.range[1]) + 1;
      return [{ offset: colon, length: 0, text: " {}" }, removed];
    },
  };
};

/** Strings stay on one line, and are quoted also where only YAML 1.1 would take them for something else (`yes`). */
const WRITE_OPTIONS = { lineWidth: 0, blockQuote: false, compat: "yaml-1.1" } as const;

function writeLines(
  entry: EntryMap,
  { column, step, eol }: { column: number; step: number; eol: string },
): string {
  const lines = stringify(entry, { ...WRITE_OPTIONS, indent: step })
    .trimEnd()
    .split("\n");
  return lines.map((line) => " ".repeat(column) + line).join(eol);
}

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
