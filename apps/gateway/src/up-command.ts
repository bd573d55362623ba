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
import { URL_VARIABLE } from "./bridge/gateway-url.ts";
import { type DaemonRecord, isRunning, readRecord, statePath } from "./daemon/record.ts";
import { chooseEndpoint } from "./harness/endpoint.ts";
import { TOKEN_VARIABLE } from "./harness/setting.ts";
import { exportFile, quoteCommand } from "./harness/shell.ts";
import type { CommandSurroundings } from "./init-command.ts";
import {
  type BaseSurroundings,
  baseOfDevContainer,
  baseOfImage,
  type ContainerBase,
} from "./up/container-base.ts";
import { readDevContainer } from "./up/dev-container.ts";
import { findHostAddress, type HostAddress } from "./up/host-address.ts";
import { chooseReach, type Reach, reachUrl } from "./up/reach.ts";
import {
  bridgeCommand,
  buildRunArguments,
  type ContainerPlan,
  gatewayUrl,
  TOKEN_INSIDE,
  type TokenForm,
} from "./up/run-arguments.ts";
import { findRuntime } from "./up/runtime.ts";
import { requireWorktree } from "./up/worktree.ts";

interface UpFlags {
  readonly image?: string;
  readonly devcontainer?: string;
  readonly runtime?: string;
  readonly worktree?: string;
  readonly bridge?: true;
  readonly token?: string;
  readonly url?: string;
  readonly runArg?: readonly string[];
  readonly dryRun?: true;
  readonly json?: true;
  readonly config?: string;
}

const EXAMPLES = [
  "wraptool up --image node:22 -- npx -y @anthropic-ai/claude-code",
  "wraptool up --devcontainer . -- bash",
  "wraptool up --image node:22 --bridge -- bash",
  "wraptool up --image my-agent --runtime podman --run-arg=--userns=keep-id",
  "wraptool up --image node:22 --dry-run -- bash",
];

const INSIDE_TEXT = `
Inside, ${URL_VARIABLE} leads to the gateway and ${TOKEN_VARIABLE} holds its token (with
--token file: ${TOKEN_INSIDE} does). An agent's entry refers to both, or
starts \`wraptool bridge\`, which reads them. The token is on no command line.`;

/** Adds `up`: an agent in a container, connected to the running daemon. */
export function addUpCommand(
  program: ReturnType<typeof createProgram>,
  around: CommandSurroundings,
): void {
  program
    .command("up")
    .usage("(--image IMAGE | --devcontainer DIR) [options] -- COMMAND...")
    .description("run a command in a container that has this folder and reaches the gateway")
    .argument("[command...]", "what to run (default: the image's own command)")
    .option("--image <image>", "the image to run")
    .option(
      "--devcontainer <folder>",
      "take image and options from this folder's devcontainer.json",
    )
    .option("--runtime <name>", "docker or podman (default: the first of them on the PATH)")
    .option(
      "--worktree <folder>",
      "the folder to work in (default: that of --devcontainer, or this)",
    )
    .option("--bridge", "bring the bridge along, for the socket; the image needs node 20 or newer")
    .option("--token <form>", `name: in ${TOKEN_VARIABLE}; file: mounted (default with --bridge)`)
    .option("--url <url>", "the gateway as the container dials it (default: where it listens)")
    .option("--run-arg <word>", "one more word for the runtime: --run-arg=--memory=2g", add)
    .option("--dry-run", "print the command, and run nothing")
    .option("--config <file>", `the configuration (default: ${around.places.configFile})`)
    .option("--json", "with --dry-run: print the result, or the failure, as one JSON object")
    .addHelpText("after", INSIDE_TEXT)
    .addHelpText("after", examplesText(EXAMPLES))
    .action((command: string[], flags: UpFlags) => up(command, flags, around));
}

function add(word: string, words: readonly string[] = []): string[] {
  return [...words, word];
}

async function up(
  command: readonly string[],
  flags: UpFlags,
  around: CommandSurroundings,
): Promise<void> {
  requireUsage(flags);
  const { plan, token } = await planContainer(command, flags, around);
  const args = buildRunArguments(plan);
  if (token !== undefined) requireHidden(token, args);
  for (const warning of plan.base.warnings) around.report.warn(warning);
  if (flags.dryRun) return tell(plan, args, around.report);
  const bridge = bridgeCommand(plan);
  if (bridge !== undefined) around.report.note(bridgeNote(bridge));
  const named = token !== undefined && plan.token?.form === "name" ? token : undefined;
  const env = {
    ...{ ...around.environment, ...plan.base.environment },
    ...(named && { [TOKEN_VARIABLE]: revealSecret(named) }),
  };
  await run(plan, { args, env }, around.report);
}

function requireUsage({ image, devcontainer, json, dryRun }: UpFlags): void {
  const refuse = (message: string, hint = "See wraptool up --help") =>
    new CommandError("USAGE", message, { hint, status: EXIT.usage });
  if (image !== undefined && devcontainer !== undefined)
    throw refuse("--image and --devcontainer name two images", "Leave one of them out");
  if (image === undefined && devcontainer === undefined)
    throw refuse(
      "There is no image to run",
      "Name one with --image, or the folder of a dev container with --devcontainer: wraptool up --image node:22 -- bash",
    );
  if (json && !dryRun) throw refuse("--json needs --dry-run, because stdout is the container's");
}

/** Everything is looked at before anything is started. */
async function planContainer(
  command: readonly string[],
  flags: UpFlags,
  around: CommandSurroundings,
): Promise<{ plan: ContainerPlan; token: Secret | undefined }> {
  const form = tokenForm(flags);
  const findBase = chooseBase(flags, around);
  const runtime = await findRuntime(flags.runtime, around.environment);
  const { listeners, tokenFile } = await requireDaemon(flags, around);
  const address = findHostAddress(runtime, process.platform);
  const reach = findReach(flags, listeners, address);
  const folder = resolve(around.folder, flags.worktree ?? flags.devcontainer ?? ".");
  const { cwdRoots } = around.load(flags.config).config.mcp;
  const worktree = await requireWorktree(folder, { reach, roots: cwdRoots });
  const { environment } = around;
  const base = findBase({ worktree, platform: address.platform, environment });
  const plan = {
    ...{ base, address, reach, worktree, command, options: flags.runArg ?? [] },
    token: tokenFile === undefined ? undefined : { file: tokenFile, form },
    program: flags.bridge && dirname(dirname(realpathSync(around.argv[1]))),
    isInteractive: isatty(0) && isatty(1),
  };
  return { plan, token: tokenFile === undefined ? undefined : readToken(tokenFile) };
}

/** Reads the file, if it is to be one, before the worktree is known that its variables stand for. */
function chooseBase(
  { image, devcontainer }: UpFlags,
  { folder }: CommandSurroundings,
): (around: BaseSurroundings) => ContainerBase {
  if (devcontainer === undefined) return (around) => baseOfImage(image ?? "", around);
  const dev = readDevContainer(resolve(folder, devcontainer));
  return (around) => baseOfDevContainer(dev, around);
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

/** What `up --dry-run --json` prints; the words of `command` are exactly those that would be run. */
function tell(plan: ContainerPlan, args: readonly string[], report: Report): void {
  const { base, address, reach, worktree, token } = plan;
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
  const named = Object.keys(base.environment);
  if (named.length > 0) report.note(`Set by up from containerEnv, by name: ${named.join(", ")}`);
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
