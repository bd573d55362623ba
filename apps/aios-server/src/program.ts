import { homedir } from "node:os";
import { createProgram, createReport, runProgram } from "@core/terminal";
import { resolveFolder } from "./arguments/folder.ts";
import { addClientCommands } from "./client-commands.ts";
import { addFolderCommands } from "./folder-commands.ts";
import { reportFailure } from "./response/failure.ts";
import { type Run, usage } from "./run.ts";
import { createSearchThread } from "./search/thread.ts";
import type { SearchWorkerData } from "./search-worker.ts";
import { createAiosServer } from "./server.ts";
import { addToolCommands } from "./tool-commands.ts";

declare const __VERSION__: string;

const DESCRIPTION =
  "Reads one folder of notes and memory (AIOS) for MCP clients. Never writes to it.";

/** Stands beside this file once both are built. */
const SEARCH_WORKER = new URL("./search-worker.js", import.meta.url);

/**
 * Runs this process's command line and returns the exit status. Without a command `dotaios-mcp` is the server, which is
 * what clients start; `dotaios`, which is typed by people, shows its commands, since a server that waits in silence
 * would look like a hang.
 */
export async function runCli(name: "dotaios-mcp" | "dotaios"): Promise<number> {
  const { stdin, stdout, stderr, env: environment, platform } = process;
  const report = createReport({ stdout, stderr, environment });
  const examples = [`${name} brief --path ~/aios`, `${name} mcp install --agent codex`];
  const version = __VERSION__;
  const program = createProgram({ name, version, description: DESCRIPTION, examples }, report);
  program.option("--path <dir>", "the AIOS folder (else DOTAIOS_PATH, else ~/aios)", parsePath);

  const home = homedir();
  const cwd = process.cwd();
  const folder = () =>
    resolveFolder(program.opts<{ path?: string }>().path, { environment, home, cwd });
  const onFailure = (thrown: unknown) => report.debug(`call failed: ${describe(thrown)}`);
  const server = () => {
    const place = { folder: folder(), version, home } satisfies SearchWorkerData;
    const startSearchThread = () => createSearchThread(SEARCH_WORKER, place);
    return createAiosServer({ ...place, onFailure, startSearchThread });
  };
  const print = (text: string) => void stdout.write(text);
  const run: Run = {
    program,
    report,
    version,
    environment,
    platform,
    home,
    cwd,
    folder,
    server,
    print,
  };

  if (name === "dotaios-mcp")
    program.action(async () => {
      if (stdin.isTTY) report.note("Speaking MCP on stdin and stdout; press Ctrl+D to end.");
      await server().serve(stdin, stdout);
    });
  addToolCommands(run);
  addClientCommands(run);
  addFolderCommands(run);
  return runProgram(program, process.argv.slice(2), report);
}

function parsePath(value: string): string {
  if (value === "" || value.startsWith("--")) throw usage("--path needs a folder");
  return value;
}

/** For the log alone: the code, or the stack of what nobody foresaw. */
function describe(thrown: unknown): string {
  const { code } = reportFailure(thrown);
  return code === "INTERNAL" && thrown instanceof Error ? String(thrown.stack) : code;
}
