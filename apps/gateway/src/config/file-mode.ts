import { statSync } from "node:fs";
import { ConfigError, isCredentialKey } from "@core/config";
import type { GatewayConfig } from "./config.ts";

/** What others may do with the configuration file. */
export interface FileMode {
  /** Why it must not be used: whoever can write it chooses the commands that run as its owner. */
  readonly faults: readonly ConfigError[];
  /** What is worth a word all the same. */
  readonly warnings: readonly string[];
}

const FINE: FileMode = Object.freeze({ faults: [], warnings: [] });
const WRITABLE_BY_ALL = 0o002;
const READABLE_BY_OTHERS = 0o044;

/** Looks at the mode of the file; without one, and where the system knows no modes, there is nothing to say. */
export function lookAtMode(
  file: string | undefined,
  { servers }: Pick<GatewayConfig, "servers">,
  platform: NodeJS.Platform = process.platform,
): FileMode {
  if (file === undefined || platform === "win32") return FINE;
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & WRITABLE_BY_ALL) !== 0) {
    const reason = "can be written by everyone on this machine; run chmod 600 on it";
    return { ...FINE, faults: [new ConfigError("OPEN_MODE", reason, { file })] };
  }
  const holder = servers.find(({ env }) => Object.keys(env).some(isCredentialKey));
  if ((mode & READABLE_BY_OTHERS) === 0 || holder === undefined) return FINE;
  const warning = `${file} holds a credential of server ${holder.name}, and others can read it: run chmod 600 ${file}, or move it into an env file`;
  return { ...FINE, warnings: [warning] };
}
