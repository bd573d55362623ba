import type { ClientFile, ClientRow, TablePath, TokenReference } from "./row.ts";

const COMMAND = { command: "<command>", args: "<args>" };
const REMOTE = { url: "<url>", headers: "<headers>" };
const HTTP_OR_SSE = {
  http: { type: "http", ...REMOTE },
  sse: { type: "sse", ...REMOTE },
};

const only = (path: TablePath): ClientFile => ({ candidates: [{ path }], documented: path });

const text = (before: string, after: string): TokenReference => ({ kind: "text", before, after });

const XDG = { variable: "XDG_CONFIG_HOME", from: "~/.config" };

/** Where VS Code keeps what belongs to a user. */
const codeUser = (path: string): TablePath => ({
  linux: `~/.config/Code/User/${path}`,
  darwin: `~/Library/Application Support/Code/User/${path}`,
  win32: `%APPDATA%/Code/User/${path}`,
});

const CLINE_EXTENSION = "globalStorage/saoudrizwan.claude-dev";

/**
 * The MCP clients, by id. The files are those of the seeds' tables; where a newer version of a client reads another
 * place, that place is a candidate with a marker. A new client is one row here and one pair of fixture files; its page and
 * the tables of the gateway's documentation are made from the row by the test that compares them, run with `-u`.
 */
