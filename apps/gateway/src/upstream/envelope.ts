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

/** What the client behind a request can be asked for, and from which level it wants to hear log messages. */
export interface Declared {
  /** Members of `clientCapabilities`, each as its JSON text with its key. */
  readonly capabilities: readonly string[];
  /** As JSON text; undefined for none at all. */
  readonly logLevel: string | undefined;
}

const NOTHING: Declared = { capabilities: [], logLevel: undefined };

/**
 * Makes what writes the gateway's own words in their place, for a modern server. It may ask for what the client behind the
 * request has declared, and for roots where the gateway tells them.
 */
export function createWithEnvelope(
  clientInfo: object,
  { tellsRoots = false } = {},
): (request: Buffer, declared?: Declared) => Buffer {
  const who = {
    [META_KEYS.protocolVersion]: JSON.stringify(MODERN_VERSION),
    [META_KEYS.clientInfo]: JSON.stringify(clientInfo),
  };
  const own = tellsRoots ? ['"roots":{}'] : [];
  return (request, { capabilities, logLevel } = NOTHING) => {
    const message = readEnvelope(request);
    if (message.kind !== "request") return request;
    const set = {
      ...who,
      [META_KEYS.clientCapabilities]: `{${[...own, ...capabilities].join()}}`,
      ...(logLevel !== undefined && { [META_KEYS.logLevel]: logLevel }),
    };
    return rewriteEnvelope(request, message, { meta: { set } });
  };
}
