import { constants } from "node:os";

/** The exit statuses that every bin shares (W9): done, failed or refused, and a command line that makes no sense. */
export const EXIT = Object.freeze({ done: 0, failed: 1, usage: 2 });

/** The status of a process that ended because of `signal`: 128 + its number, as shells report it. */
export function signalExit(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/**
 * What ends a command early: a closed `code` for programs, a sentence for people and, where something can be
 * done about it, a `hint` that says what. `status` is the exit status, {@link EXIT.failed} unless given.
 */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly code: string;
  readonly hint: string | undefined;
  readonly status: number;

  constructor(
    code: string,
    message: string,
    options: { hint?: string; status?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.status = options.status ?? EXIT.failed;
  }
}

/** What a failure looks like to `--json` and to a person, whatever was thrown. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
  readonly status: number;
}

/**
 * Turns anything thrown into a {@link Failure}. Errors that carry a closed string `code` and come from our own
 * packages keep their sentence, and an error of the system tells what it refused and where; anything else is `INTERNAL`, whose
 * text may hold anything and is therefore not shown.
 */
export function describeFailure(thrown: unknown): Failure {
  if (thrown instanceof CommandError)
    return { code: thrown.code, message: thrown.message, hint: thrown.hint, status: thrown.status };
  if (thrown instanceof Error && OWN_ERRORS.has(thrown.name)) {
    const { code, hint } = thrown as Error & { code?: unknown; hint?: unknown };
    return {
      code: typeof code === "string" ? code : "FAILED",
      message: thrown.message,
      hint: typeof hint === "string" ? hint : undefined,
      status: EXIT.failed,
    };
  }
  if (isSystemError(thrown))
    return {
      code: "SYSTEM",
      message: `The system refused it: ${thrown.message}`,
      hint: REMEDIES[thrown.code],
      status: EXIT.failed,
    };
  return {
    code: "INTERNAL",
    message: "The command failed because of a fault in this program",
    hint: "Run it again with --verbose and report what it prints",
    status: EXIT.failed,
  };
}

/** Names of the error classes of `@core/*`, whose messages are safe to show by construction. */
const OWN_ERRORS: ReadonlySet<string> = new Set([
  "ConfigError",
  "LimitError",
  "SpillError",
  "ChildStartError",
  "ClientFileError",
]);

interface SystemError extends Error {
  readonly code: string;
}

/** As Node makes them: the message is code, meaning, call and path. */
function isSystemError(thrown: unknown): thrown is SystemError {
  if (!(thrown instanceof Error)) return false;
  const { errno, syscall, code } = thrown as NodeJS.ErrnoException;
  return typeof errno === "number" && typeof syscall === "string" && typeof code === "string";
}

const FREE_SPACE = "Free some space on that disk, and try again";
const OPEN_TO_YOU = "Make that place writable for you, or choose another one";
const CLOSE_FILES = "Close some programs, or raise the limit of open files (ulimit -n)";
const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: FREE_SPACE,
  EDQUOT: FREE_SPACE,
  EACCES: OPEN_TO_YOU,
  EPERM: OPEN_TO_YOU,
  EROFS: OPEN_TO_YOU,
  EMFILE: CLOSE_FILES,
  ENFILE: CLOSE_FILES,
};
