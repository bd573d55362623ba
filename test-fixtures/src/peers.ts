import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installPackage } from "./install.ts";
import { officialServer } from "./places.ts";

/** How a server is started. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** A call of a tool. Its answer is the same each time that a peer's calls are made in their order. */
export interface PeerCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The server's own words, where it cannot do what it is asked. */
  readonly fails?: RegExp;
}

/** A server that others wrote and publish on npm, and what is asked of it without a network. */
export interface Peer {
  readonly name: string;
  /** The script that starts it. */
  script(): string | Promise<string>;
  readonly args?: (folder: string) => readonly string[];
  readonly env?: (folder: string) => Readonly<Record<string, string>>;
  readonly calls: readonly PeerCall[];
  /** Words that find the tool of the first call. */
  readonly query: string;
  /** URIs of resources that it lists. */
  readonly resources?: readonly string[];
  readonly prompts?: readonly {
    readonly name: string;
    readonly arguments: Readonly<Record<string, string>>;
  }[];
}

const NOTE = "First line\nSecond line: \u00fcn\u00efc\u00f6d\u00e9 \u{1f600} \\u0041\n";

/** The servers of others, from npm. None of them needs more than its folder. */
export const peers: readonly Peer[] = [
  {
    name: "filesystem",
    script: () => officialServer("@modelcontextprotocol/server-filesystem"),
    args: (folder) => [folder],
    query: "read the contents of a text file",
    calls: [
      { tool: "read_text_file", arguments: { path: "note.txt" } },
      { tool: "read_text_file", arguments: { path: "note.txt", head: 1 } },
      { tool: "write_file", arguments: { path: "new.txt", content: "a\r\nb\u0000" } },
      { tool: "list_directory", arguments: { path: "." } },
      { tool: "directory_tree", arguments: { path: "." } },
      { tool: "read_media_file", arguments: { path: "note.txt" } },
      { tool: "read_text_file", arguments: { path: "/etc/passwd" }, fails: /Access denied/ },
    ],
  },
  {
    name: "memory",
    script: () => officialServer("@modelcontextprotocol/server-memory"),
    env: (folder) => ({ MEMORY_FILE_PATH: join(folder, "memory.jsonl") }),
    query: "create entities in the knowledge graph",
    calls: [
      {
        tool: "create_entities",
        arguments: {
          entities: [
            { name: "Ada \u{1f600}", entityType: "person", observations: ["wrote \\ and /"] },
            { name: "Engine", entityType: "machine", observations: [] },
          ],
        },
      },
      {
        tool: "create_relations",
        arguments: {
          relations: [{ from: "Ada \u{1f600}", to: "Engine", relationType: "programs" }],
        },
      },
      { tool: "search_nodes", arguments: { query: "engine" } },
      { tool: "read_graph", arguments: {} },
      {
        tool: "add_observations",
        arguments: { observations: [{ entityName: "nobody", contents: ["x"] }] },
        fails: /not found/,
      },
    ],
    resources: ["memory://knowledge-graph"],
  },
  {
    name: "everything",
    script: () => officialServer("@modelcontextprotocol/server-everything"),
    query: "sum of two numbers",
    calls: [
      { tool: "get-sum", arguments: { a: 0.1, b: 0.2 } },
      { tool: "echo", arguments: { message: NOTE } },
      { tool: "get-tiny-image", arguments: {} },
      { tool: "get-annotated-message", arguments: { messageType: "error", includeImage: true } },
      { tool: "get-resource-links", arguments: { count: 3 } },
      { tool: "get-structured-content", arguments: { location: "Chicago" } },
      { tool: "trigger-long-running-operation", arguments: { duration: 0.05, steps: 2 } },
    ],
    resources: [
      "demo://resource/static/document/architecture.md",
      "demo://resource/static/document/features.md",
    ],
    prompts: [
      { name: "simple-prompt", arguments: {} },
      { name: "args-prompt", arguments: { city: "Z\u00fcrich", state: "ZH" } },
    ],
  },
  {
    name: "sequential-thinking",
    script: () => officialServer("@modelcontextprotocol/server-sequential-thinking"),
    env: () => ({ DISABLE_THOUGHT_LOGGING: "true" }),
    query: "reflective problem solving through thoughts",
    calls: [1, 2].map((thoughtNumber) => ({
      tool: "sequentialthinking",
      arguments: {
        thought: `Thought ${thoughtNumber}`,
        thoughtNumber,
        totalThoughts: 2,
        nextThoughtNeeded: thoughtNumber < 2,
      },
    })),
  },
  {
    name: "context7",
    script: async () =>
      join(
        await installPackage("@upstash/context7-mcp", "4.1.1"),
        "@upstash/context7-mcp/dist/index.js",
      ),
    // Nothing answers there, as without a network.
    env: () => ({ CONTEXT7_API_URL: "http://127.0.0.1:1/api" }),
    query: "resolve a library name to its id",
    calls: [
      {
        tool: "resolve-library-id",
        arguments: { query: "hooks", libraryName: "react" },
        fails: /fetch failed/,
      },
    ],
  },
  {
    name: "playwright",
    script: async () =>
      join(await installPackage("@playwright/mcp", "0.0.83"), "@playwright/mcp/cli.js"),
    args: (folder) => [
      ...["--headless", "--isolated", "--output-dir", folder],
      ...["--executable-path", join(folder, "no-browser")],
    ],
    query: "navigate to a url",
    calls: [
      {
        tool: "browser_navigate",
        arguments: { url: "http://127.0.0.1:1/" },
        fails: /no-browser/,
      },
    ],
  },
];

/** Empties a folder, fills it as the calls of a peer expect, and says how to start the peer there. */
export async function launchOf({ script, args, env }: Peer, folder: string): Promise<Launch> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "note.txt"), NOTE);
  return {
    command: process.execPath,
    args: [await script(), ...(args?.(folder) ?? [])],
    env: env?.(folder) ?? {},
    cwd: folder,
  };
}
