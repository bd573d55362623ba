import { existsSync, renameSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { run } from "./run.ts";

const VERSION = "2.12.0";

/**
 * The script of the MCP Inspector, whose `--cli` mode is a real client. It stays out of the lockfile, because it asks
 * for a newer Node than this project does (though `--cli` works on Node 20): the first test that wants it installs this
 * one version into the user's cache.
 */
export async function installInspector(): Promise<string> {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "bounded-mcp");
  const folder = join(cache, `inspector-${VERSION}`);
  const script = join(folder, "node_modules", ".bin", "mcp-inspector");
  if (existsSync(script)) return script;
  await mkdir(cache, { recursive: true });
  const staging = await mkdtemp(join(cache, "installing-"));
  try {
    const { status, stderr } = await run(
      "npm",
      [
        ...["install", "--prefix", staging, "--ignore-scripts", "--force"],
        ...["--no-save", "--no-audit", "--no-fund", `@modelcontextprotocol/inspector@${VERSION}`],
      ],
      { timeoutMs: 120_000 },
    );
    if (status !== 0) throw new Error(`The Inspector could not be installed:\n${stderr}`);
    // Another test file may have been faster; either install is the same.
    if (!existsSync(folder)) renameSync(staging, folder);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return script;
}
