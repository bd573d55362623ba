import { createHash, randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CommandError } from "@core/terminal";

/** The form of the file. A newer one is refused, because nobody knows what it says. */
const FORMAT = 1;

/** What a running daemon leaves for the commands that look for it. */
export interface DaemonRecord {
  readonly pid: number;
  /** When it started, in milliseconds since 1970. */
  readonly startedAt: number;
  /** The program's version. */
  readonly program: string;
  /** `http://HOST:PORT`, or a socket's path. */
  readonly listeners: readonly string[];
  /** How the last reload ended; `error` is its sentence. */
  readonly lastReload?: { readonly at: number; readonly error?: string };
}

/** The file of the daemon that serves this configuration. */
export function recordPath(stateFolder: string, configFile: string): string {
  const hash = createHash("sha256").update(configFile).digest("hex").slice(0, 16);
  return join(stateFolder, `daemon-${hash}.json`);
}

/** Writes the record, readable for its owner alone; a reader sees the old one or the new one and never half of one. */
export async function writeRecord(path: string, record: DaemonRecord): Promise<void> {
  const fresh = `${path}.${randomBytes(4).toString("hex")}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    const text = `${JSON.stringify({ version: FORMAT, ...record })}\n`;
    await writeFile(fresh, text, { flag: "wx", mode: 0o600 });
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
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
  const { pid, startedAt, program, listeners } = value;
  const isWhole =
    Number.isSafeInteger(pid) &&
    typeof startedAt === "number" &&
    typeof program === "string" &&
    Array.isArray(listeners);
  if (!isWhole) throw unreadable(path, "it is damaged");
  return value as unknown as DaemonRecord;
}

/** Removes the record, unless another daemon has written its own in the meantime. */
export function removeRecord(path: string, pid: number): void {
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
