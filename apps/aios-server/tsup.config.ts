import { bundle } from "../../tsup.base.ts";

type Config = Exclude<
  ReturnType<typeof bundle>,
  readonly unknown[] | ((...args: never) => unknown)
>;
type Plugin = NonNullable<Config["esbuildPlugins"]>[number];

/**
 * Builds `connect` as a file of its own. Chunks are shared by whole files, so that code which writes would otherwise
 * stand in one that other commands load too, and nobody could tell from the built files that they never call it (S22).
 */
const connectApart: Plugin = {
  name: "connect-apart",
  setup({ initialOptions, onResolve, onEnd, esbuild }) {
    onResolve({ filter: /\/connect\.ts$/ }, () => ({ path: "./connect.js", external: true }));
    onEnd(async () => {
      await esbuild.build({
        ...initialOptions,
        entryPoints: ["src/clients/connect.ts"],
        plugins: [],
        splitting: false,
        metafile: false,
        write: true,
      });
    });
  },
};

export default {
  ...bundle(["src/cli.ts", "src/dotaios.ts", "src/search-worker.ts", "src/read-worker.ts"]),
  esbuildPlugins: [connectApart],
};
