// Copies the emitted types that the library's entry reaches to dist, and fails if one of them needs a package:
// whoever installs the adapter has none of ours.
import { readFileSync, writeFileSync } from "node:fs";

const SPECIFIER = /(from|import\()\s*"([^"]+)"/g;
const pending = ["index"];
const done = new Set();

for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
  if (done.has(name)) continue;
  done.add(name);
  const types = readFileSync(`.tsc/${name}.d.ts`, "utf8");
  const published = types
    .replace(/^\/\/# sourceMappingURL=.*\n?/m, "")
    .replace(SPECIFIER, (_, keyword, specifier) => {
      const local = /^\.\/([\w-]+)\.ts$/.exec(specifier)?.[1];
      if (local === undefined)
        throw new Error(`The published types need ${specifier}, reached through ${name}.d.ts`);
      pending.push(local);
      return `${keyword} "./${local}.js"`;
    });
  writeFileSync(`dist/${name}.d.ts`, published);
}
