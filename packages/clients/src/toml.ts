import { type AST, ParseError, parseTOML } from "toml-eslint-parser";
import { type EntryAddress, isMap, MAX_DEPTH, type ReadDialect, type Refuse } from "./dialect.ts";
import type { TextEdit } from "./edit.ts";
import { lineEndOf, lineStart, nextLine } from "./layout.ts";
import type { EntryMap, EntryValue } from "./row.ts";
import { isTable, pathOf, readTables, type TomlPath, type TopNode } from "./toml-value.ts";

/** TOML. An entry is a table with its own header; other forms are read and not edited. */
export const readToml: ReadDialect = (text, refuse) => {
  const nodes = parseNodes(text, refuse);
  const eol = lineEndOf(text);
  const tablesOf = ({ keyPath, name }: EntryAddress) => {
    const path = [...keyPath, name];
    const tables = nodes.filter(isTable).filter((table) => isBelow(table.resolvedKey, path));
    const own = tables.find((table) => table.resolvedKey.length === path.length);
    if (own !== undefined) return { own, parts: tables.filter((table) => table !== own) };
    const reason = "is no table with a header of its own, the only form that is edited here";
    throw refuse("UNSUPPORTED_FORM", reason, { field: path.join(".") });
  };
  return {
    value: readTables(nodes, refuse),
    isBlank: nodes.length === 0,
    offsetOf: (path) => nodes.find((node) => isBelow(pathOf(node), path))?.range[0],
    insertion: (address, value, preamble) => {
      const head =
        nodes.length > 0 || preamble === undefined ? [] : [...writeMembers(preamble), ""];
      const table = [...head, ...writeTable(address, value)].join(eol);
      const bare = text.replace(/^\uFEFF/, "");
      const endsLine = bare === "" || bare.endsWith("\n");
      const lead = bare === "" ? "" : endsLine ? eol : eol + eol;
      return [{ offset: text.length, length: 0, text: lead + table + (endsLine ? eol : "") }];
    },
    replacement: (address, value) => {
      const { own, parts } = tablesOf(address);
      const [header, ...members] = writeTable(address, value);
      const body = own.body[0]?.range[0];
      const start = body ?? own.range[0];
      const written = (body === undefined ? [header, ...members] : members).join(eol);
      const edit = { offset: start, length: own.range[1] - start, text: written };
      return [edit, ...removeTables(text, parts)];
    },
    removal: (address) => {
      const { own, parts } = tablesOf(address);
      return removeTables(text, [own, ...parts]);
    },
  };
};

function parseNodes(text: string, refuse: Refuse): readonly TopNode[] {
  try {
    // The parser knows no byte order mark; a space in its place keeps every offset.
    return parseTOML(text.replace(/^\uFEFF/, " ")).body[0].body;
  } catch (error) {
    // The parser recurses: what exhausts the stack nests deeper than any configuration.
    if (error instanceof RangeError)
      throw refuse("TOO_DEEP", `is nested deeper than ${MAX_DEPTH} levels`);
    if (!(error instanceof ParseError)) throw error;
    const offset = error.index;
    if (error.message.includes("multiple times"))
      throw refuse("DUPLICATE_KEY", "this key is defined twice; keep one", { offset });
    throw refuse("SYNTAX", "is not valid TOML", { offset });
  }
}

/** Each table's lines, the blank line before it, and all comments inside it. */
function removeTables(text: string, tables: readonly AST.TOMLTable[]): TextEdit[] {
  const spans: { start: number; end: number }[] = [];
  for (const { range } of tables.toSorted((one, other) => one.range[0] - other.range[0])) {
    const header = lineStart(text, range[0]);
    const end = nextLine(text, range[1]);
    const before = header > 0 ? lineStart(text, header - 1) : header;
    const start = text.slice(before, header).trim() === "" ? before : header;
    const last = spans.at(-1);
    if (last !== undefined && start <= last.end) last.end = end;
    else spans.push({ start, end });
  }
  return spans.map(({ start, end }) => {
    // At the end of a text without a final line end, the line end before the table goes.
    const isUnended = end === text.length && !text.endsWith("\n");
    const from = isUnended ? text.slice(0, start).replace(/\r?\n$/, "").length : start;
    return { offset: from, length: end - from, text: "" };
  });
}

/** The lines of a table: its header and one for each member. */
function writeTable({ keyPath, name }: EntryAddress, value: EntryMap): string[] {
  const header = `[${[...keyPath, name].map(writeKey).join(".")}]`;
  return [header, ...writeMembers(value)];
}

function writeMembers(value: EntryMap): string[] {
  return Object.entries(value).map(([key, part]) => `${writeKey(key)} = ${writeValue(part)}`);
}

function writeValue(value: EntryValue): string {
  if (typeof value === "string") return writeString(value);
  if (typeof value !== "object") return String(value);
  if (!isMap(value)) return `[${(value as readonly EntryValue[]).map(writeValue).join(", ")}]`;
  const members = writeMembers(value);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function writeKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : writeString(key);
}

/** JSON's escapes are TOML's, but for DEL, which TOML wants escaped too. */
function writeString(text: string): string {
  return JSON.stringify(text).replaceAll("\u007F", "\\u007f");
}

function isBelow(path: TomlPath, prefix: readonly string[]): boolean {
  return prefix.every((key, index) => path[index] === key);
}
