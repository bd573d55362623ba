import {
  type Envelope,
  HEADER_MISMATCH,
  type HeaderFields,
  headerValue,
  MODERN_VERSIONS,
  parseEnvelope,
  UNSUPPORTED_VERSION,
} from "./era.ts";
import { type ErrorObject, INVALID_PARAMS, isObject, type JsonObject } from "./message.ts";

/** A modern HTTP request that must be refused: always status 400. */
export interface Refusal {
  readonly ok: false;
  readonly status: 400;
  readonly error: ErrorObject;
}

/** An argument that a tool's schema mirrors into the header `Mcp-Param-<name>`. */
export interface ParamHeader {
  readonly name: string;
  /** Property names from the arguments down to the value. */
  readonly path: readonly string[];
  readonly type: "string" | "integer" | "boolean";
}

export type ParamHeaders =
  | { readonly ok: true; readonly headers: readonly ParamHeader[] }
  | { readonly ok: false; readonly reason: string };

/** The member of `params` that the header Mcp-Name mirrors. */
const NAME_SOURCES: { readonly [method: string]: "name" | "uri" } = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

const SENTINEL = /^=\?base64\?(.*)\?=$/s;
const CANONICAL_BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const FIELD_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const PLAIN_VALUE = /^[\t\x20-\x7e]*$/;

