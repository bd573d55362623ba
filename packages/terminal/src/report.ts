import type { Writable } from "node:stream";
import pc from "picocolors";
import { CommandError, type Failure } from "./exit.ts";

/** The streams and settings a bin speaks through; the real ones come in at its `cli.ts`. */
export interface ReportOptions {
  readonly stdout: Writable & { isTTY?: boolean };
  readonly stderr: Writable & { isTTY?: boolean };
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What a write fails with, at once and later on, when nobody reads any more. */
const READER_LEFT: ReadonlySet<string | undefined> = new Set(["EPIPE", "ERR_STREAM_DESTROYED"]);

/** One run's voice: the result on stdout, everything else on stderr (W9). */
export interface Report {
  /** Whether `--json` was given: stdout then carries exactly one JSON object. */
  json: boolean;
  /** Whether `--verbose` was given: {@link Report.debug} lines are printed. */
  verbose: boolean;
  /** The status with which a command that returned normally ends. */
  exitCode: number;
  /** Colour functions for stdout and for stderr; plain text unless the stream is a terminal. */
  readonly colors: Colors;
  readonly errorColors: Colors;
  /** Prints the command's result once: `value` under `--json`, else `text` with one final newline. */
  result(text: string, value: unknown): void;
  /** A line for the person, on stderr. */
  note(text: string): void;
  /** A line that asks for attention, on stderr. */
  warn(text: string): void;
  /** A line for whoever looks for a fault, on stderr, only when verbose. */
  debug(text: string): void;
  /** Prints a failure: the JSON object under `--json`, and otherwise one line and the hint. */
  failure(failure: Failure): void;
  /** Resolves when stdout has taken what was printed. Rejects with CommandError "NOT_PRINTED" if it could not. */
  settle(): Promise<void>;
}

export type Colors = ReturnType<typeof pc.createColors>;

/** Makes the {@link Report} of one run. */
export function createReport({ stdout, stderr, environment }: ReportOptions): Report {
  // A reader that went away (`… | head`) is no fault of the command, and a log on a full disk must not end a daemon. What
  // became of the result is asked for at the end.
  for (const stream of [stdout, stderr]) stream.on("error", () => {});
  let fault: NodeJS.ErrnoException | undefined;
  const print = (text: string) => {
    stdout.write(text, (error?: NodeJS.ErrnoException | null) => {
      if (error && !READER_LEFT.has(error.code)) fault ??= error;
    });
  };
  const errorColors = pc.createColors(wantsColor(stderr, environment));
  const report: Report = {
    json: false,
    verbose: false,
    exitCode: 0,
    colors: pc.createColors(wantsColor(stdout, environment)),
    errorColors,
    result: (text, value) => {
      print(report.json ? `${JSON.stringify(value)}\n` : text.replace(/\n?$/, "\n"));
    },
    note: (text) => void stderr.write(`${text}\n`),
    warn: (text) => void stderr.write(`${errorColors.yellow("warning")}: ${text}\n`),
    debug: (text) => {
      if (report.verbose) stderr.write(`${errorColors.dim(text)}\n`);
    },
    failure: ({ code, message, hint }) => {
      if (report.json) print(`${JSON.stringify({ error: { code, message, hint } })}\n`);
      else {
        stderr.write(`${errorColors.red("error")}: ${message}\n`);
        if (hint !== undefined) stderr.write(`  ${hint}\n`);
      }
    },
    async settle() {
      await new Promise<void>((resolve) => stdout.write("", () => resolve()));
      if (fault === undefined) return;
      const message = `Cannot print the result: stdout does not take it (${fault.code})`;
      throw new CommandError("NOT_PRINTED", message, { cause: fault });
    },
  };
  return report;
}

/** Colours only on a terminal; NO_COLOR (any value) turns them off, FORCE_COLOR on (no-color.org). */
function wantsColor(
  stream: { isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR && environment.FORCE_COLOR !== "0") return true;
  return stream.isTTY === true && environment.TERM !== "dumb";
}
