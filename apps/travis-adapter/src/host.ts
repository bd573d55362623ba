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

export interface Adapter extends AsyncDisposable {
  readonly tool: ToolDefinition;
  /**
   * Performs one request. Never throws for a tool error: whatever goes wrong is a result with `isError`.
   * An aborted `signal` settles the call at once and tells the server.
   */
  execute(request: unknown, options?: { readonly signal?: AbortSignal }): Promise<ToolResult>;
}
