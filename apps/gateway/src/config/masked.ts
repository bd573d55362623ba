import { isCredentialKey } from "@core/config";
import { formatAddress } from "./address.ts";
import type { GatewayConfig, ServerConfig } from "./config.ts";

/** What stands in the place of a secret value. */
const MASK = "[secret]";

/** The configuration as it is in effect, in the file's own form, without the values of credential-named variables. */
export function maskConfig({ server, mcp, servers, audit, log }: GatewayConfig): object {
  return {
    server: {
      transport: [...(server.listen.length > 0 ? ["sse"] : []), ...(server.socket ? ["unix"] : [])],
      ...(server.listen.length > 0 && { listen: server.listen.map(formatAddress) }),
      ...(server.socket && { socket: server.socket }),
      ...(server.tokenFile && { auth_token_file: server.tokenFile }),
      insecure_no_auth: server.insecureNoAuth,
      allowed_hosts: server.allowedHosts,
      allowed_origins: server.allowedOrigins,
      max_body: server.maxBodyBytes,
      max_connections: server.maxConnections,
    },
    mcp: {
      allowed_cwd_roots: mcp.cwdRoots,
      max_sessions: mcp.maxSessions,
      idle_timeout: formatDuration(mcp.idleTimeoutMs),
      list_wait: formatDuration(mcp.listWaitMs),
      max_message: mcp.maxMessageBytes,
      max_output: mcp.maxOutput,
    },
    mcp_servers: Object.fromEntries(servers.map((entry) => [entry.name, maskServer(entry)])),
    ...(audit && {
      audit: { file: audit.file, max_size: audit.maxBytes, keep: audit.keep },
    }),
    log,
  };
}

function maskServer(entry: ServerConfig): object {
  const env = Object.entries(entry.env).map(([name, value]) => [
    name,
    isCredentialKey(name) ? MASK : value,
  ]);
  return {
    command: entry.command,
    args: entry.args,
    env: Object.fromEntries(env),
    env_files: entry.envFiles,
    ...(entry.workingDir && { working_dir: entry.workingDir }),
    ...(entry.worksInSession && { working_dir: "session" }),
    isolation: entry.isolation,
    roots: entry.tellsRoots ? "session" : "none",
    max_children: entry.maxChildren,
    timeout: formatDuration(entry.timeoutMs),
    init_timeout: formatDuration(entry.initTimeoutMs),
    ...(entry.namePrefix && { name_prefix: entry.namePrefix }),
    allow: entry.allow,
    deny: entry.deny,
    max_output: entry.maxOutput,
  };
}

/** The shortest form with one unit that says the same. */
function formatDuration(ms: number): string {
  const units = [
    ["h", 3_600_000],
    ["m", 60_000],
    ["s", 1_000],
  ] as const;
  const unit = units.find(([, length]) => ms % length === 0);
  return unit === undefined ? `${ms}ms` : `${ms / unit[1]}${unit[0]}`;
}
