import { posix } from "node:path";
import { TOKEN_VARIABLE } from "../harness/setting.ts";
import type { HostAddress } from "./host-address.ts";
import type { Reach } from "./reach.ts";

/** The variable that tells an agent where the gateway is. */
const URL_VARIABLE = "WRAPTOOL_URL";
/** Where a container finds what belongs to the gateway. */
const INSIDE = Object.freeze({
  token: "/run/wraptool/token",
  socket: "/run/wraptool/wraptool.sock",
  program: "/run/wraptool/dist/cli.js",
});

/** One container, as it is to be started. */
export interface ContainerPlan {
  readonly address: HostAddress;
  readonly reach: Reach;
  /** The folder on the host: absolute, without links. */
  readonly worktree: string;
  /** Where the token is and how it gets in: the file itself, or the variable's name, whose value the runtime takes from its environment. */
  readonly token: { readonly file: string; readonly form: TokenForm } | undefined;
  /** The folder of this program, where the container gets its bridge. */
  readonly program: string | undefined;
  /** Whether a person sits in front of it: input and output are a terminal. */
  readonly isInteractive: boolean;
  /** Options for the runtime alone. */
  readonly options: readonly string[];
  readonly image: string;
  readonly command: readonly string[];
}

export type TokenForm = "file" | "name";

/** The arguments of the runtime. They never hold the token. */
export function buildRunArguments(plan: ContainerPlan): string[] {
  const { address, reach, worktree, token, program, isInteractive, image, command } = plan;
  const workdir = insideOf(worktree, address.platform);
  return [
    ...["run", "--rm", isInteractive ? "-it" : "-i"],
    // As process 1 an agent would hear no SIGTERM and leave zombies. Podman lacks an init unless one is installed.
    ...(address.runtime === "docker" ? ["--init"] : []),
    ...(reach.kind === "url" ? reach.options : []),
    ...mount(worktree, workdir),
    ...["--workdir", workdir],
    ...(reach.kind === "socket" ? mount(reach.path, INSIDE.socket) : []),
    ...(program === undefined ? [] : mountProgram(program, address)),
    ...["-e", `${URL_VARIABLE}=${gatewayUrl(plan)}`],
    ...(token?.form === "name" ? ["-e", TOKEN_VARIABLE] : []),
    ...(token?.form === "file" ? mount(token.file, INSIDE.token, "readonly") : []),
    ...plan.options,
    image,
    ...command,
  ];
}

/** The URL of the gateway inside. For a socket it has the form that VS Code dials: the path and query after the `#`. */
export function gatewayUrl({ reach, worktree }: Pick<ContainerPlan, "reach" | "worktree">): string {
  const url = new URL(reach.kind === "url" ? reach.url : "http://localhost/mcp");
  url.searchParams.set("cwd", worktree);
  return reach.kind === "url" ? url.href : `unix://${INSIDE.socket}#${url.pathname}${url.search}`;
}

/** The command by which an agent inside starts the bridge; undefined without one. */
export function bridgeCommand(
  plan: Pick<ContainerPlan, "reach" | "worktree" | "token" | "program">,
): readonly [string, ...string[]] | undefined {
  const { reach, worktree, token, program } = plan;
  if (program === undefined) return undefined;
  const door =
    reach.kind === "url"
      ? ["--url", gatewayUrl(plan)]
      : ["--socket", INSIDE.socket, "--cwd", worktree];
  const file = token?.form === "file" ? ["--token-file", INSIDE.token] : [];
  return ["node", INSIDE.program, "bridge", ...door, ...file];
}

/** The path in a container of a folder on the host: the same one, except that `C:\code` is `/c/code`. */
function insideOf(path: string, platform: HostAddress["platform"]): string {
  if (platform !== "win32") return path;
  return path
    .replaceAll("\\", "/")
    .replace(/^([A-Za-z]):/, (_, drive: string) => `/${drive.toLowerCase()}`);
}

/** The bundle, and beside it the manifest that tells node how to read it. */
function mountProgram(folder: string, { platform }: HostAddress): string[] {
  const separator = platform === "win32" ? "\\" : "/";
  const inside = posix.dirname(posix.dirname(INSIDE.program));
  return ["dist", "package.json"].flatMap((name) =>
    mount(folder + separator + name, posix.join(inside, name), "readonly"),
  );
}

/** `--mount` and not `-v`: it takes paths with a colon, and makes no folder where the source is missing. */
function mount(source: string, target: string, ...options: readonly string[]): string[] {
  const fields = ["type=bind", `source=${source}`, `target=${target}`, ...options];
  return ["--mount", fields.map(quoteField).join(",")];
}

/** The fields are a line of CSV (RFC 4180). */
function quoteField(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
