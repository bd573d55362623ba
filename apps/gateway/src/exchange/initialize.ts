import { LEGACY_VERSIONS } from "@core/wire";

export interface Identity {
  readonly name: string;
  readonly version: string;
}

const LATEST = LEGACY_VERSIONS[0] as string;

/** The revision for a session: the client's if the gateway speaks it, else the gateway's latest with a session. */
export function negotiateVersion(requested: unknown): string {
  return LEGACY_VERSIONS.find((version) => version === requested) ?? LATEST;
}

/** The result of `initialize`, as JSON text. */
export function initializeResult(
  protocolVersion: string,
  capabilities: object,
  serverInfo: Identity,
): string {
  return JSON.stringify({ protocolVersion, capabilities, serverInfo });
}
