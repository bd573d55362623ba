import type { ConfigErrorCode, Path } from "./error.ts";
import type { DocumentNode } from "./node.ts";

/** What a format's reader makes of a text: the tree, and what is wrong with single keys in it. */
interface DocumentTree {
  readonly root: DocumentNode;
  readonly faults: readonly DocumentFault[];
}

/** One key that is wrong whatever the schema says. A reader of parts may judge it by the part it stands in. */
export interface DocumentFault {
  readonly code: ConfigErrorCode;
  readonly reason: string;
  readonly path: Path;
  /** Where the key starts, in UTF-16 units of the text. */
  readonly offset: number;
}

export interface DocumentLimits {
  /** Objects and arrays inside each other. */
  readonly maxDepth: number;
  /** Values of every kind, with every alias counted as if it were written out. */
  readonly maxValues: number;
  /** Aliases of a YAML document. */
  readonly maxAliases: number;
}

/** Ends the reading with a ConfigError at an offset, in UTF-16 units of the text. */
export type Refuse = (code: ConfigErrorCode, reason: string, offset: number) => never;

/** One format. Pure: text in, tree out. */
export type DocumentReader = (text: string, limits: DocumentLimits, refuse: Refuse) => DocumentTree;

/**
 * What is wrong with the key at the end of a path, by itself or because it `isRepeated`. `__proto__` is refused because
 * sooner or later somebody would assign it and change a prototype.
 */
export function keyFault(
  path: Path,
  offset: number,
  isRepeated: boolean,
): DocumentFault | undefined {
  if (path.at(-1) === "__proto__")
    return { code: "FORBIDDEN_KEY", reason: "this key is not allowed", path, offset };
  if (isRepeated)
    return { code: "DUPLICATE_KEY", reason: "this key stands twice; keep one", path, offset };
  return undefined;
}