/** Text as a header value: plain where HTTP can carry it unchanged, else `=?base64?…?=` of its UTF-8. */
export function encodeHeaderValue(text: string): string {
  const plain = PLAIN_VALUE.test(text) && !/^[ \t]|[ \t]$/.test(text) && !SENTINEL.test(text);
  return plain ? text : `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;
}

/** The text that a header value stands for; undefined for characters, base64 or UTF-8 that are not valid. */
export function decodeHeaderValue(value: string): string | undefined {
  if (!PLAIN_VALUE.test(value)) return undefined;
  const encoded = SENTINEL.exec(value)?.[1];
  if (encoded === undefined) return value;
  if (!CANONICAL_BASE64.test(encoded)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      Buffer.from(encoded, "base64"),
    );
  } catch {
    // Bytes that are not UTF-8 are a bad header, not a fault of ours.
    return undefined;
  }
}

/** The headers that a modern client must send with a message; `mirrored` are those of the called tool. */
export function requestHeaders(
  message: { readonly method: string; readonly params?: JsonObject },
  version: string,
  mirrored: readonly ParamHeader[] = [],
): Record<string, string> {
  const headers: Record<string, string> = {
    "MCP-Protocol-Version": version,
    "Mcp-Method": message.method,
  };
  const name = nameOf(message.method, message.params);
  if (name !== undefined) headers["Mcp-Name"] = encodeHeaderValue(name);
  for (const header of mirrored) {
    const text = headerText(valueAt(message.params?.arguments, header.path));
    if (text !== undefined) headers[`Mcp-Param-${header.name}`] = encodeHeaderValue(text);
  }
  return headers;
}

function nameOf(method: string, params: JsonObject | undefined): string | undefined {
  const source = Object.hasOwn(NAME_SOURCES, method) ? NAME_SOURCES[method] : undefined;
  const name = source && params?.[source];
  return typeof name === "string" ? name : undefined;
}

/**
 * Checks a modern request against its headers (MCP 2026-07-28, Server Validation). Refused, in this order: an incomplete
 * envelope (-32602), a version header that is missing or differs (-32020), a version that is not supported (-32022, with
 * `data.supported`), Mcp-Method or Mcp-Name that are missing or differ (-32020).
 */
export function checkRequestHeaders(
  message: { readonly method: string; readonly params?: JsonObject },
  headers: HeaderFields,
  supported: readonly string[] = MODERN_VERSIONS,
): { readonly ok: true; readonly envelope: Envelope } | Refusal {
  const read = parseEnvelope(message.params);
  if (!read.ok) return refuse(INVALID_PARAMS, `params._meta needs a valid "${read.key}"`);
  const version = read.envelope.protocolVersion;
  const differing = differs("MCP-Protocol-Version", headers, isText(version), asItStands);
  if (differing) return differing;
  if (!supported.includes(version)) {
    return refuse(UNSUPPORTED_VERSION, "Unsupported protocol version", {
      supported: [...supported],
      requested: version,
    });
  }
  const name = nameOf(message.method, message.params);
  return (
    differs("Mcp-Method", headers, isText(message.method), asItStands) ??
    (name === undefined ? undefined : differs("Mcp-Name", headers, isText(name))) ?? {
      ok: true,
      envelope: read.envelope,
    }
  );
}

/** Checks a tool call against the Mcp-Param-* headers that the tool's schema asks for; undefined if all is well. */
export function checkParamHeaders(
  mirrored: readonly ParamHeader[],
  args: unknown,
  headers: HeaderFields,
): Refusal | undefined {
  for (const header of mirrored) {
    const text = headerText(valueAt(args, header.path));
    if (text === undefined) continue;
    const matches = header.type === "integer" ? isSameInteger(text) : isText(text);
    const refusal = differs(`Mcp-Param-${header.name}`, headers, matches);
    if (refusal) return refusal;
  }
  return undefined;
}

type Matcher = (text: string) => boolean;
const isText =
  (expected: string): Matcher =>
  (text) =>
    text === expected;
/** The specification asks to compare integers by value: 42.0 is 42. */
const isSameInteger =
  (expected: string): Matcher =>
  (text) =>
    text === expected ||
    (/^-?\d{1,16}(?:\.0{1,16})?$/.test(text) && Number(text) === Number(expected));

/** The base64 form is for Mcp-Name and Mcp-Param-* alone; elsewhere what a proxy sees must be what we read. */
const asItStands = (value: string): string | undefined => value;

/** The message names the header alone: values of headers and arguments belong in no error. */
function differs(
  name: string,
  headers: HeaderFields,
  matches: Matcher,
  decode = decodeHeaderValue,
): Refusal | undefined {
  const value = headerValue(headers, name.toLowerCase());
  if (value === undefined) return refuse(HEADER_MISMATCH, `Header mismatch: ${name} is missing`);
  const text = decode(value);
  if (text === undefined) return refuse(HEADER_MISMATCH, `Header mismatch: ${name} is malformed`);
  if (matches(text)) return undefined;
  return refuse(HEADER_MISMATCH, `Header mismatch: ${name} differs from the body`);
}

function refuse(code: number, message: string, data?: unknown): Refusal {
  const error = data === undefined ? { code, message } : { code, message, data };
  return { ok: false, status: 400, error };
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const key of path) {
    value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

/** Null, absent, objects, lists and integers that JavaScript cannot hold have no header. */
function headerText(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
      return value;
    case "boolean":
      return String(value);
    case "number":
      return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
    default:
      return undefined;
  }
}

const ANNOTATION = "x-mcp-header";

/**
 * The `x-mcp-header` annotations of a tool's input schema. One that breaks a rule (a field name, unique without case, on
 * a string, integer or boolean, reached by `properties` alone) makes the tool's definition invalid for HTTP clients.
 */
export function readParamHeaders(inputSchema: unknown): ParamHeaders {
  const headers: ParamHeader[] = [];
  const names = new Set<string>();
  const found: { schema: unknown; path: readonly string[]; reachable: boolean }[] = [
    { schema: inputSchema, path: [], reachable: true },
  ];
  // The list grows while it is walked: schemas nest too deep for recursion.
  for (const { schema, path, reachable } of found) {
    if (Array.isArray(schema)) {
      for (const part of schema) found.push({ schema: part, path, reachable: false });
    }
    if (!isObject(schema)) continue;
    if (Object.hasOwn(schema, ANNOTATION)) {
      const read = readAnnotation(schema, path, reachable && path.length > 0);
      if (!read.ok) return read;
      if (names.has(read.header.name.toLowerCase())) {
        return { ok: false, reason: `two arguments share the header ${read.header.name}` };
      }
      names.add(read.header.name.toLowerCase());
      headers.push(read.header);
    }
    for (const inner of subschemas(schema, path, reachable)) found.push(inner);
  }
  return { ok: true, headers };
}

/** Values, not schemas: an annotation in an example or a default annotates nothing. */
const INSTANCE_KEYWORDS: ReadonlySet<string> = new Set([
  "const",
  "default",
  "enum",
  "examples",
  "example",
]);
/** Keywords whose members are named by the schema's author, and are no keywords themselves. */
const NAMED_SUBSCHEMAS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);

function subschemas(schema: JsonObject, path: readonly string[], reachable: boolean) {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (INSTANCE_KEYWORDS.has(keyword) || keyword === ANNOTATION) return [];
    if (!NAMED_SUBSCHEMAS.has(keyword) || !isObject(value)) {
      return [{ schema: value, path, reachable: false }];
    }
    return Object.entries(value).map(([name, child]) => ({
      schema: child,
      path: [...path, name],
      reachable: reachable && keyword === "properties",
    }));
  });
}

function readAnnotation(
  schema: JsonObject,
  path: readonly string[],
  reachable: boolean,
): { ok: true; header: ParamHeader } | { ok: false; reason: string } {
  const { [ANNOTATION]: name, type } = schema;
  const refuseAnnotation = (rule: string) => ({
    ok: false as const,
    reason: `x-mcp-header ${rule}`,
  });
  if (!reachable)
    return refuseAnnotation("stands where only properties of the arguments may have it");
  if (typeof name !== "string" || !FIELD_NAME.test(name)) {
    return refuseAnnotation("must be a header field name");
  }
  if (type !== "string" && type !== "integer" && type !== "boolean") {
    return refuseAnnotation("needs an argument of type string, integer or boolean");
  }
  return { ok: true, header: { name, path, type } };
}
