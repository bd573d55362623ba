import { type ChildProcessWithoutNullStreams, type StdioPipe, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { straySecretIn, withStraySecret } from "./canary.ts";

/**
 * A process that a test keeps running; disposing of it ends it and waits until it is gone, and throws if it has printed a
 * secret of its environment.
 */
export interface RunningProcess extends AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  readonly pid: number;
  /** Resolves with the first match in what was printed so far or will be; rejects when the process ends first. */
  waitFor(pattern: RegExp, stream?: "stdout" | "stderr"): Promise<RegExpMatchArray>;
  /** All that was printed so far. */
  printed(): { stdout: string; stderr: string };
  /** Resolves when the process has ended. */
  readonly exited: Promise<{ status: number | null; signal: NodeJS.Signals | null }>;
}

/** Where a process runs, and whether it gets a channel for messages beside its three streams. */
export interface StartOptions {
  readonly cwd?: string | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly channel?: boolean | undefined;
}

/** Starts a process for a test. */
export function startProcess(
  command: string,
  args: readonly string[],
  { cwd, env, channel = false }: StartOptions = {},
): RunningProcess {
  const stdio: StdioPipe[] = ["pipe", "pipe", "pipe"];
  const child = spawn(command, args, {
    cwd,
    env: withStraySecret(env ?? process.env),
    stdio: channel ? [...stdio, "ipc"] : stdio,
  }) as ChildProcessWithoutNullStreams;
  const text = { stdout: "", stderr: "" };
  const watchers = new Set<() => void>();
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].on("data", (chunk: Buffer) => {
      text[stream] += chunk.toString();
      for (const look of watchers) look();
    });
  child.stdin.on("error", () => {});
  let ended = false;
  const exited = new Promise<{ status: number | null; signal: NodeJS.Signals | null }>(
    (resolve, reject) => {
      child.on("error", reject);
      child.on("close", (status, signal) => {
        ended = true;
        for (const look of watchers) look();
        resolve({ status, signal });
      });
    },
  );
  return {
    child,
    pid: child.pid as number,
    exited,
    printed: () => ({ ...text }),
    waitFor: (pattern, stream = "stdout") =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = text[stream].match(pattern);
          if (match === null && !ended) return;
          watchers.delete(look);
          if (match) resolve(match);
          else
            reject(new Error(`The process ended before ${pattern}:\n${text.stdout}${text.stderr}`));
        };
        watchers.add(look);
        look();
      }),
    [Symbol.asyncDispose]: async () => {
      if (!ended) child.kill("SIGKILL");
      await exited;
      const leak = straySecretIn(text.stdout + text.stderr, [command, ...args].join(" "));
      if (leak) throw leak;
    },
  };
}

/** Whether a process with this id exists and is not a zombie that only waits to be reaped. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false; // ESRCH: no such process
  }
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return process.platform !== "linux"; // no /proc to ask, or gone meanwhile
  }
}
