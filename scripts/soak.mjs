// Soaks the built programs, and breaks what they stand on: one scenario after the other, each in a process of its own (Linux).
//   npm run soak               all of them, and writes docs/soak.md
//   npm run soak -- clock      those whose name holds the word; writes nothing
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, release } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const all = [
  "sessions",
  "server-kills",
  "gateway-kills",
  "adapter",
  "adapter-kills",
  "notes",
  "full-disk",
  "read-only",
  "clock",
  "slow-peers",
  "descriptors",
];
/** A scenario that takes longer hangs; the longest takes a minute and a half. */
const LIMIT_MS = 240_000;

const wanted = process.argv.slice(2);
const chosen = all.filter((name) => wanted.every((word) => name.includes(word)));
if (process.platform !== "linux" || chosen.length === 0) {
  console.error(
    chosen.length === 0
      ? `error: no scenario is called like that\n  ${all.join(" ")}`
      : "error: the soak counts by /proc, which only Linux has",
  );
  process.exit(2);
}

const outcomes = chosen.map(soak);
const report = outcomes.map(sectionOf).join("\n");
console.log(report);
if (chosen.length === all.length) {
  const head = headOf(outcomes);
  writeFileSync(join(root, "docs", "soak.md"), `${head}\n${report}`);
}
process.exit(outcomes.some(({ problems }) => problems.length > 0) ? 1 : 0);

function soak(name) {
  console.error(`${name} …`);
  const file = join(root, "test-fixtures", "soak", `${name}.mjs`);
  const { stdout } = spawnSync(process.execPath, [file], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    timeout: LIMIT_MS,
  });
  const outcome = parse(stdout) ?? {
    ...{ title: name, about: "", found: [], rows: [], figures: [], seconds: LIMIT_MS / 1000 },
    problems: ["it did not come to its end"],
  };
  const { problems, seconds } = outcome;
  console.error(
    `${name}: ${problems.length === 0 ? "nothing left over" : "FAILED"} (${seconds} s)`,
  );
  return outcome;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // killed before it could print
  }
}

function headOf(outcomes) {
  const seconds = outcomes.reduce((sum, one) => sum + one.seconds, 0);
  return `# Soak

Read this to see what the three programs do when what they stand on breaks, and what is left over afterwards. \`npm run soak\`
writes this page; \`npm run soak -- NAME\` runs one scenario. Everything runs against the built programs as real processes.

Each table counts one program before and after: what it holds, not what it did meanwhile. Children, descriptors, threads and
temporary files must not have grown; the live heap with its buffers, after a full collection, may grow by a tenth and 1 MB; resident
memory is told only, because the allocator keeps some of it. Afterwards none of the processes that a scenario has started may run,
and none of its files be left.

One run on Linux ${release()}, Node ${process.version}, ${cpus().length} cores: ${seconds} s.
`;
}

function sectionOf({ title, about, found, rows, figures, problems, seconds }) {
  const table = [
    "| what | before | after |",
    "|---|---|---|",
    ...rows.map(({ what, before, after }) => `| ${what} | ${before} | ${after} |`),
  ];
  const lines = [
    `## ${title}`,
    `${about} (${seconds} s)`,
    ...(rows.length > 0 ? [table.join("\n")] : []),
    figures.map(([what, value]) => `- ${what}: ${value}`).join("\n"),
    problems.length === 0
      ? "Nothing was left over."
      : problems.map((problem) => `- **fails**: ${problem}`).join("\n"),
    ...(found.length > 0
      ? [`Found by it and mended:\n\n${found.map((fault) => `- ${fault}`).join("\n")}`]
      : []),
  ];
  return `${lines.join("\n\n")}\n`;
}
