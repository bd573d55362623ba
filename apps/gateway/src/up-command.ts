import { realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isatty } from "node:tty";
import { revealSecret, type Secret } from "@core/config";
import {
  CommandError,
  type createProgram,
  EXIT,
  examplesText,
  type Report,
  signalExit,
} from "@core/terminal";
import { type Environment, runForeground } from "@core/wire";
import { readToken } from "./auth/token.ts";
import { type DaemonRecord, isRunning, readRecord, statePath } from "./daemon/record.ts";
import { chooseEndpoint } from "./harness/endpoint.ts";
import { TOKEN_VARIABLE } from "./harness/setting.ts";
import type { CommandSurroundings } from "./init-command.ts";
import { findHostAddress, type HostAddress } from "./up/host-address.ts";
import { chooseReach, type Reach, reachUrl } from "./up/reach.ts";
import {
  bridgeCommand,
  buildRunArguments,
  type ContainerPlan,
  gatewayUrl,
  type TokenForm,
} from "./up/run-arguments.ts";
import { findRuntime } from "./up/runtime.ts";
import { exportFile, quoteCommand } from "./up/shell.ts";
import { requireWorktree } from "./up/worktree.ts";

interface UpFlags {
  readonly runtime?: string;
  readonly worktree?: string;
  readonly bridge?: true;
  readonly token?: string;
  readonly url?: string;
  readonly dryRun?: true;
  readonly json?: true;
  readonly config?: string;
}

type Asked = Pick<ContainerPlan, "options" | "image" | "command">;

/** Options that `run` of both runtimes has, given to it as they come. */
const PASSED_ON = [
  ["--env", "-e, --env <name[=value]>", "a variable of the container"],
  ["--volume", "-v, --volume <mount>", "a further mount"],
  ["--publish", "-p, --publish <ports>", "a port of the container that the host serves"],
  ["--user", "-u, --user <user>", "who runs the command"],
  ["--name", "--name <name>", "the container's name"],
  ["--network", "--network <network>", "the network that it joins"],
] as const;

const EXAMPLES = [
  "wraptool up node:22 -- npx -y @anthropic-ai/claude-code",
  "wraptool up --bridge node:22 -- bash",
  "wraptool up --runtime podman --run-arg=--userns=keep-id my-agent",
  "wraptool up --dry-run node:22 -- bash",
];

/** Adds `up`: an agent in a container, connected to the running daemon. */
export function addUpCommand(
  program: ReturnType<typeof createProgram>,
  around: CommandSurroundings,
): void {
  const options: string[] = [];
  const command = program
    .command("up")
    .usage("[options] IMAGE [-- COMMAND...]")
    .description("run a container that has this folder at its own path and reaches the gateway")
    .argument("<image>", "the image to run")
    .argument("[command...]", "what to run in it (default: the image's own command)")
    .option("--runtime <name>", "docker or podman (default: the first of them on the PATH)")
    .option("--worktree <folder>", "the folder to work in (default: this one)")
    .option("--bridge", "bring the bridge along; the image needs node 20 or newer")
    .option("--token <form>", `name: in ${TOKEN_VARIABLE}; file: mounted (default with --bridge)`)
    .option("--url <url>", "the gateway as the container dials it (default: where it listens)");
  for (const [name, flags, description] of PASSED_ON)
    command.option(flags, `for the runtime: ${description}`, (value) => options.push(name, value));
  command
    .option("--run-arg <word>", "for the runtime: any further word", (word) => options.push(word))
    .option("--dry-run", "print the command, and run nothing")
    .option("--config <file>", `the configuration (default: ${around.places.configFile})`)
    .option("--json", "with --dry-run: print the result, or the failure, as one JSON object")
    .addHelpText("after", examplesText(EXAMPLES))
    .action((image: string, words: string[], flags: UpFlags) =>
      up({ options, image, command: words }, flags, around),
    );
}

async function up(asked: Asked, flags: UpFlags, around: CommandSurroundings): Promise<void> {
  if (flags.json && !flags.dryRun)
    throw new CommandError("USAGE", "--json needs --dry-run, because stdout is the container's", {
      hint: "See wraptool up --help",
      status: EXIT.usage,
    });
  const { plan, token } = await planContainer(asked, flags, around);
  const args = buildRunArguments(plan);
  if (token !== undefined) requireHidden(token, args);
  if (flags.dryRun) return tell(plan, args, around.report);
  const bridge = bridgeCommand(plan);
  if (bridge !== undefined) around.report.note(bridgeNote(bridge));
  const env = token && plan.token?.form === "name" ? withToken(token, around) : around.environment;
  await run(plan, { args, env }, around.report);
}

