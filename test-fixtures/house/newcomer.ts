import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repository, run } from "../src/index.ts";
import { type App, packApp } from "./tarball.ts";

/** A person who has Node and npm, an empty home, and one of our programs from its tarball. */
export interface Newcomer {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** Runs lines as a shell would, and stops at the first that fails. */
  shell(script: string): ReturnType<typeof run>;
}

/** Installs the app globally for a newcomer whose home lies below `place`. */
export async function createNewcomer(app: App, place: string): Promise<Newcomer> {
  const home = join(place, `${app.folder}-home`);
  const prefix = join(home, "npm");
  mkdirSync(prefix, { recursive: true });
  const { stdout: cache } = await run("npm", ["config", "get", "cache"]);
  const env = {
    HOME: home,
    PATH: `${join(prefix, "bin")}:${process.env.PATH}`,
    npm_config_prefix: prefix,
    npm_config_cache: cache.trim(),
    npm_config_update_notifier: "false",
    NO_COLOR: "1",
  };
  const shell = (script: string) =>
    run("bash", ["-e"], { cwd: home, env, input: script, timeoutMs: 90_000 });
  const installed = await shell(`npm install --global ${await packApp(app, place)}`);
  if (installed.status !== 0) throw new Error(installed.stderr);
  return { home, env, shell };
}

/** A page of an app, and the code blocks in it. */
export interface Block {
  readonly language: string;
  readonly code: string;
}

export function blocksOf(text: string): Block[] {
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map(([, language = "", code = ""]) => ({
    language,
    code,
  }));
}

export function pageOf({ folder }: App, file: string): string {
  return readFileSync(join(repository, "apps", folder, file), "utf8");
}

/** Pages install by the name in the registry; a newcomer of tests has the tarball already. */
export function withoutInstall(script: string): string {
  return script.replace(/^npm install --global \S+\n/m, "");
}
