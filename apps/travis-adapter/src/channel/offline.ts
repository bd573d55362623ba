import { basename } from "node:path";
import { AdapterError } from "../errors.ts";
import type { ResolvedServer, ResolvedStdio } from "./resolve.ts";

/**
 * What forbids package runners to download: npm, npx and pnpm, Yarn, Corepack, uv and uvx, Go. Every process gets it, because
 * a runner may stand behind a shell or a script; to all others it means nothing.
 */
const OFFLINE_SETTINGS: Readonly<Record<string, string>> = {
  npm_config_offline: "true",
  pnpm_config_offline: "true",
  YARN_ENABLE_NETWORK: "0",
  COREPACK_ENABLE_NETWORK: "0",
  UV_OFFLINE: "1",
  GOPROXY: "off",
};

/** Runners without such a setting, as they are called. */
const REFUSED: ReadonlySet<string> = new Set([
  "bunx",
  "bun x",
  "pipx",
  "dnx",
  "docker",
  "podman",
  "nerdctl",
]);

/** Programs whose arguments name the program that is really run. */
const WRAPPERS: ReadonlySet<string> = new Set(
  "cmd powershell pwsh sh bash dash zsh fish ksh env nice nohup setsid timeout exec sudo".split(
    " ",
  ),
);

/** Where Deno gets code from that is not on this machine; what it has cached cannot be told apart by its environment. */
const REMOTE_CODE = /^(npm|jsr|https?):/;

/** The server as offline mode lets it run (A29). Throws an {@link AdapterError} OFFLINE if it may not run at all. */
export function requireOffline(server: ResolvedServer): ResolvedServer {
  if (server.kind === "stdio") return withoutDownloads(server);
  if (isLoopback(server.url.hostname)) return server;
  throw new AdapterError(
    "OFFLINE",
    "Offline mode refuses servers that are not on this machine; start without --offline to use it",
  );
}

function withoutDownloads(server: ResolvedStdio): ResolvedStdio {
  const refused = refusedRunner(server);
  if (refused === undefined) return { ...server, env: withSettings(server.env) };
  throw new AdapterError(
    "OFFLINE",
    `Offline mode refuses ${refused}, which may download what it runs; install the server and name its own command`,
  );
}

/** Runners read the names of these variables in any case, so an entry's own value must not stand beside ours. */
function withSettings(env: ResolvedStdio["env"]): ResolvedStdio["env"] {
  const ours = new Set(Object.keys(OFFLINE_SETTINGS).map((name) => name.toLowerCase()));
  const kept = Object.entries(env).filter(([name]) => !ours.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...OFFLINE_SETTINGS };
}

function refusedRunner({ command, args }: ResolvedStdio): string | undefined {
  const program = programName(command);
  if (program === "deno" && args.some((word) => REMOTE_CODE.test(word))) return "deno";
  const calls = WRAPPERS.has(program) ? callsIn(args) : [program, `${program} ${args[0]}`];
  return calls.find((call) => REFUSED.has(call));
}

/** A script is not parsed: any of its words may be a command, and the next one its subcommand. */
function callsIn(args: readonly string[]): string[] {
  const words = args.flatMap((word) => word.split(/[\s;&|()<>"'`$]+/)).map(programName);
  return words.flatMap((word, at) => [word, `${word} ${words[at + 1]}`]);
}

function programName(command: string): string {
  return basename(command.replaceAll("\\", "/"))
    .toLowerCase()
    .replace(/\.(cmd|exe|bat|ps1)$/, "");
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}
