import { type ConfigDocument, createDocument, type DocumentOptions } from "./config-document.ts";
import { readJson } from "./json.ts";
import { readBytes } from "./source.ts";

/** Like parseDocument for JSON alone. A program that reads no YAML imports this one and bundles no YAML parser. */
export function parseJsonDocument(
  source: string | Uint8Array,
  options: DocumentOptions,
): ConfigDocument {
  return createDocument(source, readJson, options);
}

/** Like readDocument for JSON alone. */
export function readJsonDocument(
  path: string,
  options: Omit<DocumentOptions, "file"> = {},
): ConfigDocument {
  return parseJsonDocument(readBytes(path, options.limits), { ...options, file: path });
}
