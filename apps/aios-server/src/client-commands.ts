import { CommandError } from "@core/terminal";
import { AGENTS, type Agent, findAgent } from "./clients/agent.ts";
import { type Launch, npxLaunch } from "./clients/launch.ts";
import { folderState } from "./doctor.ts";
import { type Run, usage } from "./run.ts";

const JSON_FLAG = ["--json", "print one JSON object"] as const;

/** Adds what concerns the clients that start the server. */
export function addClientCommands(run: Run): void {
  const mcp = run.program
    .command("mcp")
    .description("say what a client needs to start the server (status, install)");
  mcp
    .command("status")
    .description("say what would run, with which tools, over which folder")
    .option(...JSON_FLAG)
    .action(() => showStatus(run));
  mcp
    .command("install")
    .description("print what to merge into a client's file; writes nothing, ever")
    .requiredOption("--agent <name>", AGENTS.join(", "), parseAgent)
    .option("--dry-run", "the same")
    .option(...JSON_FLAG)
    .action(({ agent }: { agent: Agent }) => showFragment(run, agent));
  run.program
    .command("connect")
    .description("put the server into a client's file (opencode)")
    .command("opencode")
    .description("merge the server into OpenCode's file; the only command that writes")
    .option("--dry-run", "show the change and write nothing")
    .option(...JSON_FLAG)
    .action(({ dryRun = false }: { dryRun?: boolean }) => connectOpencode(run, dryRun));
}

function showStatus(run: Run): void {
  const { report, program, version } = run;
  const folder = run.folder();
  const { command, args } = launchOf(run);
  const launcher = [command, ...args];
  const tools = run.server().tools.map(({ name }) => name);
  const state = folderState({ folder });
  const inWords =
    state.status === "inspection_failed"
      ? `${state.code}, see ${program.name()} doctor`
      : `${state.status} (schema ${state.folderVersion})`;
  const lines = [
    `DotAIOS MCP server ${version}: read-only, experimental and optional`,
    `AIOS folder:   ${folder}`,
    `Folder state:  ${inWords}`,
    `Launcher:      ${launcher.join(" ")}`,
    "Transport:     stdio",
    `Tools:         ${tools.join(", ")}`,
    `Next:          ${program.name()} mcp install --agent ${AGENTS.join("|")}`,
  ];
  report.result(lines.join("\n"), { version, folder, state, launcher, transport: "stdio", tools });
}

async function showFragment(run: Run, agent: Agent): Promise<void> {
  const { fragmentFor } = await import("./clients/fragment.ts");
  const fragment = fragmentFor(agent, launchOf(run), aroundOf(run));
  const folder = run.folder();
  if (isMissing(folder))
    run.report.warn(`${folder} is missing or holds no aios.json; is it the right --path?`);
  const lines = [
    `DotAIOS MCP for ${fragment.title}; nothing is written`,
    `Agent:             ${agent}`,
    `AIOS folder:       ${folder}`,
    `Suggested target:  ${fragment.target}`,
    `Format:            ${fragment.format}`,
    "",
    "Merge this into the file, do not replace the file:",
    "",
    fragment.text.trimEnd(),
    "",
    ...fragment.next.map((step) => `- ${step}`),
  ];
  run.report.result(lines.join("\n"), { ...fragment, folder });
}

async function connectOpencode(run: Run, isDryRun: boolean): Promise<void> {
  const folder = run.folder();
  // A client would start the server over this folder from now on.
  if (isMissing(folder))
    throw new CommandError("FOLDER_NOT_AIOS", `${folder} is missing or holds no aios.json`, {
      hint: "Name the right folder with --path",
    });
  // Whatever can write is in the file behind this import, and nothing else imports it (S22).
  const { connect, planConnection } = await import("./clients/connect.ts");
  const connection = await refusing(() => planConnection(launchOf(run), aroundOf(run)), run);
  const { state, diff, next } = connection;
  const isChange = state.text !== connection.text;
  const changed = isChange && !isDryRun;
  if (changed) await refusing(() => connect(connection), run);
  const outcome = !isChange ? "Already connected in" : changed ? "Changed" : "Would change";
  const lines = [
    `${outcome} ${state.path}`,
    "",
    ...(isChange ? [diff] : []),
    ...next.map((step) => `- ${step}`),
  ];
  run.report.result(lines.join("\n"), {
    agent: "opencode",
    target: state.path,
    changed,
    diff,
    next,
  });
}

/** A refused file is as it was; what is left is to merge by hand. Told by its name, as its class is in the other file. */
async function refusing<T>(act: () => Promise<T>, { program }: Run): Promise<T> {
  try {
    return await act();
  } catch (thrown) {
    if (!(thrown instanceof Error) || thrown.name !== "ClientFileError") throw thrown;
    const { code } = thrown as Error & { code: string };
    throw new CommandError(code, thrown.message, {
      hint: `Nothing was changed. To merge by hand: ${program.name()} mcp install --agent opencode`,
      cause: thrown,
    });
  }
}

function launchOf({ version, platform, folder }: Run): Launch {
  return npxLaunch({ version, platform, folder: folder() });
}

function aroundOf({ home, cwd, environment, platform }: Run) {
  return { home, folder: cwd, environment, platform };
}

function isMissing(folder: string): boolean {
  const state = folderState({ folder });
  return state.status === "inspection_failed" && state.code === "MISSING_FILE";
}

function parseAgent(value: string): Agent {
  const agent = findAgent(value);
  if (agent === undefined) throw usage(`--agent is one of ${AGENTS.join(", ")}`);
  return agent;
}
