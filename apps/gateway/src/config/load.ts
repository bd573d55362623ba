import { ConfigError, checkStrict, fieldPath, type Path, readDocument } from "@core/config";
import { type GatewayConfig, toGatewayConfig } from "./config.ts";
import type { Places } from "./place.ts";
import { fileSchema } from "./schema.ts";

/** A configuration and where it came from. */
export interface LoadedConfig {
  readonly config: GatewayConfig;
  /** The file, or undefined for the built-in default. */
  readonly file: string | undefined;
  /** The error for a fault that a later room finds at a path of the file, such as `["server", "listen"]`. */
  fault(path: Path, reason: string): ConfigError;
}

export type Loading =
  | { readonly ok: true; readonly loaded: LoadedConfig }
  | { readonly ok: false; readonly problems: readonly ConfigError[] };

/** Reads and checks one YAML file. Throws ConfigError for a file that cannot be read at all. */
export function loadConfig(
  file: string,
  places: Pick<Places, "home" | "stateFolder" | "platform">,
): Loading {
  const document = readDocument(file, { format: "yaml", faults: "keep" });
  const checked = checkStrict(fileSchema, document);
  if (!checked.ok) return checked;
  const loaded: LoadedConfig = {
    config: toGatewayConfig(checked.value, file, places),
    file,
    fault: (path, reason) =>
      new ConfigError("INVALID_VALUE", reason, {
        file,
        field: fieldPath(path),
        ...document.positionOf(path),
      }),
  };
  return { ok: true, loaded };
}

/** What is served without a configuration file: a loopback listener with a token, and no servers. */
export function builtInConfig(places: Places): LoadedConfig {
  const { configFile, tokenFile } = places;
  const shape = fileSchema.parse({ server: { auth_token_file: tokenFile } });
  return {
    config: toGatewayConfig(shape, configFile, places),
    file: undefined,
    fault: (path, reason) => new ConfigError("INVALID_VALUE", reason, { field: fieldPath(path) }),
  };
}
