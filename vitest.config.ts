import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Tests read the workspace's sources, never a stale dist: the "bounded-mcp-source" condition of each package's exports.
const conditions = ["bounded-mcp-source", "node", "import", "module", "default"];
// The examples of the packages' READMEs run in the project "fixtures", which depends on none of the packages.
const alias = ["bounds", "config", "wire", "clients", "terminal"].map((name) => ({
  find: `@core/${name}`,
  replacement: fileURLToPath(new URL(`packages/${name}/src/index.ts`, import.meta.url)),
}));
// `npm run fuzz` gives every property test more inputs, and counts them.
const setupFiles = process.env.FUZZ_RUNS
  ? [fileURLToPath(new URL("test-fixtures/fuzz/setup.ts", import.meta.url))]
  : [];
const project = (name: string, root: string) => ({
  resolve: { conditions, alias },
  ssr: { resolve: { conditions } },
  define: { __VERSION__: JSON.stringify("0.0.0-test") },
  test: {
    name,
    root,
    include: ["**/*.test.ts"],
    setupFiles,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});

export default defineConfig({
  test: {
    // Most tests wait for processes: with one worker, which is vitest's choice on two cores, half of them would idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      project("bounds", "packages/bounds"),
      project("config", "packages/config"),
      project("wire", "packages/wire"),
      project("clients", "packages/clients"),
      project("terminal", "packages/terminal"),
      project("aios-server", "apps/aios-server"),
      project("gateway", "apps/gateway"),
      project("travis-adapter", "apps/travis-adapter"),
      project("fixtures", "test-fixtures"),
    ],
    reporters: ["default", "./scripts/closing-line.mjs"],
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**", "apps/*/src/**"],
      reporter: ["text", "lcov"],
    },
  },
});
