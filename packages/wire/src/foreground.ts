import spawn from "cross-spawn";
import type { ChildExit } from "./child.ts";
import { findCommand, mustBeFound } from "./command.ts";
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
  /** Whose rules are followed; those of the system that this runs on if missing. */
  readonly platform?: NodeJS.Platform | undefined;
}

/** What others send to end a program. */
const PASSED_ON: readonly NodeJS.Signals[] = ["SIGTERM", "SIGHUP", "SIGINT"];

/**
 * Runs a command in our place: it has our stdin, stdout and stderr, and the signals that come to us go to it. It stays in
 * our process group, because a terminal lets only its foreground group read. Rejects with the system's error if the
 * command cannot be started.
 */
export async function runForeground(options: ForegroundOptions): Promise<ChildExit> {
  const { command, args = [], env, cwd, signals, platform = process.platform } = options;
  const isFound = mustBeFound(command, platform);
  const program = isFound ? await findCommand(command, { environment: env, platform }) : command;
  if (program === undefined) throw Object.assign(new Error("not found"), { code: "ENOENT" });
  const child = spawn(program, [...args], { env, cwd, stdio: "inherit", shell: false });
  const passOn = (signal: NodeJS.Signals) => {
    // Sent on, it would arrive twice. It is heard all the same, so that it does not end us before the child.
    if (!reachesChild(signal, options)) child.kill(signal);
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

/** Whether the system tells the child by itself: of a terminal's Ctrl-C, and on Windows, where it cannot be sent, of a closed console. */
function reachesChild(
  signal: NodeJS.Signals,
  { onTerminal, platform = process.platform }: ForegroundOptions,
): boolean {
  if (signal === "SIGINT") return onTerminal;
  return signal === "SIGHUP" && platform === "win32";
}
