/** How a client writes its file. `json` is strict; `jsonc` may hold comments and trailing commas. */
export type ClientFormat = "json" | "jsonc" | "toml" | "yaml";

/** The clients that the table knows. */
export type ClientId =
  | "antigravity"
  | "claude"
  | "codex"
  | "cursor"
  | "gemini"
  | "kimi"
  | "opencode"
  | "pi"
  | "roo";

/** A value of an entry: what all four formats can write. */
export type EntryValue =
  | string
  | number
  | boolean
  | readonly EntryValue[]
  | { readonly [key: string]: EntryValue };

/** A map of an entry's members, in the order in which they are written. */
export type EntryMap = { readonly [key: string]: EntryValue };

/**
 * A path as the table writes it: below `~` (home), below `%NAME%` (a folder that Windows names in the environment),
 * or relative to the project's folder; with `/` on every platform.
 */
export type TablePath =
  | string
  | { readonly linux: string; readonly darwin: string; readonly win32: string };

/** One place where a client's file may be. */
export interface FileCandidate {
  readonly path: TablePath;
  /** The client reads this place if the marker exists. The last candidate of a list has none. */
  readonly marker?: TablePath;
  /** Why the marker decides: a sentence that a message can end with. */
  readonly because?: string;
}

/** Where a client's file of one scope is. */
export interface ClientFile {
  /** In order: the first whose marker exists is used, else the one without a marker. */
  readonly candidates: readonly [FileCandidate, ...FileCandidate[]];
  /** The place that the client's own documentation names today, which is where a fragment belongs. */
  readonly documented: TablePath;
}

/**
 * What an entry looks like: its members in order, with slots for what differs. `<name>`, `<url>`, `<headers>` (left out
 * without a token), `<command>` and `<args>` stand for a value; `<argv>` for command and arguments in one list.
 */
export type EntryShape = EntryMap;

/**
 * How a client takes the token from its environment: as a text, where the variable between `before` and `after` stands
 * for the token in the header; or as members with a slot `<variable>`, which stand in the entry for the headers.
 */
export type TokenReference =
  | { readonly kind: "text"; readonly before: string; readonly after: string }
  | { readonly kind: "members"; readonly members: EntryShape };

/** One MCP client: where its files are, how an entry looks and what its user must know. */
export interface ClientRow {
  readonly id: ClientId;
  readonly title: string;
  readonly format: ClientFormat;
  /** The keys from the root to the map of servers. */
  readonly keyPath: readonly [string, ...string[]];
  readonly project?: ClientFile;
  readonly global?: ClientFile;
  /** The environment variable that puts another folder in the place of `folder`. */
  readonly moved?: { readonly variable: string; readonly folder: string };
  /** A server at a URL that speaks Streamable HTTP. */
  readonly http: EntryShape;
  /** A server at a URL that speaks legacy SSE; absent where the client does not. */
  readonly sse?: EntryShape;
  readonly stdio: EntryShape;
  /** Absent where the client has no way to take the token from its environment. */
  readonly reference?: TokenReference;
  /** What must be known before the entry is of use. */
  readonly notes: readonly string[];
  /** What to do after the entry is in the file. */
  readonly next: { readonly project?: string; readonly global?: string };
}

const COMMAND = { command: "<command>", args: "<args>" };
const REMOTE = { url: "<url>", headers: "<headers>" };

const only = (path: TablePath): ClientFile => ({ candidates: [{ path }], documented: path });

const text = (before: string, after: string): TokenReference => ({ kind: "text", before, after });

/**
 * The MCP clients, by id. The files are those of the seeds' tables; where a newer version of a client reads another
 * place, that place is a candidate with a marker. A new client is one row here and one pair of fixture files.
 */
