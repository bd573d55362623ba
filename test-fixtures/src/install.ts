import { existsSync, renameSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { run } from "./run.ts";

/**
 * The `node_modules` folder that holds one version of a package which stays out of the lockfile. The first test that wants
 * it installs it into the user's cache.
 */
export async function installPackage(name: string, version: string): Promise<string> {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "bounded-mcp");
  const folder = join(cache, `${name.replace(/^@/, "").replace("/", "-")}-${version}`);
  const modules = join(folder, "node_modules");
  if (existsSync(modules)) return modules;
  await mkdir(cache, { recursive: true });
  const staging = await mkdtemp(join(cache, "installing-"));
  try {
    const { status, stderr } = await run(
      "npm",
      [
        ...["install", "--prefix", staging, "--ignore-scripts", "--force"],
        ...["--no-save", "--no-audit", "--no-fund", `${name}@${version}`],
      ],
      { timeoutMs: 120_000 },
    );
    if (status !== 0) throw new Error(`${name} could not be installed:\n${stderr}`);
    // Another test file may have been faster; either install is the same.
    if (!existsSync(folder)) renameSync(staging, folder);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return modules;
}
