import { join } from "node:path";
import { repository, run } from "../src/index.ts";

/** The built programs by the names that people type. */
export const BINS: Readonly<Record<string, string>> = {
  wraptool: "apps/gateway/dist/cli.js",
  dotaios: "apps/aios-server/dist/dotaios.js",
  "dotaios-mcp": "apps/aios-server/dist/cli.js",
  "travis234-mcp-adapter": "apps/travis-adapter/dist/cli.js",
};

const helps = new Map<string, Promise<string>>();

/** What `bin path… --help` prints, asked once a run. */
export function help(bin: string, path: readonly string[]): Promise<string> {
  const key = [bin, ...path].join(" ");
  const known = helps.get(key);
  if (known !== undefined) return known;
  const asked = run("node", [join(repository, BINS[bin] as string), ...path, "--help"]).then(
    ({ status, stdout, stderr }) => {
      if (status !== 0) throw new Error(`${key} --help ended with ${status}: ${stderr}`);
      return stdout;
    },
  );
  helps.set(key, asked);
  return asked;
}

/** The terms of a section of a help, as `--config <file>`, `-h, --help` or `status [options]`. */
export function termsOf(text: string, section: string): string[] {
  const [, lines = ""] = new RegExp(`^${section}:\n((?: .*\n?)+)`, "m").exec(text) ?? [];
  return [...lines.matchAll(/^ {2}(\S.*?)(?: {2}.*)?$/gm)].map(([, term = ""]) => term);
}

/** The paths of all commands below one, itself first; `help` is no command of ours. */
export async function commandPaths(bin: string, path: readonly string[] = []): Promise<string[][]> {
  const names = termsOf(await help(bin, path), "Commands")
    .map((term) => term.split(" ")[0] ?? "")
    .filter((name) => name !== "help");
  const below = await Promise.all(names.map((name) => commandPaths(bin, [...path, name])));
  return [[...path], ...below.flat()];
}
