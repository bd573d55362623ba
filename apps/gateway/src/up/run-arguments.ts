import { posix } from "node:path";
import { formatGatewayUrl, URL_VARIABLE } from "../bridge/gateway-url.ts";
import { TOKEN_VARIABLE } from "../harness/setting.ts";
import type { ContainerBase } from "./container-base.ts";
import type { HostAddress } from "./host-address.ts";
import { insidePath } from "./inside-path.ts";
import { bindMount, type Mount, mountOptions } from "./mount.ts";
import type { Reach } from "./reach.ts";

/** Where a container finds a token that comes as a file. */
export const TOKEN_INSIDE = "/run/wraptool/token";
/** Where it finds what else belongs to the gateway. */
const INSIDE = Object.freeze({
  socket: "/run/wraptool/wraptool.sock",
  program: "/run/wraptool/dist/cli.js",
});

/** One container, as it is to be started. */
export interface ContainerPlan {
  readonly base: ContainerBase;
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
  /** Further options of the caller, which win over all others. */
  readonly options: readonly string[];
  readonly command: readonly string[];
}

export type TokenForm = "file" | "name";

/** The arguments of the runtime. They never hold the token. Of options that exclude each other the last one wins. */
export function buildRunArguments(plan: ContainerPlan): string[] {
  const { base, address, reach, token, isInteractive } = plan;
  const own = ownMounts(plan);
  const taken = new Set(own.map(({ target }) => target));
  return [
    "run",
    // Of two lines for one name in /etc/hosts the first one wins.
    ...(reach.kind === "url" ? reach.options : []),
    ...base.options,
    ...mountOptions(base.mounts.filter(({ target }) => !taken.has(target))),
    ...["--rm", isInteractive ? "-it" : "-i"],
    // As process 1 an agent would hear no SIGTERM and leave zombies. Podman lacks an init unless one is installed.
    ...(address.runtime === "docker" ? ["--init"] : []),
    ...mountOptions(own),
    ...["--workdir", base.workdir],
    ...["-e", `${URL_VARIABLE}=${gatewayUrl(plan)}`],
    ...(token?.form === "name" ? ["-e", TOKEN_VARIABLE] : []),
    ...plan.options,
    base.image,
    ...plan.command,
  ];
}

function ownMounts({ address, reach, worktree, token, program }: ContainerPlan): Mount[] {
  return [
    bindMount(worktree, insidePath(worktree, address.platform)),
    ...(reach.kind === "socket" ? [bindMount(reach.path, INSIDE.socket)] : []),
    ...(program === undefined ? [] : mountProgram(program, address)),
    ...(token?.form === "file" ? [bindMount(token.file, TOKEN_INSIDE, "readonly")] : []),
  ];
}

/** The URL of the gateway inside, with the folder. */
export function gatewayUrl({ reach, worktree }: Pick<ContainerPlan, "reach" | "worktree">): string {
  const inside = reach.kind === "url" ? reach : ({ kind: "socket", path: INSIDE.socket } as const);
  return formatGatewayUrl(inside, worktree);
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
  const file = token?.form === "file" ? ["--token-file", TOKEN_INSIDE] : [];
  return ["node", INSIDE.program, "bridge", ...door, ...file];
}

/** The bundle, and beside it the manifest that tells node how to read it. */
function mountProgram(folder: string, { platform }: HostAddress): Mount[] {
  const separator = platform === "win32" ? "\\" : "/";
  const inside = posix.dirname(posix.dirname(INSIDE.program));
  return ["dist", "package.json"].map((name) =>
    bindMount(folder + separator + name, posix.join(inside, name), "readonly"),
  );
}
