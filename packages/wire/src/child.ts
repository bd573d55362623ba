import type { ChildProcess, ChildProcessWithoutNullStreams } from "node:child_process";
import { stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import spawn from "cross-spawn";
import { findCommand, mustBeFound } from "./command.ts";
import type { Environment } from "./environment.ts";
import { createLineWriter } from "./line-writer.ts";
import { createLineSplitter } from "./lines.ts";
import type { Oversize } from "./oversize.ts";
import {
  posixGroup,
  STOP_DELAYS,
  type StopDelays,
  type StopOutcome,
  settledWithin,
  stopGroup,
  windowsTree,
} from "./stop.ts";
import { createTail, type TextStream } from "./tail.ts";

export interface ChildOptions {
  /** Found on the child's own PATH, or a path; no shell is involved. */
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** The child's whole environment: `layerEnvironments([baseEnvironment(process.env), entry.env])`. */
  readonly env: Environment;
  /** Must be an existing directory. */
  readonly cwd?: string | undefined;
  /** Cap of one line of stdout; a longer one is dropped alone. */
  readonly maxMessageBytes: number;
  /** Keeps secrets out of the stderr tail. */
  readonly scrubber?: { stream(): TextStream } | undefined;
  readonly delays?: StopDelays | undefined;
  /** Whose rules of starting and ending processes are followed; those of the system that this runs on if missing. */
  readonly platform?: NodeJS.Platform | undefined;
  /** What ends process trees on Windows; the system's own program if missing. */
  readonly taskkill?: string | undefined;
  /** Lines are lent for the time of `onLine`, as the line splitter says. */
  readonly lend?: boolean | undefined;
  /** One line of stdout that begins like a JSON object or array. Returning false counts it as noise after all. */
  onLine(line: Buffer): unknown;
  onOversize(oversize: Oversize): void;
  /** A line of stdout that is no message. */
  onNoise?(line: Buffer): void;
}

/** `code` is null when a signal ended the process, and `signal` is null when it exited. */
export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Child {
  readonly pid: number;
  /**
   * Writes one message and its line end. Resolves when the kernel has it; rejects with ChildGoneError when the child
   * ends or closes its stdin first, also under back-pressure. Line breaks inside the JSON become blanks.
   */
  send(message: string | Buffer): Promise<void>;
  /** Settles when the command itself has exited and its last output was read; a grandchild that holds the pipes delays nothing. Never rejects. */
  readonly exited: Promise<ChildExit>;
  /** The redacted end of stderr: at most 2 KiB and 20 lines, without control characters. */
  stderrTail(): string;
  /** Lines of stdout that were no messages. */
  readonly noise: number;
  /** Runs the stop ladder on the whole process group. Callers share one run; never rejects. */
  stop(): Promise<ChildExit & StopOutcome>;
  /** SIGKILL to the whole group, now: for a process that is about to exit itself. */
  kill(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

const START_FAILURES = Object.freeze({
  FOLDER_MISSING: "its working directory is not an existing directory",
  COMMAND_NOT_FOUND: "its command was not found; use one on its PATH or an absolute path",
  COMMAND_NOT_EXECUTABLE: "its command may not be executed; check the file's mode",
  ARGUMENT_INVALID: "its command, arguments or environment hold a character that no process takes",
  TOO_MANY_FILES:
    "the system has no file left to open for it; close what is not needed, or raise the limit (ulimit -n)",
  START_FAILED: "the system could not start a process",
});

/** The child could not be started. The message names no path, argument or variable; `command` does, for the owner of the configuration. */
export class ChildStartError extends Error {
  override readonly name = "ChildStartError";
  readonly code: keyof typeof START_FAILURES;
  readonly command: string;

  constructor(code: keyof typeof START_FAILURES, command: string, cause?: unknown) {
    super(`The server did not start: ${START_FAILURES[code]}.`, { cause });
    this.code = code;
    this.command = command;
  }
}

const STDERR_TAIL = { maxBytes: 2048, maxLines: 20 };
/** How long output may still be read after the exit where a grandchild keeps the pipe open. */
const DRAIN_MS = 200;
const UNKNOWN_EXIT: ChildExit = Object.freeze({ code: null, signal: null });
const TAB = 0x09;
const BLANK = 0x20;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

/**
 * Starts a stdio server in a process group of its own, so that whatever it starts can be ended with it.
 *
 * @throws ChildStartError
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { command, cwd, delays = STOP_DELAYS, platform = process.platform } = options;
  if (cwd !== undefined) await requireFolder(cwd, command);
  const started = spawnGroup({ ...options, command: await requireProgram(options) });
  const spawned = pidOf(started, command);
  if (!hasPipes(started)) {
    // The system is out of descriptors, which `spawned` rejects with.
    await spawned;
    throw new ChildStartError("TOO_MANY_FILES", command);
  }
  // All listeners stand before the next await: nothing is lost, and no EPIPE of a dying child becomes an uncaught error.
  const { stdin, stdout, stderr } = started;
  for (const pipe of [stdin, stdout, stderr]) pipe.on("error", () => {});
  const exit = exitOf(started);
  const closed = new Promise<void>((resolve) => started.once("close", () => resolve()));
  const output = readOutput(stdout, options);
  // One who answers several at a time is asked several at a time.
  const send = createLineWriter(stdin, () => output.linesAtOnce > 1);
  const tail = createTail({ ...STDERR_TAIL, scrub: options.scrubber?.stream() });
  stderr.on("data", (chunk: Buffer) => tail.push(chunk));

  const pid = await spawned;
  const group = platform === "win32" ? windowsTree(pid, options.taskkill) : posixGroup(pid);
  const exited = exit.then(async (result) => {
    await settledWithin(closed, DRAIN_MS);
    for (const pipe of [stdout, stderr]) pipe.destroy();
    tail.end();
    return result;
  });

  let stopping: Promise<ChildExit & StopOutcome> | undefined;
  function stop(): Promise<ChildExit & StopOutcome> {
    stopping ??= runLadder();
    return stopping;
  }
  async function runLadder(): Promise<ChildExit & StopOutcome> {
    const endInput = () => stdin.end();
    const outcome = await stopGroup(group, { endInput, leaderEnded: exit, delays });
    // A process that not even SIGKILL ends (it hangs in the kernel) must not hang its owner too.
    const known = outcome.gone ? exited : Promise.race([exited, UNKNOWN_EXIT]);
    return { ...(await known), ...outcome };
  }
  // What the command leaves behind is nobody's server any more.
  exit.then(stop);

  return {
    pid,
    exited,
    stop,
    send,
    stderrTail: () => tail.text(),
    get noise() {
      return output.noise;
    },
    kill: () => group.signal("SIGKILL"),
    async [Symbol.asyncDispose]() {
      await stop();
    },
  };
}

async function requireFolder(cwd: string, command: string): Promise<void> {
  const found = await stat(cwd).catch((error) => {
    throw new ChildStartError("FOLDER_MISSING", command, error);
  });
  if (!found.isDirectory()) throw new ChildStartError("FOLDER_MISSING", command);
}

async function requireProgram({ command, env, platform = process.platform }: ChildOptions) {
  if (!mustBeFound(command, platform)) return command;
  const program = await findCommand(command, { environment: env, platform });
  if (program === undefined) throw new ChildStartError("COMMAND_NOT_FOUND", command);
  return program;
}

function spawnGroup(options: ChildOptions): ChildProcess {
  const { command, args = [], env, cwd, platform = process.platform } = options;
  const windows = platform === "win32";
  // A line break in an argument of a .cmd shim ends the command line of cmd.exe.
  if (windows && args.some((argument) => /[\r\n]/.test(argument))) {
    throw new ChildStartError("ARGUMENT_INVALID", command);
  }
  try {
    return spawn(command, [...args], {
      env,
      cwd,
      stdio: ["pipe", "pipe", "pipe"],
      shell: false,
      // On Windows a detached child gets a console window, and taskkill /T finds the tree without it.
      detached: !windows,
      windowsHide: true,
    });
  } catch (error) {
    throw new ChildStartError(startFailure(error), command, error);
  }
}

function hasPipes(started: ChildProcess): started is ChildProcessWithoutNullStreams {
  return Boolean(started.stdin && started.stdout && started.stderr);
}

function exitOf(started: ChildProcess): Promise<ChildExit> {
  return new Promise((resolve) =>
    started.once("exit", (code, signal) => resolve({ code, signal })),
  );
}

function pidOf(started: ChildProcess, command: string): Promise<number> {
  return new Promise((resolve, reject) => {
    started.on("error", (error) =>
      reject(new ChildStartError(startFailure(error), command, error)),
    );
    started.once("spawn", () => resolve(started.pid!));
  });
}

function startFailure(error: unknown): keyof typeof START_FAILURES {
  switch ((error as NodeJS.ErrnoException).code) {
    case "ENOENT":
    case "ENOTDIR":
      return "COMMAND_NOT_FOUND";
    case "EACCES":
    case "EPERM":
      return "COMMAND_NOT_EXECUTABLE";
    case "ERR_INVALID_ARG_VALUE":
    case "ERR_INVALID_ARG_TYPE":
      return "ARGUMENT_INVALID";
    case "EMFILE":
    case "ENFILE":
      return "TOO_MANY_FILES";
    default:
      return "START_FAILED";
  }
}

/** Feeds the lines of stdout to the owner, and counts those that are no messages. */
function readOutput(
  stdout: Readable,
  { maxMessageBytes, lend, onLine, onOversize, onNoise }: ChildOptions,
) {
  const output = { noise: 0, linesAtOnce: 0 };
  const lines = createLineSplitter({
    maxBytes: maxMessageBytes,
    lend,
    onLine(line) {
      output.linesAtOnce++;
      if (beginsLikeJson(line) && onLine(line) !== false) return;
      output.noise++;
      onNoise?.(line);
    },
    onOversize,
  });
  stdout.on("data", (chunk: Buffer) => {
    output.linesAtOnce = 0;
    lines.push(chunk);
  });
  stdout.once("end", () => lines.end());
  return output;
}

function beginsLikeJson(line: Buffer): boolean {
  const first = line.find((byte) => byte !== BLANK && byte !== TAB);
  return first === OPEN_BRACE || first === OPEN_BRACKET;
}
