/** What a host gives and gets. These types are published as they stand, so this file imports nothing. */

/** Where the adapter runs. Everything it reads of its surroundings comes in here. */
export interface AdapterOptions {
  /** The project folder: its `.mcp.json` and `.travis234/mcp.json` are read when the project is trusted. */
  readonly cwd: string;
  /** The user's home folder: `.config/mcp/mcp.json` and `.travis234/agent/mcp.json` are read in it. */
  readonly home: string;
  /** The environment that references are resolved in, looked at anew for each connect. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether the project pair is read; otherwise its files are counted and not opened. False unless given. */
  readonly trustProject?: boolean;
  /** Refuses servers that need the network. False unless given. */
  readonly offline?: boolean;
  /** An existing folder in which what is too long to show outlives the adapter; otherwise it ends with it. */
  readonly spillFolder?: string;
  /** Says in the notices that what is kept ends with one command. False unless given. */
  readonly oneShot?: boolean;
}

export type ContentBlock =
  | { readonly type: "text"; readonly text: string }
  /** `data` is base64. */
  | { readonly type: "image"; readonly data: string; readonly mimeType: string };

/** For the host's records, never for the model: it may hold paths of spill files. Plain JSON. */
export interface ResultDetails {
  readonly travis234Mcp: {
    readonly operation: string;
    readonly isError: boolean;
    readonly server?: string;
    readonly [key: string]: unknown;
  };
}

/** What one request comes to. At most 50 KiB and 2,000 lines of text in all. */
export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly details: ResultDetails;
  readonly isError: boolean;
}

/** The one tool as a host registers it: byte-identical whatever is configured. */
export interface ToolDefinition {
  readonly name: "mcp";
  readonly label: string;
  readonly description: string;
  /** JSON Schema of a request. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly promptGuidelines: readonly string[];
  readonly effects: readonly ["read", "write", "execute", "network"];
}

/** What an approval prompt may show of a request (A3): both values are one line and safe to print. */
export interface PolicyContext {
  /** `status list search describe call resources.list resources.read prompts.list prompts.get reconnect validation` */
  readonly operation: string;
  /** A configured name, or `unconfigured`. */
  readonly server: string;
}

/** A server that a trusted package ships, for `registerPackagedServer`. */
export interface PackagedServer {
  readonly name: string;
  /** Absolute path of the package's folder. */
  readonly root: string;
  /** Absolute path of an executable file that lies inside `root` once links are resolved. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Variables as in a configuration file: values may hold references, and those of credentials must. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Adapter extends AsyncDisposable {
  readonly tool: ToolDefinition;
  /** All configured names in code-point order, those of entries that cannot be used included. */
  readonly servers: readonly string[];
  /** Project files that are there and were not opened, because the project is not trusted. */
  readonly ignoredProjectFiles: number;
  /** What an approval prompt may show of a request. Reads and connects nothing. */
  policyContext(request: unknown): PolicyContext;
  /**
   * Performs one request. Never throws for a tool error: whatever goes wrong is a result with `isError`.
   * An aborted `signal` settles the call at once and tells the server.
   */
  execute(request: unknown, options?: { readonly signal?: AbortSignal }): Promise<ToolResult>;
}

/** Which tools a host's command line asks for beside `--mcp`. */
export interface ToolSelection {
  /** What is active when the command line names no tools. */
  readonly defaults: readonly string[];
  /** The names after `--tools`; empty for `--no-tools`, absent without either. */
  readonly tools?: readonly string[];
  /** The names after `--exclude-tools`. */
  readonly excluded?: readonly string[];
}

/**
 * The active tools under the host's `--mcp` flag (A35): `mcp` once beside those that are active anyway. It changes no
 * configuration. Throws a TypeError when `mcp` is excluded too.
 */
export function activeToolsWithMcp({
  defaults,
  tools = defaults,
  excluded = [],
}: ToolSelection): readonly string[] {
  if (excluded.includes("mcp"))
    throw new TypeError("--mcp asks for the tool that --exclude-tools excludes; keep one of them");
  return [...new Set([...tools, "mcp"])].filter((name) => !excluded.includes(name));
}