/** Everything is looked at before anything is started. */
async function planContainer(
  asked: Asked,
  flags: UpFlags,
  around: CommandSurroundings,
): Promise<{ plan: ContainerPlan; token: Secret | undefined }> {
  const form = tokenForm(flags);
  const runtime = await findRuntime(flags.runtime, around.environment);
  const { listeners, tokenFile } = await requireDaemon(flags, around);
  const address = findHostAddress(runtime, process.platform);
  const reach = findReach(flags, listeners, address);
  const worktree = await requireWorktree(resolve(around.folder, flags.worktree ?? "."), {
    reach,
    roots: around.load(flags.config).config.mcp.cwdRoots,
  });
  const plan = {
    ...{ ...asked, address, reach, worktree },
    token: tokenFile === undefined ? undefined : { file: tokenFile, form },
    program: flags.bridge && dirname(dirname(realpathSync(around.argv[1]))),
    isInteractive: isatty(0) && isatty(1),
  };
  return { plan, token: tokenFile === undefined ? undefined : readToken(tokenFile) };
}

/** By name an agent's own entry can refer to it; a bridge reads the file, which no process list or inspection shows. */
function tokenForm({ token, bridge }: UpFlags): TokenForm {
  if (token === undefined) return bridge ? "file" : "name";
  if (token === "file" || token === "name") return token;
  throw new CommandError("INVALID_TOKEN_FORM", "--token must be name or file");
}

async function requireDaemon(
  { config }: UpFlags,
  { places }: CommandSurroundings,
): Promise<DaemonRecord> {
  const file = resolve(config ?? places.configFile);
  const record = readRecord(statePath(places.stateFolder, "daemon", file));
  if (record !== undefined && (await isRunning(record))) return record;
  throw new CommandError("NOT_RUNNING", `No daemon runs with ${file}`, {
    hint: "Start one: wraptool serve",
  });
}

function findReach(
  { url, bridge }: UpFlags,
  listeners: readonly string[],
  address: HostAddress,
): Reach {
  const named =
    url === undefined ? undefined : chooseEndpoint({ listen: [], socket: undefined }, url);
  return named?.kind === "url"
    ? reachUrl(named.url, address)
    : chooseReach(listeners, { address, withBridge: bridge === true });
}

/** Others on this machine can read the command lines of processes. */
function requireHidden(token: Secret, args: readonly string[]): void {
  if (!args.some((word) => word.includes(revealSecret(token)))) return;
  throw new CommandError("TOKEN_SHOWN", "The token itself stands among the words of the command", {
    hint: `Leave it out: the container gets it as ${TOKEN_VARIABLE}, or as a file with --token file`,
  });
}

function withToken(token: Secret, { environment }: CommandSurroundings): Environment {
  return { ...environment, [TOKEN_VARIABLE]: revealSecret(token) };
}

/** What `up --dry-run --json` prints; the words of `command` are exactly those that would be run. */
function tell(plan: ContainerPlan, args: readonly string[], report: Report): void {
  const { address, reach, worktree, token } = plan;
  const command = [address.runtime, ...args];
  const bridge = bridgeCommand(plan);
  report.result(quoteCommand(command, process.platform), {
    ...{ runtime: address.runtime, command },
    ...{ reach: reach.kind, url: gatewayUrl(plan), worktree },
    token: token?.form ?? null,
    bridge: bridge ?? null,
  });
  if (report.json) return;
  if (token?.form === "name") {
    const line = exportFile(TOKEN_VARIABLE, token.file, process.platform);
    report.note(`To run it by hand, set the token first: ${line}`);
  }
  if (bridge !== undefined) report.note(bridgeNote(bridge));
}

function bridgeNote(bridge: readonly string[]): string {
  return `An agent in the container starts the gateway with: ${quoteCommand(bridge, "linux")}`;
}

/** Hands the terminal over, and ends as the container does. */
async function run(
  { address }: ContainerPlan,
  { args, env }: { args: readonly string[]; env: Environment },
  report: Report,
): Promise<void> {
  const command = address.runtime;
  const onTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  try {
    const ended = await runForeground({ command, args, env, onTerminal, signals: process });
    const { code, signal } = ended;
    report.exitCode = signal === null ? (code ?? EXIT.failed) : signalExit(signal);
  } catch (cause) {
    const { code = "fault" } = cause as NodeJS.ErrnoException;
    throw new CommandError("CANNOT_RUN", `${command} could not be started (${code})`, {
      hint: `See whether ${command} version works in this shell`,
      cause,
    });
  }
}
