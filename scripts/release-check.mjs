// Whether what is here could be released: changesets name every app that changed, and each tarball, installed alone in an
// empty folder under every supported Node, is one package whose bins answer. Prints what each tarball weighs.
//   npm run release:check          NODE_VERSIONS=24.21.0 npm run release:check
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { environmentOf, nodeVersions } from "./node-version.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const apps = ["travis-adapter", "gateway", "aios-server"];
const base = "main";
const pm = join(root, "scripts", "pm.mjs");

function step(what, argv, env = process.env) {
  console.error(`${what} …`);
  const { status } = spawnSync("node", argv, { cwd: root, env, stdio: "inherit" });
  if (status === 0) return;
  console.error(`error: ${what} failed; nothing was released`);
  process.exit(1);
}

step("changesets", [pm, "exec", "changeset", "status", `--since=${base}`]);
step("core packages named by the apps that bundle them", [
  ...[join(root, "scripts", "check-changesets.mjs"), base],
]);
step("build", [pm, "build"]);
for (const version of nodeVersions)
  step(
    `tarballs under Node ${version}`,
    [pm, "exec", "vitest", "run", "--project", "fixtures", "house/pack"],
    environmentOf(version),
  );

for (const app of apps) {
  const cwd = join(root, "apps", app);
  const { stdout } = spawnSync("npm", ["pack", "--dry-run", "--json"], { cwd, encoding: "utf8" });
  const [{ id, size, unpackedSize, entryCount }] = JSON.parse(stdout);
  const kib = (bytes) => `${Math.ceil(bytes / 1024)} KiB`;
  console.log(`${id}: ${kib(size)} packed, ${kib(unpackedSize)} unpacked, ${entryCount} files`);
}
