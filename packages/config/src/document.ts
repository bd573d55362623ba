import { type ConfigDocument, createDocument, type DocumentOptions } from "./config-document.ts";
import { readJson } from "./json.ts";
import { readBytes } from "./source.ts";
import { readYaml } from "./yaml.ts";

export type DocumentFormat = "json" | "yaml";

const READERS = { json: readJson, yaml: readYaml } as const;

/**
 * A text, or its UTF-8 bytes, as plain values with positions (C1). Bounded by `limits`: 1 MiB, 64 levels, 100,000
 * values, 100 aliases. Throws ConfigError.
 */
export function parseDocument(
  source: string | Uint8Array,
  { format, ...options }: DocumentOptions & { readonly format: DocumentFormat },
): ConfigDocument {
  return createDocument(source, READERS[format], options);
}

/** The same for a regular file, links followed; a FIFO or device is refused without waiting for it. */
export function readDocument(
  path: string,
  options: Omit<DocumentOptions, "file"> & { readonly format: DocumentFormat },
): ConfigDocument {
  return parseDocument(readBytes(path, options.limits), { ...options, file: path });
}
