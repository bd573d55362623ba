// Builds and tests under several Node versions.
//   npm run matrix          NODE_VERSIONS=24.21.0 npm run matrix
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { environmentOf, nodeVersions } from "./node-version.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
// Turbo's cache key does not hold the Node version, so the build is forced; vitest runs outside turbo anyway.
const steps = [
  "pm.mjs install --frozen-lockfile",
  "pm.mjs exec turbo run build --force",
  "pm.mjs exec vitest run",
  "start.mjs",
];

let failed = 0;
for (const version of nodeVersions) {
  const env = environmentOf(version);
  const started = Date.now();
  const ok = steps.every((step) => {
    const [script, ...args] = step.split(" ");
    const argv = [join(root, "scripts", script), ...args];
    return spawnSync("node", argv, { cwd: root, env, stdio: "inherit" }).status === 0;
  });
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`node ${version}: ${ok ? "ok" : "FAILED"} in ${seconds} s`);
  if (!ok) failed += 1;
}
console.log(`${nodeVersions.length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
