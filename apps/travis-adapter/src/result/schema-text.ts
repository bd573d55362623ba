import { countBytes, countLines } from "@core/bounds";
import { isObject } from "@core/wire";

/** A JSON Schema as text, whole or as its shape. */
export interface SchemaText {
  readonly text: string;
  /** Paths of the parts that the shape leaves out; empty for a whole schema. */
  readonly elided: readonly string[];
}

/** UTF-8 bytes and lines. */
export interface Room {
  readonly maxBytes: number;
  readonly maxLines: number;
}

const MAX_SHAPE_DEPTH = 12;
const INDENT = 2;

/** Pretty-printed with sorted keys, so that it is the same for the same schema. */
export function wholeSchema(schema: unknown): string {
  return JSON.stringify(sorted(schema), undefined, INDENT);
}

/**
 * The schema in the room that there is: whole if it fits, and otherwise the deepest cut that does, in which each object or
 * array below a depth is replaced by the words "left out" (A15).
 */
export function fitSchema(schema: unknown, room: Room): SchemaText {
  const fits = (text: string) =>
    countBytes(text) <= room.maxBytes && countLines(text) <= room.maxLines;
  const text = wholeSchema(schema);
  if (fits(text)) return { text, elided: [] };
  for (let depth = MAX_SHAPE_DEPTH; depth >= 1; depth--) {
    const elided: string[] = [];
    const shape = JSON.stringify(cutBelow(sorted(schema), depth, "", elided), undefined, INDENT);
    if (elided.length > 0 && fits(shape)) return { text: shape, elided };
  }
  return { text: '"left out"', elided: ["the whole schema"] };
}

function cutBelow(value: unknown, depth: number, path: string, elided: string[]): unknown {
  if (!isContainer(value)) return value;
  if (depth === 0) {
    elided.push(path);
    return "left out";
  }
  if (Array.isArray(value))
    return value.map((item, index) => cutBelow(item, depth - 1, `${path}/${index}`, elided));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      cutBelow(item, depth - 1, `${path}/${key}`, elided),
    ]),
  );
}

/** Schemas of one level are small and say most: an empty container is no part that could be left out. */
function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}
