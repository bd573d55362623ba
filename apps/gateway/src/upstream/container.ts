import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type Environment, startChild } from "@core/wire";
import { CONTAINER_STOP_MS, CONTAINER_STOP_SECONDS } from "../limits.ts";

const RUNTIMES: ReadonlySet<string> = new Set(["docker", "podman", "nerdctl"]);
const FLAG = "--cidfile";

/**
 * A container that a server runs in. The runtime's own process is only its client: when that dies, even by a signal, the
 * container may live on, so it is stopped by its id.
 */
export interface Container {
  /** The arguments with which the runtime writes the container's id down. */
  readonly args: readonly string[];
  /** Stops the container if there is one, and forgets it. Callers share one run; never rejects. */
  stop(): Promise<void>;
}

/** The container that this command will run, if it is `docker run` or the like. */
export async function createContainer(
  command: string,
  args: readonly string[],
  env: Environment,
): Promise<Container | undefined> {
  const run = findRun(args);
  const runtime = basename(command).replace(/\.exe$/i, "");
  if (!RUNTIMES.has(runtime) || run === undefined) return undefined;
  const given = givenFile(args);
  const folder = given === undefined ? await mkdtemp(join(tmpdir(), "wraptool-cid-")) : undefined;
  const file = given ?? join(folder as string, "cid");
  const own = folder === undefined ? [] : [FLAG, file];
  let stopping: Promise<void> | undefined;

  const stop = async () => {
    const id = (await readFile(file, "utf8").catch(() => "")).trim();
    if (/^[0-9a-f]{12,64}$/.test(id)) await runStop(command, args.slice(0, run), id, env);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
  return {
    args: [...args.slice(0, run + 1), ...own, ...args.slice(run + 1)],
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** Options before the command that take the next argument as their value. */
const VALUED: ReadonlySet<string> = new Set(
  "--config -c --context -H --host -l --log-level --tlscacert --tlscert --tlskey --url --connection --namespace -n".split(
    " ",
  ),
);

/** Where `run` stands as the command, also in `container run`; undefined where it is something else, or no command at all. */
export function findRun(args: readonly string[]): number | undefined {
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] as string;
    if (argument.startsWith("-")) {
      if (VALUED.has(argument)) at++;
    } else if (argument !== "container") return argument === "run" ? at : undefined;
  }
  return undefined;
}

function givenFile(args: readonly string[]): string | undefined {
  const at = args.findIndex((argument) => argument === FLAG || argument.startsWith(`${FLAG}=`));
  if (at === -1) return undefined;
  const argument = args[at] as string;
  return argument === FLAG ? args[at + 1] : argument.slice(FLAG.length + 1);
}

/** `docker stop` of a container that is gone already fails, and nothing is lost by it. */
async function runStop(
  command: string,
  globalArgs: readonly string[],
  id: string,
  env: Environment,
): Promise<void> {
  const args = [...globalArgs, "stop", "--time", String(CONTAINER_STOP_SECONDS), id];
  const ignore = () => {};
  try {
    const child = await startChild({
      command,
      args,
      env,
      maxMessageBytes: 1,
      onLine: ignore,
      onOversize: ignore,
    });
    const timer = setTimeout(child.kill, CONTAINER_STOP_MS);
    await child.exited;
    clearTimeout(timer);
  } catch {
    // The runtime cannot be started any more: nothing is left to try.
  }
}
