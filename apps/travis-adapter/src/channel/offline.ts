import { basename } from "node:path";
import { AdapterError } from "../errors.ts";
import type { ResolvedServer, ResolvedStdio } from "./resolve.ts";

/** Package runners that download what they lack, and the variable that forbids them to; without one they are refused. */
const RUNNERS: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> = {
  npx: { npm_config_offline: "true" },
  npm: { npm_config_offline: "true" },
  pnpm: { npm_config_offline: "true" },
  pnpx: { npm_config_offline: "true" },
  uv: { UV_OFFLINE: "1" },
  uvx: { UV_OFFLINE: "1" },
  bunx: undefined,
  pipx: undefined,
  docker: undefined,
  podman: undefined,
};

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
  const runner = runnerOf(server);
  if (runner === undefined) return server;
  const setting = RUNNERS[runner];
  if (setting !== undefined) return { ...server, env: { ...server.env, ...setting } };
  throw new AdapterError(
    "OFFLINE",
    `Offline mode refuses ${runner}, which may download what it runs; install the server and name its own command`,
  );
}

/** On Windows a runner is usually started as `cmd /c npx`. */
function runnerOf({ command, args }: ResolvedStdio): string | undefined {
  const name = programName(command);
  const shown =
    name === "cmd" && args[0]?.toLowerCase() === "/c" ? programName(args[1] ?? "") : name;
  return Object.hasOwn(RUNNERS, shown) ? shown : undefined;
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
