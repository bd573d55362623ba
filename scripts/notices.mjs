// Writes dist/THIRD_PARTY_NOTICES.txt beside an app's bundle: the licence text of every package that esbuild
// put into it (read from tsup's metafile). A licence that is not on the list fails the build.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const allowed = new Set(["MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "0BSD"]);
const metafile = "dist/metafile-esm.json";
const inputs = Object.keys(JSON.parse(readFileSync(metafile, "utf8")).inputs);

function packageOf(file) {
  for (let folder = dirname(resolve(file)); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (!existsSync(manifest)) continue;
    const { name, version, license } = JSON.parse(readFileSync(manifest, "utf8"));
    if (name && version) return { name, version, license, folder };
  }
  throw new Error(`No package.json stands above ${file}`);
}

const packages = new Map();
for (const input of inputs) {
  if (!input.includes("node_modules/")) continue;
  const found = packageOf(input);
  packages.set(`${found.name}@${found.version}`, found);
}

const refused = [...packages.values()].filter((found) => !allowed.has(found.license));
if (refused.length > 0) {
  const names = refused.map((found) => `${found.name} (${found.license})`).join(", ");
  console.error(`Licence not on the list of scripts/notices.mjs: ${names}`);
  process.exit(1);
}

const notices = [...packages.entries()]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([id, { license, folder }]) => {
    const file = readdirSync(folder).find((name) => /^licen[cs]e(\.|$)/i.test(name));
    const text = file ? readFileSync(join(folder, file), "utf8").trim() : `Licence: ${license}`;
    return `${id} (${license})\n\n${text}\n`;
  });
writeFileSync("dist/THIRD_PARTY_NOTICES.txt", `${notices.join(`\n${"-".repeat(72)}\n\n`)}`);
rmSync(metafile);
