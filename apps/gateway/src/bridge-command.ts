import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { revealSecret } from "@core/config";
import { CommandError, type createProgram, EXIT, examplesText } from "@core/terminal";
import { createLineSplitter } from "@core/wire";
import { readToken } from "./auth/token.ts";
import { type Bridge, createBridge } from "./bridge/bridge.ts";
import { createDoor, type DoorOptions } from "./bridge/door.ts";
import { type GatewayPlace, readGatewayUrl, URL_VARIABLE } from "./bridge/gateway-url.ts";
import { hasGone } from "./bridge/parent.ts";
import type { LoadedConfig } from "./config/load.ts";
import { chooseEndpoint, requireFixedPort } from "./harness/endpoint.ts";
import { TOKEN_VARIABLE } from "./harness/setting.ts";
import type { CommandSurroundings } from "./init-command.ts";
import { MAX_BRIDGED_BYTES, PARENT_POLL_MS } from "./limits.ts";

interface BridgeFlags {
  readonly url?: string;
  readonly socket?: string;
  readonly tokenFile?: string;
  readonly cwd?: string;
  readonly config?: string;
}

const EXAMPLES = [
  "wraptool bridge",
  "wraptool bridge --socket ~/.local/state/wraptool/wraptool.sock --cwd .",
  "wraptool bridge --url http://127.0.0.1:8717/mcp --token-file ~/.config/wraptool/token",
];

/** Adds `bridge`: the daemon for a client that only starts programs. */
export function addBridgeCommand(
  program: ReturnType<typeof createProgram>,
  around: CommandSurroundings,
): void {
  program
    .command("bridge")
    .description("speak MCP on stdin and stdout, and pass it to the running gateway")
    .option("--url <url>", `the gateway's URL (default: ${URL_VARIABLE}, else the configuration's)`)
    .option("--socket <path>", "the gateway's socket, instead of a URL")
    .option(
      "--token-file <file>",
      `the token (default: ${TOKEN_VARIABLE}, else the configuration's)`,
    )
    .option(
      "--cwd <folder>",
      `the folder that the client works in (default: as ${URL_VARIABLE} says)`,
    )
    .option("--config <file>", `the configuration (default: ${around.places.configFile})`)
    .addHelpText("after", examplesText(EXAMPLES))
    .action(async (flags: BridgeFlags) => {
      const door = createDoor(toDoor(flags, around));
      const bridge = createBridge({
        door,
        write: (json) => process.stdout.write(`${json.toString("utf8")}\n`),
      });
      await serveStdio(bridge);
    });
}

function toDoor(flags: BridgeFlags, around: CommandSurroundings): DoorOptions {
  const { load, environment, folder } = around;
  const config = () => load(flags.config).config.server;
  const { endpoint, cwd } = findGateway(flags, { environment, folder, config });
  requireFixedPort(endpoint);
  const variable = environment[TOKEN_VARIABLE];
  const file = tokenFileOf(flags, { folder, variable, configured: () => config().tokenFile });
  // A token that cannot be read is told now, and not with each request.
  if (file !== undefined) readToken(file);
  return {
    endpoint,
    cwd: flags.cwd === undefined ? cwd : resolve(folder, flags.cwd),
    token: () => (file === undefined ? variable || undefined : revealSecret(readToken(file))),
  };
}

/** The gateway of the flags, else of the variable, as `up` sets it in a container, else of the configuration. */
function findGateway(
  { url, socket }: BridgeFlags,
  around: Pick<CommandSurroundings, "environment" | "folder"> & {
    config(): LoadedConfig["config"]["server"];
  },
): GatewayPlace {
  if (url !== undefined && socket !== undefined)
    throw new CommandError("USAGE", "--url and --socket name two gateways", { status: EXIT.usage });
  if (socket !== undefined)
    return { endpoint: { kind: "socket", path: resolve(around.folder, socket) } };
  if (url !== undefined)
    return { endpoint: chooseEndpoint({ listen: [], socket: undefined }, url) };
  const variable = around.environment[URL_VARIABLE];
  return variable
    ? readGatewayUrl(variable)
    : { endpoint: chooseEndpoint(around.config(), undefined) };
}

/** A configured file that is missing is no fault here: the gateway that is dialled may be another one, and ask for none. */
function tokenFileOf(
  { tokenFile }: BridgeFlags,
  around: { folder: string; variable: string | undefined; configured(): string | undefined },
): string | undefined {
  if (tokenFile !== undefined) return resolve(around.folder, tokenFile);
  const file = around.variable ? undefined : around.configured();
  return file !== undefined && existsSync(file) ? file : undefined;
}

/** Serves until the client closes its side, goes away, or a signal comes. */
async function serveStdio(bridge: Bridge): Promise<void> {
  const lines = createLineSplitter({
    maxBytes: MAX_BRIDGED_BYTES,
    lend: true,
    onLine: (line) => bridge.receive(Buffer.from(line)),
    onOversize: ({ head }) => bridge.receive(head),
  });
  const parent = { pid: process.ppid, now: () => process.ppid, kill: process.kill };
  await new Promise<void>((end) => {
    process.stdin.on("data", (chunk: Buffer) => lines.push(chunk));
    process.stdin.on("end", () => {
      lines.end();
      // Whoever closes its side may still read: its requests get their answers, however long they take.
      void bridge.idle().then(end);
    });
    process.stdin.on("error", () => end());
    process.stdout.on("error", () => end());
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => end());
    // A pipe that a sibling holds open does not tell that the parent has gone.
    setInterval(() => hasGone(parent, process.platform) && end(), PARENT_POLL_MS).unref();
  });
  await bridge[Symbol.asyncDispose]();
  process.stdin.destroy();
}
