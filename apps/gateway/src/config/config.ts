import type { Address } from "./address.ts";
import { type Places, pathsOf, resolvePath } from "./place.ts";
import type { ConfigFile } from "./schema.ts";
import { socketOf } from "./socket.ts";

/** One stdio server behind the gateway. */
export interface ServerConfig {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly envFiles: readonly string[];
  /** Undefined for the folder in which the gateway was started, and where it is the session's. */
  readonly workingDir: string | undefined;
  /** Whether each process works in the folder of its session's `?cwd=`. */
  readonly worksInSession: boolean;
  readonly isolation: "shared" | "session";
  /** Whether the server may ask for its session's folder as its root. */
  readonly tellsRoots: boolean;
  readonly maxChildren: number;
  readonly timeoutMs: number;
  readonly initTimeoutMs: number;
  readonly namePrefix: string | undefined;
  readonly allow: readonly AllowRule[];
  readonly deny: readonly DenyRule[];
  readonly maxOutput: OutputLimits;
}

/** How much of an answer reaches a client; 0 is no limit. */
export interface OutputLimits {
  readonly bytes: number;
  readonly lines: number;
}

/** What a rule names: a tool by its own name; a resource or a prompt exactly, or all that begin with what precedes a `*`. */
export type DenyRule = { readonly [K in "tool" | "resource" | "prompt"]?: string | undefined };

export interface AllowRule extends DenyRule {
  /** A JSON Schema for each ruled argument. */
  readonly args?: Readonly<Record<string, ArgumentSchema>> | undefined;
  /** Whether arguments without a rule are refused. */
  readonly only?: boolean | undefined;
  /** Whether the tool is hidden once its definition is not what it was. */
  readonly pin?: boolean | undefined;
}

export type ArgumentSchema = boolean | Readonly<Record<string, unknown>>;

interface AuditConfig {
  readonly file: string;
  readonly maxBytes: number;
  /** Older files that are kept beside the one that is written to. */
  readonly keep: number;
}

/** The gateway's configuration with every default filled in and every path absolute. */
export interface GatewayConfig {
  readonly server: {
    /** Empty where only the socket is served. */
    readonly listen: readonly Address[];
    /** The socket's path, or a named pipe of Windows; undefined where only TCP is served. */
    readonly socket: string | undefined;
    readonly tokenFile: string | undefined;
    readonly insecureNoAuth: boolean;
    readonly allowedHosts: readonly string[];
    readonly allowedOrigins: readonly string[];
    readonly maxBodyBytes: number;
    readonly maxConnections: number;
  };
  readonly mcp: {
    readonly cwdRoots: readonly string[];
    readonly maxSessions: number;
    readonly idleTimeoutMs: number;
    readonly listWaitMs: number;
    readonly maxMessageBytes: number;
    readonly maxOutput: OutputLimits;
  };
  readonly servers: readonly ServerConfig[];
  readonly audit: AuditConfig | undefined;
  readonly log: ConfigFile["log"];
}

/** Where `working_dir` and `roots` are those of each session. */
const SESSION = "session";

/** Turns the file's shape into the gateway's; relative paths start at the file's folder. */
export function toGatewayConfig(
  file: ConfigFile,
  path: string,
  places: Pick<Places, "home" | "stateFolder" | "platform">,
): GatewayConfig {
  const folder = pathsOf(places.platform).dirname(path);
  const absolute = (value: string) => resolvePath(value, folder, places);
  const { server, mcp, mcp_servers, audit, log } = file;
  return {
    server: {
      listen: server.transport.includes("sse") ? server.listen : [],
      socket: server.transport.includes("unix")
        ? socketOf(server.socket && absolute(server.socket), path, places)
        : undefined,
      tokenFile: server.auth_token_file && absolute(server.auth_token_file),
      insecureNoAuth: server.insecure_no_auth,
      allowedHosts: server.allowed_hosts,
      allowedOrigins: server.allowed_origins,
      maxBodyBytes: server.max_body,
      maxConnections: server.max_connections,
    },
    mcp: {
      cwdRoots: mcp.allowed_cwd_roots.map(absolute),
      maxSessions: mcp.max_sessions,
      idleTimeoutMs: mcp.idle_timeout,
      listWaitMs: mcp.list_wait,
      maxMessageBytes: mcp.max_message,
      maxOutput: mcp.max_output,
    },
    servers: Object.entries(mcp_servers).map(([name, entry]) => ({
      name,
      // A bare name is looked for on the PATH.
      command: /^~|[/\\]/.test(entry.command) ? absolute(entry.command) : entry.command,
      args: entry.args,
      env: entry.env,
      envFiles: entry.env_files.map(absolute),
      workingDir:
        entry.working_dir === undefined || entry.working_dir === SESSION
          ? undefined
          : absolute(entry.working_dir),
      worksInSession: entry.working_dir === SESSION,
      isolation: entry.isolation,
      tellsRoots: entry.roots === SESSION,
      maxChildren: entry.max_children,
      timeoutMs: entry.timeout,
      initTimeoutMs: entry.init_timeout,
      namePrefix: entry.name_prefix,
      allow: entry.allow.map((rule) => (entry.pin && rule.tool ? { ...rule, pin: true } : rule)),
      deny: entry.deny,
      maxOutput: {
        bytes: entry.max_output?.bytes ?? mcp.max_output.bytes,
        lines: entry.max_output?.lines ?? mcp.max_output.lines,
      },
    })),
    audit: audit && {
      file: absolute(audit.file),
      maxBytes: audit.max_size,
      keep: audit.keep,
    },
    log,
  };
}
