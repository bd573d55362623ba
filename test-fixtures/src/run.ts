import { spawn } from "node:child_process";
import { straySecretIn, withStraySecret } from "./canary.ts";

/** How a command that ran to its end came out. */
export interface Ran {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a command is run with; `input` is written to its stdin, which is then closed. */
export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string | Uint8Array;
  /** Milliseconds after which the command is killed, 30,000 unless given: a hang becomes a failed assertion. */
  readonly timeoutMs?: number;
}

/** Runs a command to its end and keeps what it printed. Rejects if that holds a secret of its environment. */
export function run(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: withStraySecret(options.env ?? process.env),
      stdio: "pipe",
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    const limit = setTimeout(() => child.kill("SIGKILL"), options.timeoutMs ?? 30_000);
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    // A command that ends without reading its input closes the pipe under us.
    child.stdin.on("error", () => {});
    child.stdin.end(options.input ?? "");
    child.on("error", reject);
    child.on("close", (status, signal) => {
      clearTimeout(limit);
      const printed = {
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
      };
      const leak = straySecretIn(printed.stdout + printed.stderr, [command, ...args].join(" "));
      if (leak) reject(leak);
      else resolve({ status, signal, ...printed });
    });
  });
}
