import { readFileSync } from "node:fs";
import { defineConfig, type Options } from "tsup";

/**
 * The one way an app becomes publishable files: ESM with every dependency inside, unminified so that
 * stack traces in bug reports stay readable. Bundled CommonJS (yaml, ajv) calls `require`, which ESM lacks.
 */
export function bundle(entry: string[]) {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  return defineConfig({
    entry,
    format: ["esm"],
    platform: "node",
    target: "node20",
    clean: true,
    splitting: true,
    sourcemap: true,
    noExternal: [/./],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    define: { __VERSION__: JSON.stringify(version) },
    esbuildOptions(options) {
      options.conditions = ["bounded-mcp-source", "import", "node"];
      // jsonc-parser's "main" is a UMD file whose inner requires no bundler can follow; its "module" is ESM.
      options.mainFields = ["module", "main"];
    },
  } satisfies Options);
}
