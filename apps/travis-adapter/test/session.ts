import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { builtBin, createTempFolder, fixtureServer } from "test-fixtures";
import type { Adapter, AdapterOptions, ToolResult } from "../src/index.ts";

const cli = pathToFileURL(builtBin("travis234-mcp-adapter"));

/** The library as it is published: bundled, and loaded by Node itself. */
export async function loadLibrary() {
  return (await import(new URL("index.js", cli).href)) as {
    createAdapter(options: AdapterOptions): Promise<Adapter>;
  };
}

/** A home folder with one configuration file. */
export interface Home extends AsyncDisposable {
  readonly path: string;
}

export async function createHome(mcpServers: object): Promise<Home> {
  const folder = createTempFolder();
  const file = join(folder.path, ".config/mcp/mcp.json");
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify({ mcpServers }));
  return folder;
}

/** An adapter over a home folder of its own; disposing of it ends all that it started. */
export interface Session extends AsyncDisposable {
  readonly adapter: Adapter;
  /** Performs a request, and gives the text that a model would see. */
  ask(request: object, signal?: AbortSignal): Promise<Answer>;
}

interface Answer extends ToolResult {
  readonly text: string;
}

export async function openSession(
  mcpServers: object,
  options: Partial<AdapterOptions> = {},
): Promise<Session> {
  const home = await createHome(mcpServers);
  const { PATH } = process.env;
  const { createAdapter } = await loadLibrary();
  const adapter = await createAdapter({
    cwd: home.path,
    home: home.path,
    env: { PATH },
    ...options,
  });
  return {
    adapter,
    async ask(request, signal) {
      const result = await adapter.execute(request, signal === undefined ? {} : { signal });
      const text = result.content.map((block) => (block.type === "text" ? block.text : "[image]"));
      return { ...result, text: text.join("\n") };
    },
    async [Symbol.asyncDispose]() {
      await adapter[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

/** The entry of a fixture server. */
export function fixture(name: string, fields: object = {}, ...args: string[]): object {
  return { command: process.execPath, args: [fixtureServer(name), ...args], ...fields };
}
