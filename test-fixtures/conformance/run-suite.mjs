// Runs the official suite, and reads what it found out.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createTempFolder, installPackage, run } from "test-fixtures";

const NAME = "@modelcontextprotocol/conformance";
const LONGEST_MS = 300_000;

/**
 * Makes what runs one command of a release of the suite under the Node of `env`. It resolves with what each scenario came
 * to: `{passed, failed}`, where `passed` is a count and `failed` has `{name, message}` for each check that is a failure or
 * a warning.
 */
export async function createRunSuite(release, env) {
  const modules = await installPackage(NAME, release);
  const script = join(modules, NAME, "dist", "index.js");
  return async (args) => {
    const folder = createTempFolder();
    try {
      const { stdout, stderr } = await run("node", [script, ...args, "-o", folder.path], {
        env,
        timeoutMs: LONGEST_MS,
      });
      const found = readResults(folder.path);
      if (found.size === 0) throw new Error(`The suite found nothing out:\n${stdout}${stderr}`);
      return found;
    } finally {
      await folder[Symbol.asyncDispose]();
    }
  };
}

/** Each scenario has a folder of its own, named by itself, its leg and the time. */
function readResults(folder) {
  const found = new Map();
  for (const name of readdirSync(folder).sort()) {
    const scenario = name.replace(/^server-/, "").replace(/-\d{4}-\d{2}-\d{2}T.*$/, "");
    const checks = JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8"));
    found.set(scenario, outcomeOf(checks));
  }
  return found;
}

function outcomeOf(checks) {
  const failed = checks
    .filter(({ status }) => status === "FAILURE" || status === "WARNING")
    .map(({ name, errorMessage = "" }) => ({ name, message: errorMessage }));
  return { passed: checks.filter(({ status }) => status === "SUCCESS").length, failed };
}
