import {
  isObject,
  type JsonObject,
  LEGACY_VERSIONS,
  MODERN_VERSION,
  parseDiscover,
} from "@core/wire";
import { AdapterError, quote } from "../errors.ts";
import type { Line } from "./line.ts";

/** Legacy opens with `initialize`, modern with nothing but a question (MCP 2026-07-28). */
export type Era = "legacy" | "modern";

/** How a server speaks and what it offers. */
export interface Agreement {
  readonly era: Era;
  readonly capabilities: JsonObject;
}

/** `initialize` was answered with a revision that has no such request, or that is not known here. */
export class RevisionError extends AdapterError {
  readonly version: unknown;

  constructor(version: unknown) {
    super(
      "CONNECT_FAILED",
      `The server answered initialize with revision ${quote(String(version))}, which has none or is not known here`,
    );
    this.version = version;
  }
}

/** The legacy handshake. Sampling, elicitation and roots are not declared. */
export async function initialize(
  line: Line,
  clientInfo: JsonObject,
  signal: AbortSignal,
): Promise<Agreement> {
  const params = { protocolVersion: LEGACY_VERSIONS[0], capabilities: {}, clientInfo };
  const { protocolVersion, capabilities } = await line.request("initialize", params, { signal });
  if (typeof protocolVersion !== "string" || !LEGACY_VERSIONS.includes(protocolVersion))
    throw new RevisionError(protocolVersion);
  line.speak(protocolVersion);
  await line.notify("notifications/initialized");
  return { era: "legacy", capabilities: isObject(capabilities) ? capabilities : {} };
}

/** The one question by which a modern server is known. */
export async function discover(line: Line, signal: AbortSignal): Promise<Agreement> {
  line.speak(MODERN_VERSION);
  const read = parseDiscover(await line.request("server/discover", {}, { signal }));
  if (!read.ok)
    throw new AdapterError(
      "CONNECT_FAILED",
      `The server's answer to server/discover cannot be used: ${read.reason}`,
    );
  return { era: "modern", capabilities: read.discovered.capabilities };
}
