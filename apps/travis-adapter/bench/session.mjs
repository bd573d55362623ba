import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createAdapter } from "../dist/index.js";

/** The path of a file in this folder, or of a server in test-fixtures. */
export const here = (name) => fileURLToPath(new URL(name, import.meta.url));
export const fixture = (name) => here(`../../../test-fixtures/servers/${name}.mjs`);

/** An adapter of the built library over these servers; `end` closes it and removes its folder. */
export async function openSession(mcpServers) {
  const home = mkdtempSync(join(tmpdir(), "adapter-bench-"));
  mkdirSync(join(home, ".config/mcp"), { recursive: true });
  writeFileSync(join(home, ".config/mcp/mcp.json"), JSON.stringify({ mcpServers }));
  const adapter = await createAdapter({ cwd: home, home, env: process.env });
  return {
    home,
    adapter,
    async ask(request) {
      const { content, isError } = await adapter.execute(request);
      if (isError) throw new Error(content[0]?.text);
      return content[0]?.text ?? "";
    },
    async end() {
      await adapter[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
