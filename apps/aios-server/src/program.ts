import { homedir } from "node:os";
import {
  CommandError,
  createProgram,
  createReport,
  EXIT,
  type Report,
  runProgram,
} from "@core/terminal";
import { resolveFolder } from "./arguments/folder.ts";
import { AGENTS, type Agent, findAgent } from "./clients/agent.ts";
import { npxLaunch } from "./clients/launch.ts";
import { examineFolder, type Finding, folderState, MIGRATOR } from "./doctor.ts";
import { limits } from "./limits.ts";
import { reportFailure } from "./response/failure.ts";
import { contextNotices } from "./response/notices.ts";
import { renderSkills } from "./response/terminal.ts";
import { answerText } from "./response/tool.ts";
import { type AiosServer, createAiosServer } from "./server.ts";

declare const __VERSION__: string;

/** The two names of the program. Only the first serves when no command is given. */
export type BinName = "dotaios-mcp" | "dotaios";

type Command = ReturnType<typeof createProgram>;

/** One run of the program: its commands, where it speaks, and the folder that the flags name. */
interface Run {
  readonly program: Command;
  readonly report: Report;
  folder(): string;
  server(): AiosServer;
}

const DESCRIPTION =
  "Reads one folder of notes and memory (AIOS) for MCP clients. Never writes to it.";

