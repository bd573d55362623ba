import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createTempFolder, type RunOptions, run, type TempFolder } from "test-fixtures";
import { expect } from "vitest";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export const scenarios = here("./scenarios.py");
/** The extension where it is published from; beside it stands the built adapter. */
export const realExtension = here("../../extensions/travis234_mcp_adapter.py");

/** An installed package whose process is `child.mjs`, and a home folder. */
export interface Installed extends TempFolder {
  readonly extension: string;
  readonly home: string;
}

export function installWithChild(): Installed {
  const folder = createTempFolder();
  const at = (...path: string[]) => join(folder.path, ...path);
  for (const path of [at("extensions"), at("dist"), at("home")]) mkdirSync(path);
  const extension = at("extensions", "travis234_mcp_adapter.py");
  copyFileSync(realExtension, extension);
  copyFileSync(here("./child.mjs"), at("dist", "cli.js"));
  writeFileSync(at("package.json"), JSON.stringify({ type: "module" }));
  return { ...folder, extension, home: at("home") };
}

export interface Played {
  readonly scenario: string;
  readonly extension: string;
  readonly home: string;
  readonly argument?: string;
  /** Added to the environment of the host. */
  readonly env?: NodeJS.ProcessEnv;
}

/** The environment of a host whose home is that folder. Python leaves no files of its own. */
export function hostEnvironment({
  home,
  env = {},
}: Pick<Played, "home" | "env">): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: home, PYTHONDONTWRITEBYTECODE: "1", ...env };
}

/** The interpreter itself, once: `python3` may be a version manager's slow script. */
const interpreter = run("python3", ["-c", "import sys; print(sys.executable)"]).then(({ stdout }) =>
  stdout.trim(),
);

/** Runs one scenario of `scenarios.py` and gives what it saw. Its stderr must stay empty: it is the host's terminal. */
export async function play(played: Played) {
  const { scenario, extension, home, argument = "" } = played;
  const options: RunOptions = { cwd: home, env: hostEnvironment(played) };
  const ran = await run(await interpreter, [scenarios, scenario, extension, argument], options);
  expect(ran.stderr).toBe("");
  return JSON.parse(ran.stdout);
}
