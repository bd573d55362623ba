// A program that runs a command in its place, as our apps do. Bundled and run by foreground.test.ts.
import { runForeground } from "../src/foreground.ts";

const [cwd, command = "", ...args] = process.argv.slice(2);
const { code } = await runForeground({
  ...{ command, args, cwd },
  env: { ONLY: "this" },
  onTerminal: false,
  signals: process,
});
process.exitCode = code ?? 1;
