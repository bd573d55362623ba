import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const repository = fileURLToPath(new URL("../..", import.meta.url));

/** The built bin of an app, by the name it is published under. */
export function builtBin(name: "dotaios-mcp" | "wraptool" | "travis234-mcp-adapter"): string {
  const folder = {
    "dotaios-mcp": "aios-server",
    wraptool: "gateway",
    "travis234-mcp-adapter": "travis-adapter",
  };
  return join(repository, "apps", folder[name], "dist", "cli.js");
}

/** One of our misbehaving servers, each a script with one fault: `test-fixtures/servers/NAME.mjs`. */
export function fixtureServer(name: string): string {
  return join(repository, "test-fixtures", "servers", `${name}.mjs`);
}

/** The sample AIOS folder. */
export const sampleAios = join(repository, "test-fixtures", "aios", "sample");

/** The entry script of an official server from npm. */
export function officialServer(
  name: `@modelcontextprotocol/server-${"everything" | "filesystem" | "memory" | "sequential-thinking"}`,
): string {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  return join(dirname(manifest), "dist", "index.js");
}
