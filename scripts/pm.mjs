// Runs root scripts through the pnpm that package.json pins, so that a machine needs only Node and npm:
//   node scripts/pm.mjs setup check          node scripts/pm.mjs exec vitest run packages/bounds
//   node scripts/pm.mjs --quiet setup        one line while it works; the whole output only when it fails
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const pin = JSON.parse(readFileSync(`${root}package.json`, "utf8")).packageManager.split("+")[0];
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node ${process.versions.node} is too old: 20.19 or newer is needed.`);
  process.exit(1);
}

const args = process.argv.slice(2);
const quiet = args[0] === "--quiet";
if (quiet) args.shift();

const env = {
  ...process.env,
  TURBO_TELEMETRY_DISABLED: "1",
  DO_NOT_TRACK: "1",
  npm_config_update_notifier: "false",
};
// What an outer `npm test` says about its own script would mislead the inner package manager.
for (const name of Object.keys(env)) if (/^npm_(lifecycle|package)_/.test(name)) delete env[name];

function pnpm(argv) {
  return new Promise((resolve) => {
    const child = spawn("npx", ["--yes", pin, ...argv], {
      cwd: root,
      env,
      stdio: quiet ? ["ignore", "pipe", "pipe"] : "inherit",
      shell: process.platform === "win32",
    });
    const kept = [];
    child.stdout?.on("data", (chunk) => kept.push(chunk));
    child.stderr?.on("data", (chunk) => kept.push(chunk));
    child.on("error", (error) => resolve({ status: 1, output: error.message }));
    child.on("close", (status) =>
      resolve({ status: status ?? 1, output: Buffer.concat(kept).toString() }),
    );
  });
}

const known = ["exec", "install", "add", "update", "remove"];
const runs = known.includes(args[0]) ? [args] : args.map((script) => ["run", script]);
for (const argv of runs) {
  const started = Date.now();
  if (quiet) process.stderr.write("Setting up (the first time takes half a minute) … ");
  const { status, output } = await pnpm(argv);
  if (quiet) {
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    process.stderr.write(status === 0 ? `ready in ${seconds} s\n` : `failed\n${output}`);
  }
  if (status !== 0) process.exit(status);
}
