// Gives the properties of every door many more inputs than `npm test` does.
//   npm run fuzz                     100,000 inputs for each, and writes the figures to docs/security.md
//   npm run fuzz -- 1000             as many as you say; from 10,000 on the figures are written, too
//   npm run fuzz -- 1000 gateway     those in files whose path holds the word, to the terminal only
// A failure is shown with its seed and its shortest inputs; the same seed in the test gives them again.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = join(root, "docs", "security.md");
const USUAL = "100000";
const LEAST_TOLD = 10_000;
/** Files of clients have dozens of properties, each of which gets a part of the inputs. */
const CLIENTS_PART = 10;
const doors = {
  "lines on the notes server's stdin": ["apps/aios-server/test/fuzz.e2e.test.ts"],
  "bytes on the gateway's HTTP listeners": ["apps/gateway/test/fuzz-http.e2e.test.ts"],
  "requests that the gateway's policy decides": [
    "apps/gateway/test/fuzz-proxy.e2e.test.ts",
    "apps/gateway/src/policy/resource.test.ts",
  ],
  "lines that a client writes to the bridge": ["apps/gateway/test/fuzz-bridge.e2e.test.ts"],
  "what a server writes to the gateway": ["apps/gateway/test/fuzz-upstream.e2e.test.ts"],
  "lines that a host writes to the adapter": ["apps/travis-adapter/test/fuzz-host.e2e.test.ts"],
  "what a stdio server writes to the adapter": ["apps/travis-adapter/test/fuzz-stdio.e2e.test.ts"],
  "what an HTTP server answers the adapter": ["apps/travis-adapter/test/fuzz-http.e2e.test.ts"],
  "framing, event streams and relayed messages": [
    ...["lines", "sse", "relay", "splice", "oversize", "pieces"].map(
      (name) => `packages/wire/src/${name}.test.ts`,
    ),
  ],
  "JSON text": ["packages/bounds/src/json.test.ts", "packages/bounds/src/json-members.test.ts"],
  "configuration files, references and front matter": [
    "packages/config/src/fuzz.test.ts",
    "apps/gateway/src/config/fuzz.test.ts",
    "apps/travis-adapter/src/config/fuzz.test.ts",
    "apps/aios-server/src/reader/front-matter.test.ts",
  ],
  "files of clients": [
    ...["json", "toml", "yaml", "yaml-list", "edit", "entry"].map(
      (name) => `packages/clients/src/${name}.test.ts`,
    ),
  ],
};

const [runs = USUAL, word = "", ...rest] = process.argv.slice(2);
const files = Object.values(doors)
  .flat()
  .filter((file) => file.includes(word));
if (!/^[1-9]\d{0,8}$/.test(runs) || files.length === 0 || rest.length > 0) {
  console.error(
    "error: give a count of inputs, and perhaps a word of a path\n  npm run fuzz -- 1000 gateway",
  );
  process.exit(2);
}

const place = mkdtempSync(join(tmpdir(), "bounded-mcp-fuzz-"));
const report = join(place, "figures");
writeFileSync(report, "");
const status = runTests();
const figures = readFileSync(report, "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line));
rmSync(place, { recursive: true });
for (const { test, inputs, seed, failed } of figures)
  console.log(`${failed ? "failed" : "held"}  ${inputs} inputs  seed ${seed}  ${test}`);
const table = tableOf(figures);
console.log(`\n${table}`);
const isTold = Number(runs) >= LEAST_TOLD && word === "" && status === 0;
if (isTold) writeFigures(table);
process.exit(status);

/** Runs the properties on built programs; the exit status. */
function runTests() {
  const built = runScript(["build"], {});
  if (built !== 0) return built;
  const isClients = (file) => file.startsWith("packages/clients/");
  const part = Math.ceil(Number(runs) / CLIENTS_PART);
  return Math.max(
    fuzz(
      files.filter((file) => !isClients(file)),
      runs,
    ),
    fuzz(files.filter(isClients), part),
  );
}

function fuzz(some, count) {
  if (some.length === 0) return 0;
  const flags = ["-t", "\\[P3\\]", "--reporter", "default", "--testTimeout", "3600000"];
  const env = { FUZZ_RUNS: String(count), FUZZ_REPORT: report };
  return runScript(["exec", "vitest", "run", ...some, ...flags], env);
}

function runScript(args, env) {
  const pm = join(root, "scripts", "pm.mjs");
  const options = { cwd: root, stdio: "inherit", env: { ...process.env, ...env } };
  return spawnSync(process.execPath, [pm, ...args], options).status ?? 1;
}

function tableOf(figures) {
  const rows = Object.entries(doors).flatMap(([door, own]) => {
    const those = figures.filter(({ file }) =>
      own.includes(relative(root, file).replaceAll("\\", "/")),
    );
    if (those.length === 0) return [];
    const sum = (number) => those.reduce((total, one) => total + number(one), 0);
    const cells = [
      door,
      those.length,
      sum(({ inputs }) => inputs).toLocaleString("en"),
      Math.round(sum(({ ms }) => ms) / 1000),
      sum(({ failed }) => Number(failed)),
    ];
    return [`| ${cells.join(" | ")} |`];
  });
  return [
    "| door | properties | inputs | seconds | failures |",
    "|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** Puts the table between the two marks of the page. */
function writeFigures(table) {
  const count = Number(runs).toLocaleString("en");
  const cores = availableParallelism();
  const told = `One run with ${count} inputs, on ${cores} cores with Node ${process.versions.node}:`;
  const text = readFileSync(page, "utf8");
  const [start, end] = ["<!-- figures -->", "<!-- end of figures -->"];
  const [before, after] = [text.split(start)[0], text.split(end)[1]];
  writeFileSync(page, `${before}${start}\n${told}\n\n${table}\n${end}${after}`);
  console.log("\nwrote docs/security.md");
}