export const clients: readonly ClientRow[] = deepFreeze([
  {
    id: "antigravity",
    title: "Antigravity",
    format: "jsonc",
    keyPath: ["mcpServers"],
    project: only(".agents/mcp_config.json"),
    global: {
      candidates: [
        {
          path: "~/.gemini/config/mcp_config.json",
          marker: "~/.gemini/config",
          because: "Antigravity 2 keeps its files there",
        },
        { path: "~/.gemini/antigravity-cli/mcp_config.json" },
      ],
      documented: "~/.gemini/config/mcp_config.json",
    },
    http: { serverUrl: "<url>", headers: "<headers>" },
    stdio: COMMAND,
    notes: [
      "Antigravity speaks Streamable HTTP only.",
      "Antigravity has no documented way to take a token from the environment.",
    ],
    next: {
      project: "Restart Antigravity in this folder and look for the server under its MCP servers.",
      global: "Restart Antigravity and look for the server under its MCP servers.",
    },
  },
  {
    id: "claude",
    title: "Claude Code",
    format: "json",
    keyPath: ["mcpServers"],
    project: only(".mcp.json"),
    global: only("~/.claude.json"),
    moved: { variable: "CLAUDE_CONFIG_DIR", folder: "~" },
    http: { type: "http", ...REMOTE },
    sse: { type: "sse", ...REMOTE },
    stdio: COMMAND,
    reference: text("${", "}"),
    notes: [],
    next: {
      project:
        "Start `claude` in this folder, approve the server when it asks, and look at it with `/mcp`.",
      global: "Restart Claude Code and look at the server with `/mcp`.",
    },
  },
  {
    id: "codex",
    title: "Codex",
    format: "toml",
    keyPath: ["mcp_servers"],
    project: only(".codex/config.toml"),
    global: only("~/.codex/config.toml"),
    moved: { variable: "CODEX_HOME", folder: "~/.codex" },
    http: { url: "<url>", http_headers: "<headers>" },
    stdio: COMMAND,
    reference: { kind: "members", members: { bearer_token_env_var: "<variable>" } },
    notes: ["Codex speaks Streamable HTTP only."],
    next: {
      project:
        "Codex reads this file only in a trusted project: trust the folder, restart Codex, and look at `codex mcp list`.",
      global: "Restart Codex and look at `codex mcp list`.",
    },
  },
  {
    id: "cursor",
    title: "Cursor",
    format: "jsonc",
    keyPath: ["mcpServers"],
    project: only(".cursor/mcp.json"),
    global: only("~/.cursor/mcp.json"),
    http: REMOTE,
    sse: REMOTE,
    stdio: COMMAND,
    reference: text("${env:", "}"),
    notes: [],
    next: {
      project: "Restart Cursor in this folder and enable the server in its MCP settings.",
      global: "Restart Cursor and enable the server in its MCP settings.",
    },
  },
  {
    id: "gemini",
    title: "Gemini CLI",
    format: "jsonc",
    keyPath: ["mcpServers"],
    project: only(".gemini/settings.json"),
    global: only("~/.gemini/settings.json"),
    moved: { variable: "GEMINI_CLI_HOME", folder: "~" },
    http: { url: "<url>", type: "http", headers: "<headers>" },
    sse: { url: "<url>", type: "sse", headers: "<headers>" },
    stdio: COMMAND,
    reference: text("${", "}"),
    notes: [],
    next: {
      project:
        "Gemini CLI reads this file only in a trusted folder: trust it, restart, and look at the server with `/mcp`.",
      global: "Restart Gemini CLI and look at the server with `/mcp`.",
    },
  },
  {
    id: "kimi",
    title: "Kimi Code CLI",
    format: "json",
    keyPath: ["mcpServers"],
    project: only(".kimi-code/mcp.json"),
    global: only("~/.kimi-code/mcp.json"),
    moved: { variable: "KIMI_CODE_HOME", folder: "~/.kimi-code" },
    http: { transport: "http", ...REMOTE },
    sse: { transport: "sse", ...REMOTE },
    stdio: COMMAND,
    reference: { kind: "members", members: { bearerTokenEnvVar: "<variable>" } },
    notes: ["Kimi Code refuses the whole file if it holds a comment."],
    next: {
      project: "Start Kimi Code in this folder, trust the workspace, and look for the server.",
      global: "Restart Kimi Code and look for the server.",
    },
  },
  {
    id: "opencode",
    title: "OpenCode",
    format: "jsonc",
    keyPath: ["mcp"],
    project: {
      candidates: [
        {
          path: "opencode.jsonc",
          marker: "opencode.jsonc",
          because: "OpenCode reads an existing opencode.jsonc",
        },
        { path: "opencode.json" },
      ],
      documented: "opencode.json",
    },
    global: {
      candidates: [
        {
          path: "~/.config/opencode/opencode.jsonc",
          marker: "~/.config/opencode/opencode.jsonc",
          because: "OpenCode reads an existing opencode.jsonc",
        },
        {
          path: "~/.config/opencode/opencode.json",
          marker: "~/.config/opencode/opencode.json",
          because: "OpenCode reads an existing opencode.json",
        },
        { path: "~/.config/opencode/config.json" },
      ],
      documented: "~/.config/opencode/opencode.json",
    },
    moved: { variable: "XDG_CONFIG_HOME", folder: "~/.config" },
    // Without `oauth: false` a refused token makes OpenCode start an OAuth flow that the server does not have.
    http: { type: "remote", url: "<url>", enabled: true, oauth: false, headers: "<headers>" },
    sse: { type: "remote", url: "<url>", enabled: true, oauth: false, headers: "<headers>" },
    stdio: { type: "local", command: "<argv>", enabled: true },
    reference: text("{env:", "}"),
    notes: [],
    next: {
      project: "Restart OpenCode in this folder and look at `opencode mcp list`.",
      global: "Restart OpenCode and look at `opencode mcp list`.",
    },
  },
  {
    id: "pi",
    title: "Pi",
    format: "json",
    keyPath: ["mcpServers"],
    project: only(".pi/mcp.json"),
    global: only("~/.pi/agent/mcp.json"),
    moved: { variable: "PI_CODING_AGENT_DIR", folder: "~/.pi/agent" },
    http: REMOTE,
    sse: { ...REMOTE, httpTransport: "sse" },
    stdio: COMMAND,
    reference: { kind: "members", members: { auth: "bearer", bearerTokenEnv: "<variable>" } },
    notes: [
      "Pi reads no MCP configuration itself: the third-party `pi-mcp-adapter` is needed (`pi install npm:pi-mcp-adapter`).",
    ],
    next: {
      project: "With pi-mcp-adapter installed, restart Pi in this folder.",
      global: "With pi-mcp-adapter installed, restart Pi.",
    },
  },
  {
    id: "roo",
    title: "Roo Code",
    format: "json",
    keyPath: ["mcpServers"],
    project: only(".roo/mcp.json"),
    http: { type: "streamable-http", ...REMOTE },
    sse: { type: "sse", ...REMOTE },
    stdio: COMMAND,
    reference: text("${env:", "}"),
    notes: [
      "Roo Code has no global file that other programs may write.",
      "Roo Code ended on 2026-05-15; the entry is for installations that are still in use.",
    ],
    next: { project: "Reload the editor's window and look for the server in Roo Code's MCP view." },
  },
]);

/** The row of a client, or `undefined` for an id that the table does not have. */
export function findClient(id: string): ClientRow | undefined {
  return clients.find((row) => row.id === id);
}

/**
 * Whether every client takes a server of this name: a lower-case letter, then up to 15 letters, digits or hyphens, and not
 * `workspace`, which Claude Code keeps for itself. Some clients split tool names at `_`, and some cut long ones.
 */
export function isServerName(name: string): boolean {
  return /^[a-z][a-z0-9-]{0,15}$/.test(name) && name !== "workspace";
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null)
    for (const part of Object.values(Object.freeze(value))) deepFreeze(part);
  return value;
}
