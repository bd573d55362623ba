// A core package is bundled into the apps and never published, so changesets alone would let a change in it go
// out without a new version of any app. This check fails when a package that an app bundles has changed since
// BASE and no pending changeset names that app.     node scripts/check-changesets.mjs main
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const base = process.argv[2] ?? "main";
const changed = execFileSync("git", ["diff", "--name-only", `${base}...HEAD`], { encoding: "utf8" })
  .split("\n")
  .filter((file) => /^(packages|apps)\/[^/]+\/(src|extensions|package\.json)/.test(file));
const changedFolders = new Set(changed.map((file) => file.split("/").slice(0, 2).join("/")));

const manifests = new Map();
for (const parent of ["packages", "apps"])
  for (const name of readdirSync(parent)) {
    const folder = `${parent}/${name}`;
    const manifest = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    manifests.set(manifest.name, { folder, manifest });
  }

function bundledFolders(name, seen = new Set()) {
  const entry = manifests.get(name);
  if (!entry || seen.has(entry.folder)) return seen;
  seen.add(entry.folder);
  const { dependencies = {}, devDependencies = {} } = entry.manifest;
  for (const dependency of Object.keys({ ...dependencies, ...devDependencies }))
    bundledFolders(dependency, seen);
  return seen;
}

const pending = readdirSync(".changeset")
  .filter((file) => file.endsWith(".md") && file !== "README.md")
  .map((file) => readFileSync(`.changeset/${file}`, "utf8"))
  .join("\n");

const missing = [...manifests.values()]
  .filter(({ manifest }) => !manifest.private)
  .filter(({ manifest }) => !new RegExp(`^["']?${manifest.name}["']?:`, "m").test(pending))
  .map(({ manifest }) => ({
    app: manifest.name,
    because: [...bundledFolders(manifest.name)].filter((folder) => changedFolders.has(folder)),
  }))
  .filter(({ because }) => because.length > 0);

for (const { app, because } of missing)
  console.error(
    `${app} bundles ${because.join(", ")}, which changed: run "npx changeset" and name ${app}.`,
  );
process.exit(missing.length > 0 ? 1 : 0);
