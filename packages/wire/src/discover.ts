import { type Caching, completeResult, META_KEYS, MODERN_VERSIONS, NO_CACHING } from "./era.ts";
import { isObject, type JsonObject } from "./message.ts";

/** The answer to `server/discover`, which every modern server must give. */
export function discoverResult({
  serverInfo,
  capabilities,
  instructions,
  supportedVersions = MODERN_VERSIONS,
  caching = NO_CACHING,
}: {
  serverInfo: JsonObject;
  capabilities: JsonObject;
  instructions?: string | undefined;
  supportedVersions?: readonly string[];
  caching?: Caching;
}): JsonObject {
  const result: JsonObject = {
    supportedVersions: [...supportedVersions],
    capabilities,
    ...(instructions ? { instructions } : {}),
  };
  return completeResult("server/discover", result, { caching, serverInfo });
}

/** What a server said of itself; `version` is the revision to speak with it. */
export interface Discovered {
  readonly version: string;
  readonly supportedVersions: readonly string[];
  readonly capabilities: JsonObject;
  readonly serverInfo?: JsonObject;
  readonly instructions?: string;
}

/**
 * Reads an answer to `server/discover`. `ours` are the modern revisions that this side speaks, best first; the first one
 * that the server has too is chosen.
 */
export function parseDiscover(
  result: unknown,
  ours: readonly string[] = MODERN_VERSIONS,
): { ok: true; discovered: Discovered } | { ok: false; reason: string } {
  if (!isObject(result)) return { ok: false, reason: "the result is not an object" };
  const { supportedVersions, capabilities, instructions } = result;
  if (!isTextList(supportedVersions)) {
    return { ok: false, reason: "supportedVersions is not a list of texts" };
  }
  if (!isObject(capabilities)) return { ok: false, reason: "capabilities is not an object" };
  const version = ours.find((candidate) => supportedVersions.includes(candidate));
  if (version === undefined) {
    return { ok: false, reason: `the server speaks none of ${ours.join(", ")}` };
  }
  const serverInfo = isObject(result._meta) ? result._meta[META_KEYS.serverInfo] : undefined;
  return {
    ok: true,
    discovered: {
      version,
      supportedVersions,
      capabilities,
      ...(isObject(serverInfo) ? { serverInfo } : {}),
      ...(typeof instructions === "string" ? { instructions } : {}),
    },
  };
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}
