#!/usr/bin/env node
import { homedir } from "node:os";
import { CommandError, createProgram, createReport, EXIT, runProgram } from "@core/terminal";
import { resolveFolder } from "./arguments/folder.ts";
import { limits } from "./limits.ts";
import { reportFailure } from "./response/failure.ts";
import { contextNotices } from "./response/notices.ts";
import { answerText } from "./response/tool.ts";
import { type AiosServer, createAiosServer } from "./server.ts";

declare const __VERSION__: string;

const { stdin, stdout, stderr, env } = process;
const report = createReport({ stdout, stderr, environment: env });
const program = createProgram(
  {
    name: "dotaios-mcp",
    version: __VERSION__,
    description:
      "Serves one folder of notes and memory (AIOS) to MCP clients, over stdin and stdout. Never writes.",
    examples: ["dotaios-mcp --path ~/aios", "dotaios-mcp brief --path ~/aios --budget 2000"],
  },
  report,
);

program
  .option("--path <dir>", "the AIOS folder (else DOTAIOS_PATH, else ~/aios)", parsePath)
  .action(async () => {
    if (stdin.isTTY) report.note("Speaking MCP on stdin and stdout; press Ctrl+D to end.");
    await openServer().serve(stdin, stdout);
  });

program
  .command("brief")
  .description("print the working context that read_working_context returns")
  .option("--compact", "the same; the projection is always compact")
  .option("--memory <mode>", "shared, project or off")
  .option("--project <name>", "only this project: its folder name, id or alias")
  .option("--limit <n>", `recent sessions, ${rangeOf("ContextSessions")}`, parseInteger)
  .option("--budget <n>", `characters of Markdown, ${rangeOf("ContextBudget")}`, parseInteger)
  .option("--json", "print the tool's own answer")
  .action(({ compact: _, json: __, ...given }: Record<string, unknown>) => {
    const answer = refusing(() => openServer().readWorkingContext(given));
    for (const notice of contextNotices(answer)) report.note(notice);
    stdout.write(`${report.json ? answerText(answer) : answer.markdown}\n`);
  });

process.exitCode = await runProgram(program, process.argv.slice(2), report);

function openServer(): AiosServer {
  const { path } = program.opts<{ path?: string }>();
  const folder = resolveFolder(path, { environment: env, home: homedir(), cwd: process.cwd() });
  const onFailure = (thrown: unknown) => report.debug(`call failed: ${describe(thrown)}`);
  return createAiosServer({ folder, version: __VERSION__, onFailure });
}

/** For the log alone: the code, or the stack of what nobody foresaw. */
function describe(thrown: unknown): string {
  const { code } = reportFailure(thrown);
  return code === "INTERNAL" && thrown instanceof Error ? String(thrown.stack) : code;
}

function rangeOf(what: "ContextSessions" | "ContextBudget"): string {
  return `${limits[`min${what}`]} to ${limits[`max${what}`]}`;
}

function parsePath(value: string): string {
  if (value === "" || value.startsWith("--")) throw usage("--path needs a folder");
  return value;
}

function parseInteger(value: string): number {
  if (!/^-?\d{1,15}$/.test(value)) throw usage("--limit and --budget need a whole number");
  return Number(value);
}

function usage(message: string): CommandError {
  return new CommandError("USAGE", message, {
    hint: "See dotaios-mcp --help",
    status: EXIT.usage,
  });
}

/** Runs a tool; what it refuses ends the command with the tool's own code and sentence. */
function refusing<T>(call: () => T): T {
  try {
    return call();
  } catch (thrown) {
    const { code, sentence } = reportFailure(thrown);
    throw new CommandError(code, sentence, { cause: thrown });
  }
}
