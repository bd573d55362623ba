import { ConfigError, parseDocument as parseBounded } from "@core/config";
import { isMap, type ParsedNode, parseDocument, type YAMLMap } from "yaml";
import { depthFound, isPlainMap, MAX_DEPTH, nest, type PlainMap, type Refuse } from "./dialect.ts";
import type { TextEdit } from "./edit.ts";
import { lineEndOf } from "./layout.ts";
import type { EntryMap, EntryValue } from "./row.ts";
import {
  clearFlow,
  columnOf,
  findMember,
  insertLines,
  isBlockMap,
  isEmptyBlock,
  linesOf,
  type Member,
  membersOf,
  stepOf,
  writeLines,
} from "./yaml-lines.ts";

/** One parsed text, and what an edit of its maps or its lists has in common. */
export interface YamlDocument {
  readonly text: string;
  readonly value: PlainMap;
  readonly isBlank: boolean;
  readonly eol: string;
  /** The columns from a key to the keys of its map. */
  readonly step: number;
  /** The member at a path of keys, if it stands in one place. */
  find(path: readonly string[]): Member | undefined;
  /** A value as lines from a column on, without the last line's end. */
  write(value: EntryValue, column: number): string;
  /**
   * Adds a member, with the maps above it where they are missing; to a text without content, below the preamble. Throws
   * UNSUPPORTED_FORM where a map above it is written in braces.
   */
  insertMember(path: readonly string[], value: EntryValue, preamble?: EntryMap): TextEdit[];
  /** The error of a value that is not written in lines. */
  refuseForm(node: ParsedNode | null | undefined, path: readonly string[]): Error;
}

/** Parses a text of one document. Throws what {@link Refuse} makes of one that is not YAML or has no map at its root. */
export function openYaml(text: string, refuse: Refuse): YamlDocument {
  const value = readValue(text, refuse);
  const root = parseRoot(text);
  const eol = lineEndOf(text);
  const step = stepOf(text, root);
  const find = (path: readonly string[]) => findMember(root, path);
  const write = (written: EntryValue, column: number) => writeLines(written, { column, step, eol });

  const refuseForm: YamlDocument["refuseForm"] = (node, path) => {
    const reason = "is not written with each key on its own line, the only form edited here";
    const where = { offset: node?.range[0], ...(path.length > 0 && { field: path.join(".") }) };
    return refuse("UNSUPPORTED_FORM", reason, where);
  };

  const insertMember: YamlDocument["insertMember"] = (path, added, preamble) => {
    if (root === null) {
      const whole = { ...preamble, [path[0]!]: nest(path.slice(1), added) };
      return [insertLines(text, text.length, write(whole, 0), eol)];
    }
    const depth = depthFound(path.slice(0, -1), find);
    const owner = find(path.slice(0, depth));
    const nested = nest(path.slice(depth), added);
    if (owner !== undefined && isEmptyBlock(text, owner.value)) {
      const lines = write(nested, columnOf(text, owner) + step);
      const at = insertLines(text, linesOf(text, owner).end, lines, eol);
      return [...clearFlow(text, owner.value), at];
    }
    const map = owner === undefined ? root : owner.value;
    if (!isBlockMap(map)) throw refuseForm(map, path.slice(0, depth));
    const members = membersOf(map);
    const lines = write(nested, columnOf(text, members[0]!));
    return [insertLines(text, linesOf(text, members.at(-1)!).end, lines, eol)];
  };

  return { text, value, isBlank: root === null, eol, step, find, write, insertMember, refuseForm };
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
