import { isMap, isScalar, isSeq, type ParsedNode } from "yaml";
import { type Dialect, isPlainMap, type PlainMap, type Refuse } from "./dialect.ts";
import { lineStart } from "./layout.ts";
import { openYaml, type YamlDocument } from "./yaml-document.ts";
import {
  clearFlow,
  columnOf,
  endOfLines,
  insertLines,
  isEmptyBlock,
  linesOf,
  membersOf,
  removeLines,
  replaceLines,
  writeEmpty,
} from "./yaml-lines.ts";

/** Where a list of servers stands, and the member by which each is told from the others. */
export interface ListPlace {
  readonly keyPath: readonly [string, ...string[]];
  readonly listedBy: string;
}

/**
 * YAML in which the servers stand in a list. The list reads as a map from each item's telling member to the item, so that
 * an entry is addressed, compared and refused as in every other format. Items are edited where each begins with a dash on
 * its own line.
 */
export function readYamlList(text: string, refuse: Refuse, place: ListPlace): Dialect {
  const { keyPath, listedBy } = place;
  const document = openYaml(text, refuse);
  const { eol, find, write, insertMember, refuseForm } = document;
  const owner = find(keyPath);
  const items = itemsOf(owner?.value ?? null);
  const value = listsAsMap(document, place, items, refuse);
  const itemOf = (name: string) => items.find((item) => nameOf(item, listedBy) === name);
  const itemAt = (name: string): Item => {
    const item = itemOf(name);
    const span = item && spanOf(text, item);
    if (span === undefined) throw refuseForm(item ?? owner?.value, keyPath);
    return span;
  };
  return {
    value,
    isBlank: document.isBlank,
    offsetOf: (path) => {
      const name = path[keyPath.length];
      return name === undefined ? find(path)?.key.range[0] : itemOf(name)?.range[0];
    },
    insertion: (_, entry, preamble) => {
      if (owner === undefined) return insertMember(keyPath, [entry], preamble);
      if (isEmptyBlock(text, owner.value)) {
        const lines = write([entry], columnOf(text, owner) + document.step);
        const at = insertLines(text, linesOf(text, owner).end, lines, eol);
        return [...clearFlow(text, owner.value), at];
      }
      const last = items.at(-1);
      const span = last && spanOf(text, last);
      if (span === undefined) throw refuseForm(owner.value, keyPath);
      return [insertLines(text, span.end, write([entry], span.column), eol)];
    },
    replacement: ({ name }, entry) => {
      const span = itemAt(name);
      return [replaceLines(text, span, write([entry], span.column), eol)];
    },
    removal: ({ name }) => {
      const removed = removeLines(text, itemAt(name));
      // A key without a value would be null, and the list has to stay a list.
      return items.length > 1 ? [removed] : [writeEmpty(text, owner!, "[]"), removed];
    },
  };
}

/** An item's lines, and the column of its dash. */
interface Item {
  readonly start: number;
  readonly end: number;
  readonly column: number;
}

/** The lines of an item; `undefined` where anything but a dash stands before it on its first line. */
function spanOf(text: string, item: ParsedNode): Item | undefined {
  const start = lineStart(text, item.range[0]);
  const lead = /^( *)- +$/.exec(text.slice(start, item.range[0]));
  return lead ? { start, end: endOfLines(text, item), column: lead[1]!.length } : undefined;
}

function itemsOf(node: ParsedNode | null): readonly ParsedNode[] {
  return isSeq(node) ? (node.items as ParsedNode[]) : [];
}

function nameOf(item: ParsedNode, listedBy: string): string | undefined {
  if (!isMap(item)) return undefined;
  const member = membersOf(item).find(({ key }) => isScalar(key) && key.value === listedBy);
  const name = member && isScalar(member.value) ? member.value.value : undefined;
  return typeof name === "string" ? name : undefined;
}

function listsAsMap(
  { value }: YamlDocument,
  { keyPath, listedBy }: ListPlace,
  items: readonly ParsedNode[],
  refuse: Refuse,
): PlainMap {
  return replaceAt(value, keyPath, (list) => {
    if (list === null) return list;
    const field = keyPath.join(".");
    if (!Array.isArray(list)) throw refuse("NOT_A_MAP", "must be a list of entries", { field });
    const entries = list.map((item: unknown, at): [string, unknown] => {
      const name = isPlainMap(item) ? item[listedBy] : undefined;
      // What has no name is no entry, and stays all the same.
      return [typeof name === "string" ? name : `\0${at}`, item];
    });
    const names = new Set<string>();
    for (const [at, [name]] of entries.entries()) {
      const where = { field, offset: items[at]?.range[0] };
      if (names.has(name))
        throw refuse("DUPLICATE_KEY", "two entries have this name; keep one", where);
      names.add(name);
    }
    return Object.fromEntries(entries);
  }) as PlainMap;
}

/** The value with another one at a path, if something is there. */
function replaceAt(
  value: unknown,
  [key, ...rest]: readonly string[],
  replace: (value: unknown) => unknown,
): unknown {
  if (key === undefined) return replace(value);
  if (!isPlainMap(value) || !Object.hasOwn(value, key)) return value;
  return { ...value, [key]: replaceAt(value[key], rest, replace) };
}
