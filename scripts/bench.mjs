// Runs the benchmarks one after the other, each in a process of its own, on built files. Each prints one section of Markdown.
//   npm run bench                 all of them, and writes their sections to docs/benchmarks.md
//   npm run bench -- relay        those whose path holds the word, to the terminal only
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = "docs/benchmarks.md";
const all = [
  "apps/gateway/bench/gateway.mjs",
  "apps/travis-adapter/bench/one-shot.mjs",
  "apps/travis-adapter/bench/warm.mjs",
  "apps/travis-adapter/bench/search.mjs",
  "apps/travis-adapter/bench/memory.mjs",
  "apps/aios-server/bench/search.mjs",
  "packages/wire/bench/framing.mjs",
  "packages/wire/bench/relay.mjs",
  "packages/config/bench/scrub.mjs",
  "packages/bounds/bench/bounds.mjs",
];
const introduction = `# Benchmarks

Read this when you want to know how fast the programs are, or before you change something for speed. This page is what one run of
\`npm run bench\` wrote, on ${availableParallelism()} cores with Node ${process.versions.node}; \`npm run bench -- relay\` runs those whose path holds the word. All
figures are ratios against a floor and peers measured in the same run, interleaved, and those that miss their goal stand in bold.
None of them is a test.
`;

const words = process.argv.slice(2);
const benches = all.filter((file) => words.every((word) => file.includes(word)));
if (benches.length === 0) {
  console.error(
    `error: no benchmark has ${words.map((word) => `"${word}"`).join(" and ")} in its path`,
  );
  console.error(all.map((file) => `  ${file}`).join("\n"));
  process.exit(2);
}

const sections = [];
for (const file of benches) {
  console.error(`${file} …`);
  const { status, section } = await run(file);
  if (status !== 0) {
    console.error(`error: ${file} ended with status ${status}; ${page} stays as it was`);
    process.exit(1);
  }
  sections.push(section);
}
if (words.length === 0) {
  writeFileSync(join(root, page), [introduction, ...sections].join("\n"));
  console.error(`wrote ${page}`);
}

/** Shows a benchmark's section as it comes, and gives it. */
async function run(file) {
  const child = spawn(process.execPath, ["--expose-gc", join(root, file)], {
    ...{ cwd: root, stdio: ["ignore", "pipe", "inherit"] },
  });
  let section = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    section += text;
    process.stdout.write(text);
  });
  const [status] = await once(child, "close");
  return { status, section: `${section.trim()}\n` };
}
