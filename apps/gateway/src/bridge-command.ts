import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { revealSecret } from "@core/config";
import { CommandError, type createProgram, EXIT } from "@core/terminal";
import { createLineSplitter } from "@core/wire";
import { readToken } from "./auth/token.ts";
import { type Bridge, createBridge } from "./bridge/bridge.ts";
import { createDoor, type DoorOptions } from "./bridge/door.ts";
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

/** Adds `bridge`: the daemon for a client that only starts programs. */
export function addBridgeCommand(
  program: ReturnType<typeof createProgram>,
  around: CommandSurroundings,
): void {
  program
    .command("bridge")
    .description("speak MCP on stdin and stdout, and pass it to the running gateway")
    .option("--url <url>", "the gateway's URL (default: where the configuration listens)")
    .option("--socket <path>", "the gateway's socket")
    .option(
      "--token-file <file>",
      `the token (default: ${TOKEN_VARIABLE}, else the configuration's)`,
    )
    .option("--cwd <folder>", "the folder that the client works in")
    .option("--config <file>", `the configuration (default: ${around.places.configFile})`)
    .action(async (flags: BridgeFlags) => {
      const door = createDoor(toDoor(flags, around));
      const bridge = createBridge({
        door,
        write: (json) => process.stdout.write(`${json.toString("utf8")}\n`),
      });
      await serveStdio(bridge);
    });
}

function toDoor(
  flags: BridgeFlags,
  { load, environment, folder }: CommandSurroundings,
): DoorOptions {
  if (flags.url !== undefined && flags.socket !== undefined)
    throw new CommandError("USAGE", "--url and --socket name two gateways", { status: EXIT.usage });
  const config = () => load(flags.config).config.server;
  const endpoint =
    flags.socket === undefined
      ? chooseEndpoint(
          flags.url === undefined ? config() : { listen: [], socket: undefined },
          flags.url,
        )
      : { kind: "socket" as const, path: resolve(folder, flags.socket) };
  requireFixedPort(endpoint);
  const variable = environment[TOKEN_VARIABLE];
  const file = tokenFileOf(flags, { folder, variable, configured: () => config().tokenFile });
  // A token that cannot be read is told now, and not with each request.
  if (file !== undefined) readToken(file);
  return {
    endpoint,
    cwd: flags.cwd === undefined ? undefined : resolve(folder, flags.cwd),
    token: () => (file === undefined ? variable || undefined : revealSecret(readToken(file))),
  };
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
  const parent = process.ppid;
  await new Promise<void>((end) => {
    process.stdin.on("data", (chunk: Buffer) => lines.push(chunk));
    process.stdin.on("end", () => {
      lines.end();
      end();
    });
    process.stdin.on("error", () => end());
    process.stdout.on("error", () => end());
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => end());
    // A pipe that a sibling holds open does not tell that the parent has gone.
    setInterval(() => process.ppid !== parent && end(), PARENT_POLL_MS).unref();
  });
  await bridge[Symbol.asyncDispose]();
  process.stdin.destroy();
}
