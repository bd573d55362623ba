import { posix } from "node:path";
import { ConfigError } from "@core/config";
import { CommandError } from "@core/terminal";
import type { Environment } from "@core/wire";
import { type ContainerEnv, passVariables } from "./container-env.ts";
import { type DevContainer, howToBuild } from "./dev-container.ts";
import { expandShown } from "./dev-variables.ts";
import type { HostAddress } from "./host-address.ts";
import { insidePath } from "./inside-path.ts";
import { type Mount, readMount } from "./mount.ts";

/** What a container is made of before the gateway's own things are added, which win over all of it. */
export interface ContainerBase extends ContainerEnv {
  readonly image: string;
  readonly mounts: readonly Mount[];
  /** The working folder inside. */
  readonly workdir: string;
  /** What the container does without. */
  readonly warnings: readonly string[];
}

export interface BaseSurroundings {
  /** The folder on the host. */
  readonly worktree: string;
  readonly platform: HostAddress["platform"];
  readonly environment: Environment;
}

/** An image and nothing more. Throws CommandError for a word that the runtime would take for an option. */
export function baseOfImage(
  image: string,
  { worktree, platform }: BaseSurroundings,
): ContainerBase {
  if (!/^[^-]/.test(image))
    throw new CommandError("INVALID_IMAGE", "--image must be the name of an image");
  const workdir = insidePath(worktree, platform);
  return { ...{ image, workdir, options: [], mounts: [] }, environment: {}, warnings: [] };
}

/** What a dev container's file says, with its variables replaced. Throws ConfigError for one that cannot be. */
export function baseOfDevContainer(dev: DevContainer, around: BaseSurroundings): ContainerBase {
  const { worktree, platform, environment } = around;
  const named = findWorkdir(dev, around);
  const workdir = named ?? insidePath(worktree, platform);
  const values = { local: worktree, container: workdir, environment };
  const show = (text: string, field: string) =>
    expandShown(text, values, { file: dev.file, field });
  const env = passVariables(dev, values);
  const user = dev.remoteUser === undefined ? "containerUser" : "remoteUser";
  const userOptions = dev[user] === undefined ? [] : ["--user", show(dev[user], user)];
  const runArgs = dev.runArgs.map((word, at) => show(word, `runArgs[${at}]`));
  return {
    image: show(dev.image, "image"),
    options: [...runArgs, ...env.options, ...userOptions],
    environment: env.environment,
    mounts: dev.mounts.map((text, at) => toMount(text, `mounts[${at}]`, { file: dev.file, show })),
    workdir,
    warnings: warningsOf(dev, { worktree, isElsewhere: named === undefined }),
  };
}

/** The folder that the file names, or the worktree's; undefined for one outside, since nothing is mounted there. */
function findWorkdir(
  { file, workspaceFolder }: DevContainer,
  { worktree, platform, environment }: BaseSurroundings,
): string | undefined {
  const own = insidePath(worktree, platform);
  if (workspaceFolder === undefined) return own;
  const values = { local: worktree, environment };
  const shown = expandShown(workspaceFolder, values, { file, field: "workspaceFolder" });
  const named = posix.resolve("/", insidePath(shown, platform));
  return named === own || named.startsWith(`${own}/`) ? named : undefined;
}

function toMount(
  text: string,
  field: string,
  { file, show }: { file: string; show: (text: string, field: string) => string },
): Mount {
  const mount = readMount(text, (part) => show(part, field));
  if (mount !== undefined) return mount;
  const reason = "must be fields with an absolute target: type=volume,source=cache,target=/cache";
  throw new ConfigError("INVALID_VALUE", reason, { file, field });
}

function warningsOf(
  { file, leftOut }: DevContainer,
  { worktree, isElsewhere }: { worktree: string; isElsewhere: boolean },
): string[] {
  const others = leftOut.filter((field) => field !== "features").join(", ");
  const warnings: readonly [boolean, string][] = [
    [
      leftOut.includes("features"),
      `features: not installed, because up runs the image as it is. ${howToBuild(worktree)}`,
    ],
    [
      others !== "",
      `${others}: left to editors; give what is needed with --run-arg, or do it in the command`,
    ],
    [
      isElsewhere,
      `workspaceFolder: not used, because the worktree stands at its own path, ${worktree}`,
    ],
  ];
  return warnings.filter(([applies]) => applies).map(([, reason]) => `${file} ${reason}`);
}
