import spawn from "cross-spawn";
import type { ChildExit } from "./child.ts";
import type { Environment } from "./environment.ts";

/** Where the signals to our own process can be heard: `process`. */
export interface SignalSource {
  on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  off(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
}

export interface ForegroundOptions {
  /** Found on the child's own PATH, or a path; no shell is involved. */
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** The child's whole environment. */
  readonly env: Environment;
  readonly cwd?: string | undefined;
  /** Whether a terminal is in front of us, which sends its Ctrl-C to the child by itself. */
  readonly onTerminal: boolean;
  readonly signals: SignalSource;
}

/** What others send to end a program. */
const PASSED_ON: readonly NodeJS.Signals[] = ["SIGTERM", "SIGHUP", "SIGINT"];

/**
 * Runs a command in our place: it has our stdin, stdout and stderr, and the signals that come to us go to it. It stays in
 * our process group, because a terminal lets only its foreground group read. Rejects with the system's error if the
 * command cannot be started.
 */
export async function runForeground(options: ForegroundOptions): Promise<ChildExit> {
  const { command, args = [], env, cwd, signals } = options;
  const child = spawn(command, [...args], { env, cwd, stdio: "inherit", shell: false });
  const passOn = (signal: NodeJS.Signals) => {
    // Sent on, a Ctrl-C would arrive twice. It is heard all the same, so that it does not end us before the child.
    if (signal !== "SIGINT" || !options.onTerminal) child.kill(signal);
  };
  for (const signal of PASSED_ON) signals.on(signal, passOn);
  try {
    return await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code, signal) => resolve({ code, signal }));
    });
  } finally {
    for (const signal of PASSED_ON) signals.off(signal, passOn);
  }
}
