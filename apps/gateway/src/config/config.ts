import { dirname } from "node:path";
import type { Address } from "./address.ts";
import { resolvePath } from "./place.ts";
import type { ConfigFile } from "./schema.ts";

/** One stdio server behind the gateway. */
export interface ServerConfig {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly envFiles: readonly string[];
  readonly workingDir: string | undefined;
  readonly timeoutMs: number;
  readonly initTimeoutMs: number;
  readonly namePrefix: string | undefined;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

/** The gateway's configuration with every default filled in and every path absolute. */
export interface GatewayConfig {
  readonly server: {
    readonly listen: readonly Address[];
    readonly tokenFile: string | undefined;
    readonly insecureNoAuth: boolean;
    readonly allowedHosts: readonly string[];
    readonly allowedOrigins: readonly string[];
    readonly maxBodyBytes: number;
    readonly maxConnections: number;
  };
  readonly mcp: {
    readonly maxSessions: number;
    readonly idleTimeoutMs: number;
    readonly listWaitMs: number;
    readonly maxMessageBytes: number;
  };
  readonly servers: readonly ServerConfig[];
  readonly log: ConfigFile["log"];
}

/** Turns the file's shape into the gateway's; relative paths start at the file's folder. */
export function toGatewayConfig(file: ConfigFile, path: string, home: string): GatewayConfig {
  const absolute = (value: string) => resolvePath(value, dirname(path), home);
  const { server, mcp, mcp_servers, log } = file;
  return {
    server: {
      listen: server.listen,
      tokenFile: server.auth_token_file && absolute(server.auth_token_file),
      insecureNoAuth: server.insecure_no_auth,
      allowedHosts: server.allowed_hosts,
      allowedOrigins: server.allowed_origins,
      maxBodyBytes: server.max_body,
      maxConnections: server.max_connections,
    },
    mcp: {
      maxSessions: mcp.max_sessions,
      idleTimeoutMs: mcp.idle_timeout,
      listWaitMs: mcp.list_wait,
      maxMessageBytes: mcp.max_message,
    },
    servers: Object.entries(mcp_servers).map(([name, entry]) => ({
      name,
      // A bare name is looked for on the PATH.
      command: /^~|[/\\]/.test(entry.command) ? absolute(entry.command) : entry.command,
      args: entry.args,
      env: entry.env,
      envFiles: entry.env_files.map(absolute),
      workingDir: entry.working_dir && absolute(entry.working_dir),
      timeoutMs: entry.timeout,
      initTimeoutMs: entry.init_timeout,
      namePrefix: entry.name_prefix,
      allow: entry.allow.map(({ tool }) => tool),
      deny: entry.deny.map(({ tool }) => tool),
    })),
    log,
  };
}
