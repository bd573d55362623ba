import type { ConfigError } from "@core/config";
import type { GatewayConfig } from "../config/config.ts";
import { type Finding, fault } from "./finding.ts";

/** A fault of the configuration, or of a file that it names, with what to do about it. */
export function findingOf(error: ConfigError, config: GatewayConfig | undefined): Finding {
  const { code, file, line, column, field = "", reason } = error;
  const position = line === undefined ? "" : `:${line}:${column ?? 1}`;
  const subject = [`${file ?? ""}${position}`, field].filter((part) => part !== "").join(" ");
  const id = kindOf(error, config);
  const isOpen = code === "OPEN_MODE";
  const remedies: Readonly<Record<string, string>> = {
    token: code === "NOT_FOUND" ? "wraptool token new" : "wraptool token new --force",
    "env-file": "Repair the file: one NAME=value a line, readable for you alone",
    bind: "Set server.auth_token_file, and run wraptool token new",
    command: "Install it, or name its absolute path",
    config: "Correct it, then run wraptool serve --check",
  };
  return fault({ id, subject }, reason, isOpen ? `chmod 600 ${file}` : (remedies[id] ?? ""));
}

function kindOf({ file, field = "" }: ConfigError, config: GatewayConfig | undefined): string {
  if (file !== undefined && file === config?.server.tokenFile) return "token";
  const isEnvFile = config?.servers.some(({ envFiles }) => envFiles.some((one) => one === file));
  if (isEnvFile) return "env-file";
  if (field === "server.listen") return "bind";
  return /^mcp_servers\..*\.command$/.test(field) ? "command" : "config";
}
