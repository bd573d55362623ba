import { countBytes, type Position, positionAt } from "@core/bounds";
import { ConfigError, fieldPath, type Path } from "./error.ts";
import { findMember, type Member } from "./node.ts";
import type { DocumentFault, DocumentLimits, DocumentReader, Refuse } from "./reader.ts";
import { DEFAULT_MAX_BYTES, decodeSource, requireSize, type SourceOptions } from "./source.ts";

/** A configuration file as plain values that know where they stood. */
export interface ConfigDocument {
  readonly file: string;
  /** Plain, deeply frozen values. Of a repeated key it holds the first; see `faults`. */
  readonly value: unknown;
  /** What is wrong with single keys; empty unless the document was read with `faults: "keep"`. */
  readonly faults: readonly DocumentFault[];
  /** Where the value at a path starts; undefined if there is none. */
  positionOf(path: Path): Position | undefined;
  /** Where the key at a path starts; of an array's item where the item does; undefined if there is none. */
  keyPositionOf(path: Path): Position | undefined;
  /** Whether the value is a number written in plain digits: `1` is, `1.0`, `1e3`, `0x1` and `"1"` are not. */
  isInteger(path: Path): boolean;
  /** The member at a path with its offsets, for a reader that sorts by them. */
  locate(path: Path): Member | undefined;
  /** The line and column of an offset in UTF-16 units. */
  positionAt(offset: number): Position;
}

export interface DocumentOptions {
  /** The name that errors begin with. */
  readonly file: string;
  readonly limits?: (Partial<DocumentLimits> & Pick<SourceOptions, "maxBytes">) | undefined;
  /**
   * Whether a fault of one key (repeated, or forbidden) refuses the document, which is the default, or is kept in
   * `faults`, where parseStrict and checkStrict report it for the part that it stands in.
   */
  readonly faults?: "refuse" | "keep" | undefined;
}

/** Bounds of a document unless its reader says otherwise; its bytes: 1 MiB. */
const DEFAULT_LIMITS: DocumentLimits = { maxDepth: 64, maxValues: 100_000, maxAliases: 100 };

/** Decodes, reads and wraps one document. Throws the first ConfigError. */
export function createDocument(
  source: string | Uint8Array,
  read: DocumentReader,
  { file, limits = {}, faults: onFault = "refuse" }: DocumentOptions,
): ConfigDocument {
  const bytes = typeof source === "string" ? countBytes(source) : source.length;
  requireSize(bytes, limits.maxBytes ?? DEFAULT_MAX_BYTES, file);
  const text = decodeSource(source, file);

  const refuse: Refuse = (code, reason, offset) => {
    throw new ConfigError(code, reason, { file, ...positionAt(text, offset) });
  };
  const { root, faults } = read(text, { ...DEFAULT_LIMITS, ...limits }, refuse);
  const [fault] = faults;
  if (fault !== undefined && onFault === "refuse") throw faultError(fault, file, text);

  const position = (offset: number | undefined) =>
    offset === undefined ? undefined : positionAt(text, offset);
  return Object.freeze({
    file,
    value: root.value,
    faults,
    positionOf: (path: Path) => position(findMember(root, path)?.node.offset),
    keyPositionOf: (path: Path) => position(findMember(root, path)?.keyOffset),
    isInteger(path: Path) {
      const node = findMember(root, path)?.node;
      return node?.kind === "scalar" && node.isInteger;
    },
    locate: (path: Path) => findMember(root, path),
    positionAt: (offset: number) => positionAt(text, offset),
  });
}

function faultError({ code, reason, path, offset }: DocumentFault, file: string, text: string) {
  return new ConfigError(code, reason, {
    file,
    field: fieldPath(path),
    ...positionAt(text, offset),
  });
}
