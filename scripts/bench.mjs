// Runs the benchmarks one after the other, each in a process of its own, on built files.
//   npm run bench                 all of them
//   npm run bench -- relay        those whose path holds the word
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const all = [
  "packages/bounds/bench/bounds.mjs",
  "packages/config/bench/scrub.mjs",
  "packages/wire/bench/framing.mjs",
  "packages/wire/bench/relay.mjs",
  "apps/aios-server/bench/search.mjs",
  "apps/gateway/bench/gateway.mjs",
  "apps/travis-adapter/bench/one-shot.mjs",
  "apps/travis-adapter/bench/warm.mjs",
  "apps/travis-adapter/bench/search.mjs",
  "apps/travis-adapter/bench/memory.mjs",
];
const wanted = process.argv.slice(2);
const benches = all.filter((file) => wanted.every((word) => file.includes(word)));
if (benches.length === 0) {
  console.error(
    `error: no benchmark has ${wanted.map((word) => `"${word}"`).join(" and ")} in its path`,
  );
  console.error(all.map((file) => `  ${file}`).join("\n"));
  process.exit(2);
}

let failed = 0;
for (const file of benches) {
  console.log(`\n## ${file}\n`);
  const { status } = spawnSync(process.execPath, ["--expose-gc", join(root, file)], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) failed += 1;
}
process.exit(failed > 0 ? 1 : 0);
