import { isObject, type JsonObject, METHOD_NOT_FOUND } from "./message.ts";

/** The first revision without `initialize` and sessions: version and capabilities ride in each request's `_meta`. */
export const MODERN_VERSION = "2026-07-28";
/** Modern revisions served here, newest first. */
export const MODERN_VERSIONS: readonly string[] = Object.freeze([MODERN_VERSION]);
/** Revisions that open with `initialize`, newest first. */
export const LEGACY_VERSIONS: readonly string[] = Object.freeze([
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
]);

/** The codes that revision 2026-07-28 defines; the range -32020 … -32099 is the specification's alone. */
export const HEADER_MISMATCH = -32020;
export const MISSING_CLIENT_CAPABILITY = -32021;
export const UNSUPPORTED_VERSION = -32022;

/** `_meta` keys of the modern envelope, as the specification spells them. */
export const META_KEYS = Object.freeze({
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  logLevel: "io.modelcontextprotocol/logLevel",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  subscriptionId: "io.modelcontextprotocol/subscriptionId",
});

/** What a modern client says about itself with every request. */
export interface Envelope {
  readonly protocolVersion: string;
  readonly clientCapabilities: JsonObject;
  readonly clientInfo?: JsonObject;
}

/** Header fields by lower-case name, as node:http gives them. */
export type HeaderFields = { readonly [name: string]: string | readonly string[] | undefined };

/** Revisions are dates, so they sort as text; anything else is no revision. */
export function isModernVersion(version: unknown): boolean {
  return (
    typeof version === "string" && /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= MODERN_VERSION
  );
}

/**
 * The era of one request: modern if its `_meta` holds the protocolVersion key, whatever it says, or if the
 * MCP-Protocol-Version header names a modern revision. All else is legacy, `initialize` included.
 */
export function isModernRequest(message: unknown, headers: HeaderFields = {}): boolean {
  const params = isObject(message) ? message.params : undefined;
  const meta = isObject(params) ? params._meta : undefined;
  if (isObject(meta) && META_KEYS.protocolVersion in meta) return true;
  return isModernVersion(headerValue(headers, "mcp-protocol-version"));
}

/** The field's value; undefined if it is absent or was sent as a list. */
export function headerValue(headers: HeaderFields, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}

/** The params with the envelope in `_meta`; the caller's own `_meta` keys stay. */
export function withEnvelope(params: JsonObject | undefined, envelope: Envelope): JsonObject {
  const { protocolVersion, clientInfo, clientCapabilities } = envelope;
  return {
    ...params,
    _meta: {
      ...(isObject(params?._meta) ? params._meta : {}),
      [META_KEYS.protocolVersion]: protocolVersion,
      ...(clientInfo ? { [META_KEYS.clientInfo]: clientInfo } : {}),
      [META_KEYS.clientCapabilities]: clientCapabilities,
    },
  };
}

const REQUEST_KEYS: ReadonlySet<string> = new Set([
  META_KEYS.protocolVersion,
  META_KEYS.clientInfo,
  META_KEYS.clientCapabilities,
  META_KEYS.logLevel,
]);

/** The params as a legacy server may get them: without the envelope's keys, and without a `_meta` that held nothing else. */
export function stripEnvelope(params: JsonObject | undefined): JsonObject | undefined {
  if (!isObject(params?._meta)) return params;
  const { _meta, ...rest } = params;
  const kept = Object.entries(_meta).filter(([key]) => !REQUEST_KEYS.has(key));
  return kept.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(kept) };
}

/** The envelope of a request, or the `_meta` key that is missing or has the wrong type. */
export function parseEnvelope(
  params: unknown,
): { ok: true; envelope: Envelope } | { ok: false; key: string } {
  const meta = isObject(params) && isObject(params._meta) ? params._meta : {};
  const protocolVersion = meta[META_KEYS.protocolVersion];
  const clientCapabilities = meta[META_KEYS.clientCapabilities];
  const clientInfo = meta[META_KEYS.clientInfo];
  if (typeof protocolVersion !== "string") return { ok: false, key: META_KEYS.protocolVersion };
  if (!isObject(clientCapabilities)) return { ok: false, key: META_KEYS.clientCapabilities };
  if (clientInfo === undefined) {
    return { ok: true, envelope: { protocolVersion, clientCapabilities } };
  }
  if (!isObject(clientInfo)) return { ok: false, key: META_KEYS.clientInfo };
  return { ok: true, envelope: { protocolVersion, clientCapabilities, clientInfo } };
}

/** How long, in milliseconds, and for whom a modern list or read result may be kept. */
export interface Caching {
  readonly ttlMs: number;
  readonly cacheScope: "public" | "private";
}

/** Right for everybody: nothing is kept, nothing is shared. */
export const NO_CACHING: Caching = Object.freeze({ ttlMs: 0, cacheScope: "private" });

const CACHEABLE_METHODS: ReadonlySet<string> = new Set([
  "server/discover",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
]);

/**
 * A legacy server's result as a modern client must see it: `resultType`, the caching fields where the method has them,
 * and the server's name. What the server said itself stays.
 */
export function completeResult(
  method: string,
  result: JsonObject,
  { caching = NO_CACHING, serverInfo }: { caching?: Caching; serverInfo?: JsonObject } = {},
): JsonObject {
  const complete: JsonObject = {
    resultType: "complete",
    ...(CACHEABLE_METHODS.has(method) ? caching : {}),
    ...result,
  };
  if (!serverInfo) return complete;
  const meta = isObject(result._meta) ? result._meta : {};
  return { ...complete, _meta: { [META_KEYS.serverInfo]: serverInfo, ...meta } };
}

/** What a result is; an absent `resultType` means complete, one that nobody defined is invalid (MCP 2026-07-28, basic). */
export function resultKind(result: unknown): "complete" | "input_required" | "unknown" {
  const type = isObject(result) ? (result.resultType ?? "complete") : undefined;
  return type === "complete" || type === "input_required" ? type : "unknown";
}

/**
 * How `initialize` failed. `revision` means that the answer names one that has no sessions or is not known here, `silent`
 * that there was none within the connect time.
 */
export type InitializeFailure =
  | { readonly kind: "revision"; readonly version: unknown }
  | { readonly kind: "error"; readonly code: number }
  | { readonly kind: "http"; readonly status: number; readonly body: unknown }
  | { readonly kind: "ended" }
  | { readonly kind: "silent" }
  | { readonly kind: "other" };

/** A modern server has no `initialize`, knows no legacy version, or (over HTTP) misses its headers first. */
const MODERN_REFUSALS: ReadonlySet<unknown> = new Set([
  METHOD_NOT_FOUND,
  UNSUPPORTED_VERSION,
  HEADER_MISMATCH,
]);

/**
 * Whether a failed `initialize` is worth one attempt at `server/discover`: in the same process or connection, after a
 * fresh start because the process ended, or not at all because the failure says nothing about the era.
 */
export function afterInitialize(failure: InitializeFailure): "discover" | "restart" | "fail" {
  switch (failure.kind) {
    case "ended":
      return "restart";
    case "silent":
      return "discover";
    case "revision":
      return isModernVersion(failure.version) ? "discover" : "fail";
    case "error":
      return MODERN_REFUSALS.has(failure.code) ? "discover" : "fail";
    case "http":
      return isModernRefusal(failure.status, failure.body) ? "discover" : "fail";
    case "other":
      return "fail";
  }
}

function isModernRefusal(status: number, body: unknown): boolean {
  if (status !== 400 && status !== 404) return false;
  const error = isObject(body) ? body.error : undefined;
  return isObject(error) && MODERN_REFUSALS.has(error.code);
}
