import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { startOfProcess } from "@core/bounds";
import { CommandError } from "@core/terminal";
import { writeStateFile } from "../config/state-file.ts";
import type { ReloadPipe } from "./reload-door.ts";

/** The form of the file. A newer one is refused, because nobody knows what it says. */
const FORMAT = 1;

/** What a running daemon leaves for the commands that look for it. */
export interface DaemonRecord {
  readonly pid: number;
  /** When the process started, as `startOfProcess` of the core tells it: a later process may have its id. */
  readonly start: string;
  /** The program's version. */
  readonly program: string;
  /** `http://HOST:PORT`, or a socket's path. */
  readonly listeners: readonly string[];
  /** Where its token is, if it asks for one. */
  readonly tokenFile?: string | undefined;
  /** How the last reload ended; `error` is its sentence. */
  readonly lastReload?: { readonly at: number; readonly error?: string };
  /** Where it is asked to reload, if not by a signal. */
  readonly pipe?: ReloadPipe | undefined;
}

/**
 * What the daemon that serves this configuration keeps in a file of this kind. On Windows a shell may write the same path
 * with letters of another case.
 */
export function statePath(
  stateFolder: string,
  kind: string,
  configFile: string,
  platform: NodeJS.Platform = process.platform,
): string {
  const path = platform === "win32" ? configFile.toLowerCase() : configFile;
  const hash = createHash("sha256").update(path).digest("hex").slice(0, 16);
  return join(stateFolder, `${kind}-${hash}.json`);
}

/** The record, or undefined if there is none. Throws CommandError for one that cannot be read rightly. */
export function readRecord(path: string): DaemonRecord | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw unreadable(path, "it cannot be read", error);
  }
  const value = parse(path, text);
  if (typeof value.version === "number" && value.version > FORMAT)
    throw unreadable(path, "a newer wraptool wrote it");
  const { pid, start, program, listeners } = value;
  const isWhole =
    Number.isSafeInteger(pid) &&
    typeof start === "string" &&
    typeof program === "string" &&
    Array.isArray(listeners);
  if (!isWhole) throw unreadable(path, "it is damaged");
  return value as unknown as DaemonRecord;
}

/** The record of the daemon that this process is. */
export interface OwnRecord {
  /** Notes how a reload ended: why nothing has changed, or what is different from before. */
  noteReload(
    outcome: { readonly error: string } | Pick<DaemonRecord, "listeners" | "tokenFile">,
  ): void;
  /** At once, for a process that may be about to end itself. */
  remove(): void;
}

/** Keeps the record up to date. A daemon that cannot write it serves all the same; `onFault` is told. */
export function keepRecord(
  path: string,
  first: DaemonRecord,
  onFault: (reason: string) => void,
): OwnRecord {
  let record = first;
  const write = () => {
    try {
      writeStateFile(path, `${JSON.stringify({ version: FORMAT, ...record })}\n`);
    } catch (error) {
      onFault(`cannot write ${path} (${(error as NodeJS.ErrnoException).code ?? "fault"})`);
    }
  };
  write();
  return {
    noteReload(outcome) {
      const at = Date.now();
      record =
        "error" in outcome
          ? { ...record, lastReload: { at, error: outcome.error } }
          : { ...record, ...outcome, lastReload: { at } };
      write();
    },
    remove: () => removeRecord(path, record.pid),
  };
}

/** Whether the daemon of a record still runs. */
export async function isRunning({ pid, start }: DaemonRecord): Promise<boolean> {
  const now = await startOfProcess(pid);
  if (now === undefined) return false;
  return now === start || now === "" || start === "";
}

/** Removes the record, unless another daemon has written its own in the meantime. */
function removeRecord(path: string, pid: number): void {
  try {
    if (readRecord(path)?.pid === pid) rmSync(path, { force: true });
  } catch (error) {
    // One that is not ours to judge stays.
    if (!(error instanceof CommandError)) throw error;
  }
}

function parse(path: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch (error) {
    throw unreadable(path, "it is damaged", error);
  }
  throw unreadable(path, "it is damaged");
}

function unreadable(path: string, reason: string, cause?: unknown): CommandError {
  return new CommandError("BAD_RECORD", `Cannot use ${path}: ${reason}`, {
    hint: "Restart the gateway, which writes it anew",
    cause,
  });
}