/** Runs the command line of this process under one of its names and returns the exit status. */
export async function runCli(name: BinName): Promise<number> {
  const { stdin, stdout, stderr, env } = process;
  const report = createReport({ stdout, stderr, environment: env });
  const examples = [
    `${name} brief --path ~/aios --budget 2000`,
    `${name} mcp install --agent codex`,
  ];
  const program = createProgram(
    { name, version: __VERSION__, description: DESCRIPTION, examples },
    report,
  );
  program.option("--path <dir>", "the AIOS folder (else DOTAIOS_PATH, else ~/aios)", parsePath);

  const home = homedir();
  const folder = () =>
    resolveFolder(program.opts<{ path?: string }>().path, {
      environment: env,
      home,
      cwd: process.cwd(),
    });
  const server = () =>
    createAiosServer({
      folder: folder(),
      version: __VERSION__,
      home,
      onFailure: (thrown) => report.debug(`call failed: ${describe(thrown)}`),
    });
  const run: Run = { program, report, folder, server };
  // A person who types `dotaios` gets the list of commands; a server that waits in silence would look like a hang.
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

/** The tools as commands: the same arguments as flags, the same answer with `--json`. */
function addToolCommands({ program, report, server }: Run): void {
  const print = (text: string, answer: string) =>
    void process.stdout.write(`${report.json ? answer : text}\n`);

  program
    .command("brief")
    .description("print the working context that read_working_context returns")
    .option("--compact", "the same; the projection is always compact")
    .option(...MEMORY)
    .option(...PROJECT)
    .option("--limit <n>", `recent sessions, ${rangeOf("ContextSessions")}`, parseInteger)
    .option("--budget <n>", `characters of Markdown, ${rangeOf("ContextBudget")}`, parseInteger)
    .option(...JSON_ANSWER)
    .action(({ compact: _, json: __, ...given }: Record<string, unknown>) => {
      const answer = refusing(() => server().readWorkingContext(given));
      for (const notice of contextNotices(answer)) report.note(notice);
      print(answer.markdown, answerText(answer));
    });

  program
    .command("skill")
    .description("print the installed skills that fit an intent, as resolve_skill finds them")
    .argument("<intent...>", "what is to be done, in any words")
    .option(...MEMORY)
    .option(...PROJECT)
    .option("--limit <n>", `skills, ${rangeOf("SkillMatches")}`, parseInteger)
    .option("--budget <n>", `characters of the answer, ${rangeOf("SkillBudget")}`, parseInteger)
    .option(...JSON_ANSWER)
    .action((intent: string[], { json: _, ...given }: Record<string, unknown>) => {
      const text = refusing(() => server().resolveSkill({ ...given, intent: intent.join(" ") }));
      const answer = JSON.parse(text);
      if (answer.skipped)
        report.note(`${answer.skipped.skills} unreadable skill(s) were passed over`);
      print(renderSkills(answer), text);
    });
}

/** What concerns the clients that start the server. */
function addClientCommands({ program, report, folder, server }: Run): void {
  const launch = () =>
    npxLaunch({ version: __VERSION__, folder: folder(), platform: process.platform });
  const around = () => ({
    home: homedir(),
    folder: process.cwd(),
    environment: process.env,
    platform: process.platform,
  });

  const mcp = program.command("mcp").description("what a client needs to start the server");
  mcp
    .command("status", { isDefault: true })
    .description("say what would run, with which tools, over which folder")
    .option(...JSON_REPORT)
    .action(() => {
      const { command, args } = launch();
      const launcher = [command, ...args];
      const tools = server().tools.map(({ name }) => name);
      const state = folderState({ folder: folder() });
      const lines = [
        `DotAIOS MCP server ${__VERSION__}, read-only, experimental and optional`,
        `AIOS folder:  ${folder()}`,
        `Folder state: ${state.status === "inspection_failed" ? `${state.code}, see dotaios doctor` : state.status}`,
        `Launcher:     ${launcher.join(" ")}`,
        "Transport:    stdio",
        `Tools:        ${tools.join(", ")}`,
        "",
        `Next: ${program.name()} mcp install --agent ${AGENTS.join("|")}`,
      ];
      report.result(lines.join("\n"), {
        version: __VERSION__,
        folder: folder(),
        state,
        launcher,
        transport: "stdio",
        tools,
      });
    });
  mcp
    .command("install")
    .description(
      "print what to merge into a client's file; writes nothing, with or without --dry-run",
    )
    .requiredOption("--agent <name>", AGENTS.join(", "), parseAgent)
    .option("--dry-run", "the same; nothing is ever written")
    .option(...JSON_REPORT)
    .action(async ({ agent }: { agent: Agent }) => {
      const { fragmentFor } = await import("./clients/fragment.ts");
      const fragment = fragmentFor(agent, launch(), around());
      if (folderState({ folder: folder() }).status === "inspection_failed")
        report.warn(`${folder()} is not an AIOS folder in order: see ${program.name()} doctor`);
      const lines = [
        `DotAIOS MCP for ${fragment.title} (nothing is written)`,
        `Agent:            ${fragment.agent}`,
        `AIOS folder:      ${folder()}`,
        `Suggested target: ${fragment.target}`,
        `Format:           ${fragment.format}`,
        "",
        "Merge this into the file; do not replace the file:",
        "",
        fragment.text,
        ...fragment.next.map((step) => `- ${step}`),
      ];
      report.result(lines.join("\n"), { ...fragment, folder: folder() });
    });

  const connect = program.command("connect").description("put the server into a client's file");
  connect
    .command("opencode")
    .description("merge the server into OpenCode's file; the only command that writes")
    .option("--dry-run", "show the change and write nothing")
    .option(...JSON_REPORT)
    .action(async ({ dryRun = false }: { dryRun?: boolean }) => {
      requireFolder(folder());
      // In a chunk of its own: whatever writes is reachable from here alone (S22).
      const { connect, planConnection } = await import("./clients/connect.ts");
      const connection = await planConnection(launch(), around());
      const { path } = connection.state;
      const isChange = connection.diff !== "";
      if (isChange && !dryRun) await connect(connection);
      const outcome = !isChange ? "Already in" : dryRun ? "Would change" : "Changed";
      const text = [
        `${outcome} ${path}`,
        connection.diff,
        ...connection.next.map((step) => `- ${step}`),
      ];
      report.result(text.filter((part) => part !== "").join("\n"), {
        agent: "opencode",
        target: path,
        changed: isChange && !dryRun,
        diff: connection.diff,
        next: connection.next,
      });
    });
}

/** What concerns the folder's own state. */
function addFolderCommands({ program, report, folder }: Run): void {
  program
    .command("doctor")
    .description("report the folder's state and what to do about it; reads only")
    .option(...JSON_REPORT)
    .action(() => {
      const findings = examineFolder({ folder: folder() });
      const errors = findings.filter(({ level }) => level === "error").length;
      report.exitCode = errors > 0 ? EXIT.failed : EXIT.done;
      report.result(findingsText(findings), { ok: errors === 0, folder: folder(), findings });
    });
  program
    .command("migrate")
    .description("say which program migrates the folder; this one writes nothing")
    .option(...JSON_REPORT)
    .action(() => {
      throw new CommandError(
        "NOT_HERE",
        "This program only reads, so it does not migrate a folder",
        {
          hint: `The program that wrote the folder does, on the same folder: ${MIGRATOR}`,
        },
      );
    });
}

function findingsText(findings: readonly Finding[]): string {
  if (findings.length === 0) return "The folder is as this program expects it.";
  return findings
    .map(({ level, subject, reason, remedy }) => `${level}: ${subject}: ${reason}\n  ${remedy}`)
    .join("\n");
}

const MEMORY = ["--memory <mode>", "shared, project or off"] as const;
const PROJECT = ["--project <name>", "only this project: its folder name, id or alias"] as const;
const JSON_ANSWER = ["--json", "print the tool's own answer"] as const;
const JSON_REPORT = ["--json", "print one JSON object"] as const;

type Range = "ContextSessions" | "ContextBudget" | "SkillMatches" | "SkillBudget";

function rangeOf(what: Range): string {
  return `${limits[`min${what}`]} to ${limits[`max${what}`]}`;
}

/** A client would start the server over this folder from now on, so it has to be one. */
function requireFolder(folder: string): void {
  const state = folderState({ folder });
  if (state.status === "inspection_failed" && state.code === "MISSING_FILE")
    throw new CommandError("FOLDER_NOT_AIOS", `${folder} is missing or holds no aios.json`, {
      hint: "Name the right folder with --path",
    });
}

function parsePath(value: string): string {
  if (value === "" || value.startsWith("--")) throw usage("--path needs a folder");
  return value;
}

function parseInteger(value: string): number {
  if (!/^-?\d{1,15}$/.test(value)) throw usage("--limit and --budget need a whole number");
  return Number(value);
}

function parseAgent(value: string): Agent {
  const agent = findAgent(value);
  if (agent === undefined) throw usage(`--agent is one of ${AGENTS.join(", ")}`);
  return agent;
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

/** For the log alone: the code, or the stack of what nobody foresaw. */
function describe(thrown: unknown): string {
  const { code } = reportFailure(thrown);
  return code === "INTERNAL" && thrown instanceof Error ? String(thrown.stack) : code;
}
