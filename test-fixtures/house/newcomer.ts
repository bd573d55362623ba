import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
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

/** Installs the app from its tarball, and gives newcomers who have it, each with a home of their own below `place`. */
export async function installForNewcomers(
  app: App,
  place: string,
): Promise<(name: string) => Newcomer> {
  const prefix = join(place, `${app.folder}-npm`);
  mkdirSync(prefix);
  const { stdout: cache } = await run("npm", ["config", "get", "cache"]);
  const env = {
    PATH: `${join(prefix, "bin")}:${process.env.PATH}`,
    npm_config_prefix: prefix,
    NO_COLOR: "1",
  };
  // In a file, because servers get a minimal environment, and npm needs the machine's own certificates in there, too.
  const { NODE_EXTRA_CA_CERTS: authorities } = process.env;
  const settings = [
    `cache=${cache.trim()}`,
    "update-notifier=false",
    ...(authorities ? [`cafile=${authorities}`] : []),
  ].join("\n");
  const create = (name: string): Newcomer => {
    const home = join(place, `${app.folder}-${name}`);
    mkdirSync(home);
    writeFileSync(join(home, ".npmrc"), settings);
    const own = { ...env, HOME: home };
    const shell = (script: string) =>
      run("bash", ["-e"], {
        ...{ cwd: home, env: own, timeoutMs: 90_000 },
        // What a page starts in the background ends with a script that fails before it says so.
        input: `trap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n${script}`,
      });
    return { home, env: own, shell };
  };
  const tarball = await packApp(app, place);
  const installed = await create("installs").shell(`npm install --global ${tarball}`);
  if (installed.status !== 0) throw new Error(installed.stderr);
  return create;
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