export const clients = deepFreeze<readonly ClientRow[]>([
  {
    id: "amp",
    title: "Amp",
    format: "jsonc",
    keyPath: ["amp.mcpServers"],
    project: only(".amp/settings.json"),
    global: only("~/.config/amp/settings.json"),
    moved: [{ variable: "AMP_SETTINGS_FILE", from: "~/.config/amp/settings.json" }],
    http: REMOTE,
    sse: REMOTE,
    stdio: COMMAND,
    reference: text("${", "}"),
    notes: [],
    next: {
      project:
        "Start Amp in this folder, approve the workspace's server (`amp mcp approve NAME`), and look at `amp mcp list`.",
      global: "Restart Amp and look at `amp mcp list`.",
    },
    cautions: ["`amp mcp add` leaves a file `settings.json.amp-write-meta` beside the settings."],
    evidence: {
      confidence: "medium",
      sources: ["Amp 0.0.1790142911, `amp mcp add`", "ampcode.com/manual"],
      doubts: [
        "`amp mcp add` was seen to write `${NAME}` as it stands; that a header expands it is documented and was not seen.",
        "Windows is taken to have the same path below the home folder.",
      ],
    },
  },
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
    evidence: {
      confidence: "medium",
      sources: [
        "WolframResearch/AgentTools#191",
        "chrisdoc/hevy-mcp#743",
        "appwrite/mcp#75",
        "google-antigravity/antigravity-cli#60",
      ],
      doubts: [
        "Versions before 2.0 may read `~/.gemini/antigravity/mcp_config.json`; the place without a marker is the one that users of the CLI name.",
        "One user could not have the project's file read (laravel/boost#818).",
      ],
    },
  },
  {
    id: "claude",
    title: "Claude Code",
    format: "json",
    keyPath: ["mcpServers"],
    project: only(".mcp.json"),
    global: only("~/.claude.json"),
    moved: [{ variable: "CLAUDE_CONFIG_DIR", from: "~" }],
    ...HTTP_OR_SSE,
    stdio: COMMAND,
    reference: text("${", "}"),
    notes: [],
    next: {
      project:
        "Start `claude` in this folder, approve the server when it asks, and look at it with `/mcp`.",
      global: "Restart Claude Code and look at the server with `/mcp`.",
    },
    cautions: [
      "`claude mcp add -s project` drops other top-level keys of `.mcp.json` and puts a file in the place of a link (seen in 2.1.197).",
      "A comment or a trailing comma in `.mcp.json` makes Claude Code load none of its servers.",
    ],
    evidence: {
      confidence: "high",
      sources: ["Claude Code 2.1.197, live", "code.claude.com/docs/en/mcp"],
      doubts: ["Where `CLAUDE_CONFIG_DIR` moves the global file was read, not seen."],
    },
  },
  {
    id: "cline",
    title: "Cline",
    format: "jsonc",
    keyPath: ["mcpServers"],
    global: {
      candidates: [
        {
          path: codeUser(`${CLINE_EXTENSION}/settings/cline_mcp_settings.json`),
          marker: codeUser(CLINE_EXTENSION),
          because: "Cline's extension for VS Code keeps its files there",
        },
        { path: "~/.cline/data/settings/cline_mcp_settings.json" },
      ],
      documented: "~/.cline/data/settings/cline_mcp_settings.json",
    },
    moved: [
      {
        variable: "CLINE_MCP_SETTINGS_PATH",
        from: "~/.cline/data/settings/cline_mcp_settings.json",
      },
      { variable: "CLINE_DIR", from: "~/.cline" },
      { ...XDG, platforms: ["linux"] },
    ],
    http: { type: "streamableHttp", ...REMOTE },
    sse: { type: "sse", ...REMOTE },
    stdio: COMMAND,
    reference: text("${env:", "}"),
    notes: [],
    next: { global: "Look at the server in Cline's MCP view, or restart Cline." },
    evidence: {
      confidence: "medium",
      sources: ["cline/cline, src/services/mcp/schemas.ts", "cline/cline#8079", "docs.cline.bot"],
      doubts: [
        "`${env:NAME}` needs a version since December 2025.",
        'Other editors than VS Code (Insiders, VSCodium, JetBrains) keep the extension\'s file elsewhere: open it with "Configure MCP Servers".',
      ],
    },
  },
  {
    id: "codex",
    title: "Codex",
    format: "toml",
    keyPath: ["mcp_servers"],
    project: only(".codex/config.toml"),
    global: only("~/.codex/config.toml"),
    moved: [{ variable: "CODEX_HOME", from: "~/.codex" }],
    http: { url: "<url>", http_headers: "<headers>" },
    stdio: COMMAND,
    reference: { kind: "members", members: { bearer_token_env_var: "<variable>" } },
    notes: ["Codex speaks Streamable HTTP only."],
    next: {
      project:
        "Codex reads this file only in a trusted project: trust the folder, restart Codex, and look at `codex mcp list`.",
      global: "Restart Codex and look at `codex mcp list`.",
    },
    cautions: [
      "`codex mcp add` drops comments and unknown keys inside `[mcp_servers.*]` tables (seen in 0.171.0).",
      "One entry of a wrong form keeps Codex from starting at all.",
    ],
    evidence: {
      confidence: "high",
      sources: ["Codex 0.171.0, live", "developers.openai.com/codex/mcp"],
      doubts: [],
    },
  },
  {
    id: "continue",
    title: "Continue",
    format: "yaml",
    keyPath: ["mcpServers"],
    listedBy: "name",
    preamble: { name: "MCP servers", version: "0.0.1", schema: "v1" },
    project: only(".continue/mcpServers/mcp.yaml"),
    global: only("~/.continue/config.yaml"),
    moved: [{ variable: "CONTINUE_GLOBAL_DIR", from: "~/.continue" }],
    http: {
      name: "<name>",
      type: "streamable-http",
      url: "<url>",
      requestOptions: { headers: "<headers>" },
    },
    sse: { name: "<name>", type: "sse", url: "<url>", requestOptions: { headers: "<headers>" } },
    stdio: { name: "<name>", type: "stdio", ...COMMAND },
    reference: {
      ...text("${{ secrets.", " }}"),
      note: "Continue looks for the variable in its `.env` files (`~/.continue/.env`, the workspace's) before the environment.",
    },
    notes: ["Continue uses MCP servers in agent mode only."],
    next: {
      project: "Reload Continue in this folder and look for the server among its tools.",
      global: "Reload Continue and look for the server among its tools.",
    },
    evidence: {
      confidence: "medium",
      sources: [
        "docs.continue.dev/customize/deep-dives/mcp",
        "continuedev/continue, packages/config-yaml/src/schemas/mcp",
        "continuedev/continue#5961",
      ],
      doubts: [
        "That `requestOptions.headers` are sent over Streamable HTTP is in the schema; one user reported no success (continuedev/continue#8851).",
        "Secrets from the environment need a version since June 2025.",
      ],
    },
  },
  {
    id: "copilot",
    title: "Copilot CLI",
    format: "jsonc",
    keyPath: ["mcpServers"],
    project: only(".mcp.json"),
    global: only("~/.copilot/mcp-config.json"),
    moved: [{ variable: "COPILOT_HOME", from: "~/.copilot" }],
    ...HTTP_OR_SSE,
    stdio: { type: "stdio", ...COMMAND },
    reference: text("${", "}"),
    notes: [
      "The project's `.mcp.json` is Claude Code's file, too: one entry serves both, and taking it back takes it from both.",
    ],
    next: {
      project:
        "Start `copilot` in this folder, confirm that you trust it, and look at `/mcp show`. `copilot -p` reads this file only with GITHUB_COPILOT_PROMPT_MODE_WORKSPACE_MCP=true.",
      global: "Restart Copilot CLI and look at `/mcp show`.",
    },
    cautions: ["`copilot mcp add` drops comments and unknown keys of entries (seen in 1.0.102)."],
    evidence: {
      confidence: "medium",
      sources: [
        "Copilot CLI 1.0.102, `copilot mcp add`",
        "docs.github.com, adding MCP servers for Copilot CLI",
        "github/copilot-cli#903",
      ],
      doubts: [
        "`${NAME}` is documented for `env`; that headers expand it was not seen, and some versions did not (github/copilot-cli#1403).",
        "`tools` is left out, for which all tools are the default.",
        "`.github/mcp.json` is read as well; an entry of the same name there is not looked at.",
      ],
    },
  },
  {
    id: "crush",
    title: "Crush",
    format: "jsonc",
    keyPath: ["mcp"],
    project: {
      candidates: [
        { path: "crush.json", marker: "crush.json", because: "Crush reads an existing crush.json" },
        { path: ".crush.json" },
      ],
      documented: ".crush.json",
    },
    global: only("~/.config/crush/crush.json"),
    moved: [XDG],
    ...HTTP_OR_SSE,
    stdio: { type: "stdio", ...COMMAND },
    reference: text("$", ""),
    notes: ["Crush calls its JSON files deprecated, and still reads them beside a `crushrc`."],
    next: {
      project: "Restart Crush in this folder and look for the server in its sidebar.",
      global: "Restart Crush and look for the server in its sidebar.",
    },
    evidence: {
      confidence: "medium",
      sources: ["charmbracelet/crush, docs/config/README.md and README.md"],
      doubts: [
        "On Windows, older versions read `%LOCALAPPDATA%\\crush\\crush.json`; the newer documentation keeps that folder for state.",
        "Crush expands `$` in URLs, commands and arguments, too: a folder with a `$` in its name would be read wrongly.",
      ],
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
    cautions: [
      "Cursor leaves out a tool if its name and the server's have more than 60 characters together.",
    ],
    evidence: {
      confidence: "medium",
      sources: ["cursor.com/docs/mcp"],
      doubts: ["Whether Cursor takes comments in its file is not known; none is written."],
    },
  },
  {
    id: "devin",
    title: "Devin Desktop",
    format: "jsonc",
    keyPath: ["mcpServers"],
    project: only(".devin/mcp_config.json"),
    global: only({
      linux: "~/.config/devin/mcp_config.json",
      darwin: "~/.config/devin/mcp_config.json",
      win32: "%APPDATA%/devin/mcp_config.json",
    }),
    moved: [{ ...XDG, platforms: ["linux"] }],
    http: { url: "<url>", transport: "http", headers: "<headers>" },
    sse: { url: "<url>", transport: "sse", headers: "<headers>" },
    stdio: COMMAND,
    notes: [
      "Devin has no documented way to take a token from the environment.",
      "These are the files of Devin Local and the Devin CLI; the older Cascade agent reads Windsurf's (`windsurf`).",
    ],
    next: {
      project:
        "Open this folder in Devin, allow the server's tools when it asks, and look at its MCP list.",
      global: "Restart Devin, allow the server's tools when it asks, and look at its MCP list.",
    },
    cautions: [
      "Devin also reads a personal `.devin/mcp_config.local.json`, which stays out of git; it is not written.",
    ],
    evidence: {
      confidence: "medium",
      sources: [
        "docs.devin.ai/cli/extensibility/mcp/configuration",
        "docs.devin.ai/desktop/devin-local",
        "Chemaclass/agnostic-ai#587",
      ],
      doubts: [
        "Earlier versions kept the servers in `config.json` of the same folders.",
        "Whether headers expand variables is not documented, so the token stands in the file.",
      ],
    },
  },
  {
    id: "gemini",
    title: "Gemini CLI",
    format: "jsonc",
    keyPath: ["mcpServers"],
    project: only(".gemini/settings.json"),
    global: only("~/.gemini/settings.json"),
    moved: [{ variable: "GEMINI_CLI_HOME", from: "~" }],
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
    cautions: [
      "`gemini mcp add` in a folder that is not trusted removes every other key of the project's file; in a trusted one it writes the values of variables into other entries (seen in 0.61.0).",
    ],
    evidence: {
      confidence: "high",
      sources: ["Gemini CLI 0.61.0, live", "google-gemini/gemini-cli, its sources"],
      doubts: ["A variable that is not set becomes an empty text in the header."],
    },
  },
  {
    id: "goose",
    title: "Goose",
    format: "yaml",
    keyPath: ["extensions"],
    global: only({
      linux: "~/.config/goose/config.yaml",
      darwin: "~/.config/goose/config.yaml",
      win32: "%APPDATA%/Block/goose/config/config.yaml",
    }),
    moved: [XDG],
    http: {
      enabled: true,
      type: "streamable_http",
      name: "<name>",
      description: "<name>",
      uri: "<url>",
      headers: "<headers>",
      env_keys: "<variables>",
      envs: {},
      timeout: 300,
    },
    stdio: {
      enabled: true,
      type: "stdio",
      name: "<name>",
      description: "<name>",
      cmd: "<command>",
      args: "<args>",
      env_keys: "<variables>",
      envs: {},
      timeout: 300,
    },
    reference: text("${", "}"),
    notes: ["Goose speaks Streamable HTTP only."],
    next: {
      global:
        "Start a new Goose session and look at the extension (`goose info -v`, or Extensions).",
    },
    evidence: {
      confidence: "high",
      sources: [
        "aaif-goose/goose, documentation/docs/guides/config-files.md",
        "aaif-goose/goose, crates/goose/src/agents/extension.rs",
        "aaif-goose/goose#5439",
      ],
      doubts: [
        "`${NAME}` in a header needs a version since November 2025; Goose takes it from the environment or its keyring.",
        "That `XDG_CONFIG_HOME` moves the file on macOS was not seen.",
      ],
    },
  },
  {
    id: "junie",
    title: "Junie",
    format: "jsonc",
    keyPath: ["mcpServers"],
    project: only(".junie/mcp/mcp.json"),
    global: only("~/.junie/mcp/mcp.json"),
    stdio: COMMAND,
    notes: ["Junie only starts programs, so the entry runs a bridge."],
    next: {
      project: "Restart Junie in this folder and look at its MCP settings.",
      global: "Restart Junie and look at its MCP settings.",
    },
    evidence: {
      confidence: "medium",
      sources: ["jetbrains.com/help/junie"],
      doubts: ["Newer builds may speak HTTP as well; a bridge works in both."],
    },
  },
  {
    id: "kimi",
    title: "Kimi Code CLI",
    format: "json",
    keyPath: ["mcpServers"],
    project: only(".kimi-code/mcp.json"),
    global: only("~/.kimi-code/mcp.json"),
    moved: [{ variable: "KIMI_CODE_HOME", from: "~/.kimi-code" }],
    http: { transport: "http", ...REMOTE },
    sse: { transport: "sse", ...REMOTE },
    stdio: COMMAND,
    reference: { kind: "members", members: { bearerTokenEnvVar: "<variable>" } },
    notes: ["Kimi Code refuses the whole file if it holds a comment."],
    next: {
      project: "Start Kimi Code in this folder, trust the workspace, and look for the server.",
      global: "Restart Kimi Code and look for the server.",
    },
    cautions: ["One entry of a wrong form makes Kimi Code refuse the whole file."],
    evidence: {
      confidence: "medium",
      sources: ["Kimi Code CLI, its sources and documentation"],
      doubts: [
        "Kimi also reads the repository's `.mcp.json`, where it expands no `${NAME}`; an entry of the same name there is not looked at.",
      ],
    },
  },
  {
    id: "kiro",
    title: "Kiro",
    format: "jsonc",
    keyPath: ["mcpServers"],
    project: only(".kiro/settings/mcp.json"),
    global: only("~/.kiro/settings/mcp.json"),
    http: REMOTE,
    sse: REMOTE,
    stdio: COMMAND,
    reference: {
      ...text("${", "}"),
      note: "Kiro expands only variables that you have approved: the IDE asks, the CLI wants the name in `kiroAgent.mcpApprovedEnvVars` of `~/.kiro/settings/cli.json`.",
    },
    notes: [],
    next: {
      project: "Reload Kiro in this folder and look for the server in its MCP view (CLI: `/mcp`).",
      global: "Reload Kiro and look for the server in its MCP view (CLI: `/mcp`).",
    },
    evidence: {
      confidence: "medium",
      sources: ["kiro.dev/docs/mcp/configuration", "kiro.dev/docs/mcp/security"],
      doubts: [
        "The CLI's list of approved variables is known from one user's report (CLI 2.4).",
        "Kiro wants HTTPS for other machines than this one.",
        "That the same entry falls back to SSE is said by others.",
      ],
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
    moved: [XDG],
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
    cautions: [
      "`opencode mcp add` writes the global file also inside a project (seen in 1.18.33).",
      "An entry without `type` keeps OpenCode from starting.",
    ],
    evidence: {
      confidence: "high",
      sources: ["OpenCode 1.18.33, live", "opencode.ai/docs/mcp-servers"],
      doubts: [
        "Version 2 documents `mcp.servers`; 1.18.33 reads both forms, and this is the one that both read.",
      ],
    },
  },
  {
    id: "pi",
    title: "Pi",
    format: "json",
    keyPath: ["mcpServers"],
    project: only(".pi/mcp.json"),
    global: only("~/.pi/agent/mcp.json"),
    moved: [{ variable: "PI_CODING_AGENT_DIR", from: "~/.pi/agent" }],
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
    cautions: [
      "`pi-mcp-adapter` writes its file anew when it changes something, without its formatting, and puts a file in the place of a link.",
    ],
    evidence: {
      confidence: "medium",
      sources: ["pi-mcp-adapter, its README and sources"],
      doubts: [],
    },
  },
  {
    id: "qwen",
    title: "Qwen Code",
    format: "jsonc",
    keyPath: ["mcpServers"],
    project: only(".qwen/settings.json"),
    global: only("~/.qwen/settings.json"),
    moved: [{ variable: "QWEN_HOME", from: "~/.qwen" }],
    // `url` means SSE here, whatever `type` says.
    http: { httpUrl: "<url>", headers: "<headers>" },
    sse: REMOTE,
    stdio: COMMAND,
    reference: text("${", "}"),
    notes: [],
    next: {
      project:
        "Restart Qwen Code in this folder, trust the folder if it asks, and look at the server with `/mcp`.",
      global: "Restart Qwen Code and look at the server with `/mcp`.",
    },
    cautions: ["`qwen mcp add` writes other entries anew and adds `$version` (seen in 0.15.10)."],
    evidence: {
      confidence: "high",
      sources: ["Qwen Code 0.15.10, live", "QwenLM/qwen-code, docs/users/features/mcp.md"],
      doubts: [
        "A variable that is not set stays as it is written.",
        "Version 1 also has a personal `.qwen/settings.local.json`, which is not written.",
        "That `QWEN_HOME` moves the global file was read in its sources and tests of others, not seen.",
      ],
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
    cautions: [
      "Roo Code writes its file anew when it changes something, and puts a file in the place of a link.",
    ],
    evidence: {
      confidence: "high",
      sources: ["RooCodeInc/Roo-Code, its sources"],
      doubts: [],
    },
  },
  {
    id: "vscode",
    title: "VS Code",
    format: "jsonc",
    keyPath: ["servers"],
    project: only(".vscode/mcp.json"),
    global: only(codeUser("mcp.json")),
    moved: [{ ...XDG, platforms: ["linux"] }],
    ...HTTP_OR_SSE,
    stdio: { type: "stdio", ...COMMAND },
    reference: text("${env:", "}"),
    notes: [],
    next: {
      project:
        'Open this folder in VS Code, start the server from "MCP: List Servers", and trust it when VS Code asks.',
      global:
        'Start the server from "MCP: List Servers" in VS Code, and trust it when VS Code asks.',
    },
    cautions: [
      "The global file is that of VS Code's default profile on this machine; other profiles and remote windows have their own.",
    ],
    evidence: {
      confidence: "high",
      sources: [
        "code.visualstudio.com/docs/agents/reference/mcp-configuration",
        "microsoft/vscode#245237",
      ],
      doubts: [
        "One user of 1.137 on Windows saw `${env:NAME}` sent as it stands in headers (microsoft/vscode#336232).",
        "VS Code's documentation of November 2026 counts these files to its older Local harness; sessions of the Copilot harness read `.mcp.json` (`copilot`), and VS Code forwards the servers of these files to them.",
      ],
    },
  },
  {
    id: "windsurf",
    title: "Windsurf",
    format: "jsonc",
    keyPath: ["mcpServers"],
    global: only("~/.codeium/windsurf/mcp_config.json"),
    http: { serverUrl: "<url>", headers: "<headers>" },
    sse: { serverUrl: "<url>", headers: "<headers>" },
    stdio: COMMAND,
    reference: text("${env:", "}"),
    notes: [
      "Windsurf is called Devin Desktop since June 2026: this is the file of its Cascade agent; Devin Local reads another (`devin`).",
    ],
    next: { global: "Press refresh in Cascade's MCP view, or restart Windsurf." },
    cautions: ["Cascade takes 100 tools at a time."],
    evidence: {
      confidence: "medium",
      sources: ["docs.windsurf.com/windsurf/cascade/mcp", "docs.devin.ai/desktop/cascade/mcp"],
      doubts: [
        "The plugin for JetBrains reads `~/.codeium/mcp_config.json`, which is not written.",
      ],
    },
  },
  {
    id: "zed",
    title: "Zed",
    format: "jsonc",
    keyPath: ["context_servers"],
    project: only(".zed/settings.json"),
    global: only({
      linux: "~/.config/zed/settings.json",
      darwin: "~/.config/zed/settings.json",
      win32: "%APPDATA%/Zed/settings.json",
    }),
    moved: [{ ...XDG, platforms: ["linux"] }],
    http: REMOTE,
    stdio: COMMAND,
    notes: [
      "Zed is known to speak Streamable HTTP only.",
      "Zed has no way to take a token from the environment.",
    ],
    next: {
      project:
        "Open this folder in Zed, trust it if Zed asks, and look for the green dot in the Agent Panel's settings.",
      global: "Look for the green dot in the settings of Zed's Agent Panel.",
    },
    evidence: {
      confidence: "high",
      sources: [
        "zed.dev/docs/ai/mcp",
        "zed-industries/zed, crates/paths",
        "zed-industries/zed#60459",
      ],
      doubts: [
        'Versions of 2025 want `"source": "custom"` in an entry that starts a program.',
        "Whether a folder must be trusted before its settings count was not seen.",
      ],
    },
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
