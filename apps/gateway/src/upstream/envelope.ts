import { META_KEYS, MODERN_VERSION, readEnvelope, rewriteEnvelope } from "@core/wire";

/** What a modern client says of itself with every request, and a server with sessions has never heard of. */
const REQUEST_KEYS: ReadonlySet<string> = new Set([
  META_KEYS.protocolVersion,
  META_KEYS.clientInfo,
  META_KEYS.clientCapabilities,
  META_KEYS.logLevel,
]);

/** The request without what its client says of itself. */
export function withoutEnvelope(request: Buffer): Buffer {
  const message = readEnvelope(request);
  if (message.kind !== "request") return request;
  return rewriteEnvelope(request, message, {
    meta: { remove: (key) => REQUEST_KEYS.has(key) },
  });
}

/**
 * Makes what writes the gateway's own words in their place, for a modern server. `declared` is what the server may ask for
 * by its answer, as JSON text; nothing, unless a client said so.
 */
export function createWithEnvelope(
  clientInfo: object,
): (request: Buffer, declared?: string) => Buffer {
  const set = {
    [META_KEYS.protocolVersion]: JSON.stringify(MODERN_VERSION),
    [META_KEYS.clientInfo]: JSON.stringify(clientInfo),
  };
  return (request, declared = "{}") => {
    const message = readEnvelope(request);
    if (message.kind !== "request") return request;
    const meta = { set: { ...set, [META_KEYS.clientCapabilities]: declared } };
    return rewriteEnvelope(request, message, { meta });
  };
}
