import { Command, CommanderError } from "commander";
import { CommandError, describeFailure, EXIT } from "./exit.ts";
import type { Report } from "./report.ts";

/** How a bin introduces itself. */
export interface ProgramOptions {
  readonly name: string;
  readonly version: string;
  /** One or two sentences: what the program is for. */
  readonly description: string;
  /** Lines shown under `--help` as `Examples:`, each a command that works as it stands. */
  readonly examples?: readonly string[];
}

/**
 * A commander program with the habits that every bin shares (W9): `--help` on each command, `--version`,
 * `--verbose`, near names for a mistyped command or flag, and no exit of its own: {@link runProgram} decides.
 */
export function createProgram(options: ProgramOptions, report: Report): Command {
  const program = new Command(options.name)
    .description(options.description)
    .version(options.version, "--version", "print the version")
    .helpOption("-h, --help", "show what a command does and its options")
    .option("--verbose", "say more on stderr while working")
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError()
    .exitOverride()
    .hook("preAction", (_program, action) => {
      report.verbose = action.optsWithGlobals().verbose === true;
    });
  // Usage errors are printed by runProgram in the house's form, so commander's own text is dropped.
  program.configureOutput({ outputError: () => {} });
  if (options.examples) program.addHelpText("after", examplesText(options.examples));
  return program;
}

/** Text for `addHelpText("after", …)`: the commands, indented under a heading. */
export function examplesText(examples: readonly string[]): string {
  return `\nExamples:\n${examples.map((line) => `  ${line}`).join("\n")}`;
}

/**
 * Parses `argv` (without node and script), runs the command and returns the exit status. A failure is one clear
 * line on stderr, or the JSON object of W9 on stdout when `--json` stands in `argv`; a stack trace goes to
 * stderr under `--verbose` alone.
 */
export async function runProgram(
  program: Command,
  argv: readonly string[],
  report: Report,
): Promise<number> {
  const flags = argv.slice(0, argv.includes("--") ? argv.indexOf("--") : argv.length);
  report.json = flags.includes("--json");
  report.verbose = flags.includes("--verbose");
  try {
    await program.parseAsync([...argv], { from: "user" });
    await report.settle();
    return report.exitCode;
  } catch (thrown) {
    if (thrown instanceof CommanderError)
      return endUsage(thrown, commandPath(program, argv), report);
    const failure = describeFailure(thrown);
    report.failure(failure);
    if (thrown instanceof Error) report.debug(stackOf(thrown));
    return failure.status;
  }
}

/** The words of the command that `argv` names, as far as the program knows them: `wraptool serve`. */
function commandPath(program: Command, argv: readonly string[]): string {
  let command = program;
  const words = [program.name()];
  for (const word of argv) {
    const next = command.commands.find((child) => child.name() === word);
    if (next === undefined) continue;
    command = next;
    words.push(word);
  }
  return words.join(" ");
}

function endUsage(error: CommanderError, path: string, report: Report): number {
  // Help and version are results, which commander reports as an error with status 0.
  if (error.exitCode === 0) return EXIT.done;
  const message =
    error.code === "commander.help"
      ? "No command was given"
      : error.message.replace(/^error: /, "").replaceAll("\n", " ");
  const usage = new CommandError("USAGE", message, {
    hint: `See ${path} --help`,
    status: EXIT.usage,
  });
  report.failure(describeFailure(usage));
  return EXIT.usage;
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : "";
  return `${error.stack ?? error.message}${cause}`;
}
