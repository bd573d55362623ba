// Runs the property tests of the core packages with many more inputs than `npm test` gives them.
//   npm run fuzz              100,000 inputs for each property
//   npm run fuzz -- 1000      as many as you say
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const runs = process.argv[2] ?? "100000";
if (!/^[1-9]\d{0,8}$/.test(runs)) {
  console.error(`error: "${runs}" is no count of inputs\n  npm run fuzz -- 1000`);
  process.exit(2);
}
const pm = fileURLToPath(new URL("pm.mjs", import.meta.url));
const projects = ["bounds", "config", "wire", "clients"].flatMap((name) => ["--project", name]);
const { status } = spawnSync(
  process.execPath,
  [pm, "exec", "vitest", "run", ...projects, "--testTimeout", "3600000"],
  { stdio: "inherit", env: { ...process.env, FUZZ_RUNS: runs } },
);
process.exit(status ?? 1);
