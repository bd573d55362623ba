import { appendFile, mkdir, open, rm, truncate } from "node:fs/promises";
import { dirname } from "node:path";
import { replaceFile } from "@core/bounds";
import { MAX_AUDIT_BACKLOG_LINES } from "../limits.ts";

/** How a decision ended. `ok` and `error` are a server's answers; the others reached none. */
export type Outcome = "ok" | "error" | "denied" | "refused" | "cancelled" | "timeout" | "failed";

/** One decision about a call, a read or a prompt. It never holds arguments or results. */
export interface Decision {
  /** The label of the session. */
  readonly session: string;
  /** Null where no rule names what was asked for. */
  readonly server: string | null;
  readonly exposed: string;
  readonly upstream: string | null;
  /** Such as `allow[0]` or `deny[1]` of the server's entry; `unlisted` where none names it. */
  readonly rule: string;
  readonly outcome: Outcome;
  readonly ms: number;
  /** Of the answer as the client got it. */
  readonly bytes: number;
  readonly cwd?: string | undefined;
}

export interface Audit {
  record(decision: Decision): void;
  /** Writes what is still waiting. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface AuditOptions {
  readonly file: string;
  /** A file that a line would take over this is put aside first. */
  readonly maxBytes: number;
  /** How many files that were put aside are kept, as `FILE.1` (the newest) to `FILE.keep`. */
  readonly keep: number;
  now(): Date;
  /** Told once for each time that writing begins to fail. */
  onFault(reason: string): void;
  /** Told when writing works again, or at the end: how many lines were given up meanwhile. */
  onRecovery(lost: number): void;
}

const LINE_END = Buffer.from("\n");

export const NO_AUDIT: Audit = Object.freeze({
  record() {},
  async [Symbol.asyncDispose]() {},
});

/**
 * Writes JSON lines in order, several at once when they come faster than the disk takes them. What a full disk does not take
 * waits for the next line, up to a limit beyond which the oldest are given up. No line stands half in the file.
 */
export function createAudit(options: AuditOptions): Audit {
  const { file, maxBytes, now, onFault, onRecovery } = options;
  let waiting: Buffer[] = [];
  let writing: Promise<void> | undefined;
  let size: number | undefined;
  let failing = false;
  let lost = 0;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0 && (await writeWaiting()));
    writing = undefined;
  }

  async function writeWaiting(): Promise<boolean> {
    const lines = waiting;
    waiting = [];
    let written = 0;
    try {
      size ??= await openedSize(file);
      for (const batch of batches(lines, maxBytes - size, maxBytes)) {
        if (batch.rotate) await putAside(options);
        if (batch.rotate) size = 0;
        size = await append(file, size, Buffer.concat(batch.lines));
        written += batch.lines.length;
      }
    } catch (error) {
      size = undefined;
      if (!failing) onFault((error as NodeJS.ErrnoException).code ?? "unknown fault");
      failing = true;
      keepWaiting(lines.slice(written));
      return false;
    }
    if (failing) onRecovery(lost);
    failing = false;
    lost = 0;
    return true;
  }

  function keepWaiting(unwritten: readonly Buffer[]): void {
    waiting = [...unwritten, ...waiting];
    const over = Math.max(0, waiting.length - MAX_AUDIT_BACKLOG_LINES);
    waiting = waiting.slice(over);
    lost += over;
  }

  return {
    record({ session, server, exposed, upstream, rule, outcome, ms, bytes, cwd }) {
      const time = now().toISOString();
      const line = { time, session, server, exposed, upstream, rule, outcome, ms, bytes, cwd };
      waiting.push(Buffer.from(`${JSON.stringify(line)}\n`));
      writing ??= writeAll();
    },
    async [Symbol.asyncDispose]() {
      await writing;
      await writeAll();
      if (failing) onRecovery(lost + waiting.length);
    },
  };
}

/** The size of the file, made if there is none, after which the next line may stand: a crash may have left half of one. */
async function openedSize(file: string): Promise<number> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const opened = await open(file, "a+", 0o600);
  try {
    const { size } = await opened.stat();
    if (size === 0) return 0;
    const last = await opened.read(Buffer.alloc(1), 0, 1, size - 1);
    if (last.buffer[0] === LINE_END[0]) return size;
    await opened.appendFile(LINE_END);
    return size + 1;
  } finally {
    await opened.close();
  }
}

/** Appends all of the bytes, or none. */
async function append(file: string, size: number, bytes: Buffer): Promise<number> {
  try {
    await appendFile(file, bytes, { mode: 0o600 });
  } catch (error) {
    // The part that a full disk took would be half a line. What is no plain file cannot be cut.
    await truncate(file, size).catch(() => {});
    throw error;
  }
  return size + bytes.length;
}

interface Batch {
  readonly rotate: boolean;
  readonly lines: readonly Buffer[];
}

/** Groups lines into as few writes as the size of a file allows; a line that is larger on its own gets a file of its own. */
function batches(lines: readonly Buffer[], left: number, maxBytes: number): Batch[] {
  const found: Batch[] = [];
  let room = left;
  let batch: Buffer[] = [];
  let rotate = false;
  const close = () => {
    if (batch.length > 0) found.push({ rotate, lines: batch });
    batch = [];
  };
  for (const line of lines) {
    if (line.length > room && room < maxBytes) {
      close();
      rotate = true;
      room = maxBytes;
    }
    batch.push(line);
    room -= line.length;
  }
  close();
  return found;
}

/** FILE becomes FILE.1, that becomes FILE.2, and so on; the last is dropped. */
async function putAside({ file, keep }: AuditOptions): Promise<void> {
  await rm(keep === 0 ? file : `${file}.${keep}`, { force: true });
  for (let number = keep - 1; number >= 0; number--) {
    const from = number === 0 ? file : `${file}.${number}`;
    await replaceFile(from, `${file}.${number + 1}`).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
  }
}
