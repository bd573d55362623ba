import { parseClientDocument } from "@core/clients";
import { parse as parseYaml } from "yaml";

/** What a client does with the entry in its file, as its own documentation and sources have it. */
export type Dialled =
  | {
      readonly kind: "http" | "sse";
      readonly url: string;
      readonly headers: Record<string, string>;
    }
  | { readonly kind: "stdio"; readonly command: string; readonly args: string[] };

/** Where a client's file is, below the project's folder or the home folder, and how the client reads it. */
export interface Reading {
  readonly file: string;
  readonly scope: "project" | "global";
  /** Whether the client has no way to take the token from its environment. */
  readonly literalOnly?: true;
  read(text: string, environment: Readonly<Record<string, string>>): Dialled;
}

interface Entry {
  readonly type?: string;
  readonly transport?: string;
  readonly url?: string;
  readonly httpUrl?: string;
  readonly serverUrl?: string;
  readonly headers?: Record<string, string>;
  readonly enabled?: boolean;
}

type Environment = Readonly<Record<string, string>>;

function expand(headers: Record<string, string> | undefined, pattern: RegExp, from: Environment) {
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [
      name,
      value.replace(pattern, (_, variable: string) => from[variable] ?? ""),
    ]),
  );
}

const BRACES = /\$\{(\w+)\}/g;
const ENV_BRACES = /\$\{env:(\w+)\}/g;
const NOTHING = /(?!)/g;

/** A client that keeps a map of servers in JSON and tells SSE from HTTP by `type`. */
function byType({
  file,
  scope = "project",
  key = "mcpServers",
  http = "http",
  pattern = BRACES,
}: {
  file: string;
  scope?: "project" | "global";
  key?: string;
  http?: string;
  pattern?: RegExp;
}): Reading {
  return {
    file,
    scope,
    read(text, environment) {
      const { type, url, headers } = JSON.parse(text)[key].wraptool as Entry;
      if (type !== http && type !== "sse") throw new Error(`The client skips a ${type} entry.`);
      const kind = type === "sse" ? "sse" : "http";
      return { kind, url: url!, headers: expand(headers, pattern, environment) };
    },
  };
}

/** A client that keeps a map of servers in JSON, finds the URL under one key and tries HTTP first. */
function byUrl({
  file,
  scope = "project",
  key = "mcpServers",
  url = "url",
  pattern,
}: {
  file: string;
  scope?: "project" | "global";
  key?: string;
  url?: "url" | "serverUrl";
  pattern?: RegExp;
}): Reading {
  return {
    file,
    scope,
    ...(pattern === undefined && { literalOnly: true }),
    read(text, environment) {
      const entry = JSON.parse(text)[key].wraptool as Entry;
      const headers = expand(entry.headers, pattern ?? NOTHING, environment);
      return { kind: "http", url: entry[url]!, headers };
    },
  };
}

/** The harnesses' own readings of their files, which know nothing of the table. */
export const readings: Readonly<Record<string, Reading>> = {
  claude: byType({ file: ".mcp.json" }),
  codex: {
    file: ".codex/config.toml",
    scope: "project",
    read(text, environment) {
      const document = parseClientDocument(text, { file: "config.toml", format: "toml" });
      const entry = document.get(["mcp_servers", "wraptool"]) as {
        url: string;
        bearer_token_env_var?: string;
        http_headers?: Record<string, string>;
      };
      const { url, bearer_token_env_var: name, http_headers: fixed } = entry;
      const bearer = name === undefined ? {} : { Authorization: `Bearer ${environment[name]}` };
      return { kind: "http", url, headers: { ...fixed, ...bearer } };
    },
  },
  cursor: byUrl({ file: ".cursor/mcp.json", pattern: ENV_BRACES }),
  opencode: {
    file: "opencode.json",
    scope: "project",
    read(text, environment) {
      const { type, url, headers, enabled } = JSON.parse(text).mcp.wraptool as Entry;
      if (type !== "remote" || enabled !== true) throw new Error("OpenCode does not connect.");
      const expanded = expand(headers, /\{env:(\w+)\}/g, environment);
      return { kind: "http", url: url!, headers: expanded };
    },
  },
  gemini: byType({ file: ".gemini/settings.json" }),
  amp: byUrl({ file: ".amp/settings.json", key: "amp.mcpServers", pattern: BRACES }),
  antigravity: byUrl({ file: ".agents/mcp_config.json", url: "serverUrl" }),
  cline: byType({
    file: ".cline/data/settings/cline_mcp_settings.json",
    ...{ scope: "global", http: "streamableHttp", pattern: ENV_BRACES },
  }),
  continue: {
    file: ".continue/mcpServers/mcp.yaml",
    scope: "project",
    read(text, environment) {
      const { name, version, schema, mcpServers } = parseYaml(text);
      if (!name || !version || schema !== "v1") throw new Error("Continue refuses the block.");
      const entry = mcpServers.find((one: { name: string }) => one.name === "wraptool");
      const pattern = /\$\{\{ secrets\.(\w+) \}\}/g;
      const headers = expand(entry.requestOptions?.headers, pattern, environment);
      return { kind: entry.type === "sse" ? "sse" : "http", url: entry.url, headers };
    },
  },
  copilot: byType({ file: ".copilot/mcp-config.json", scope: "global" }),
  crush: byType({ file: ".crush.json", key: "mcp", pattern: /\$(\w+)/g }),
  devin: {
    file: ".devin/mcp_config.json",
    scope: "project",
    literalOnly: true,
    read(text) {
      const { url, transport, headers = {} } = JSON.parse(text).mcpServers.wraptool as Entry;
      return { kind: transport === "sse" ? "sse" : "http", url: url!, headers };
    },
  },
  goose: {
    file: ".config/goose/config.yaml",
    scope: "global",
    read(text, environment) {
      const { type, enabled, uri, headers, env_keys } = parseYaml(text).extensions.wraptool;
      if (type !== "streamable_http" || !enabled) throw new Error("Goose does not connect.");
      // Only variables that the entry lists are known to its headers.
      const known = Object.fromEntries(env_keys.map((key: string) => [key, environment[key]]));
      return { kind: "http", url: uri, headers: expand(headers, BRACES, known) };
    },
  },
  junie: {
    file: ".junie/mcp/mcp.json",
    scope: "project",
    read: (text) => ({ kind: "stdio", ...JSON.parse(text).mcpServers.wraptool }),
  },
  kiro: byUrl({ file: ".kiro/settings/mcp.json", pattern: BRACES }),
  qwen: {
    file: ".qwen/settings.json",
    scope: "project",
    read(text, environment) {
      const { httpUrl, url, headers } = JSON.parse(text).mcpServers.wraptool as Entry;
      const kind = httpUrl === undefined ? "sse" : "http";
      return { kind, url: (httpUrl ?? url)!, headers: expand(headers, BRACES, environment) };
    },
  },
  vscode: byType({ file: ".vscode/mcp.json", key: "servers", pattern: ENV_BRACES }),
  windsurf: byUrl({
    file: ".codeium/windsurf/mcp_config.json",
    ...{ scope: "global", url: "serverUrl", pattern: ENV_BRACES },
  }),
  zed: byUrl({ file: ".zed/settings.json", key: "context_servers" }),
};
