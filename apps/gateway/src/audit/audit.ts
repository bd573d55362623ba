import { appendFile, mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";

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
}

export const NO_AUDIT: Audit = Object.freeze({
  record() {},
  async [Symbol.asyncDispose]() {},
});

/** Writes JSON lines in order, several at once when they come faster than the disk takes them. */
export function createAudit(options: AuditOptions): Audit {
  const { file, maxBytes, now, onFault } = options;
  let waiting: Buffer[] = [];
  let writing: Promise<void> | undefined;
  let size: number | undefined;
  let failing = false;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const lines = waiting;
      waiting = [];
      try {
        size ??= await openedSize(file);
        for (const batch of batches(lines, maxBytes - size, maxBytes)) {
          if (batch.rotate) await putAside(options);
          if (batch.rotate) size = 0;
          await appendFile(file, batch.bytes, { mode: 0o600 });
          size += batch.bytes.length;
        }
        failing = false;
      } catch (error) {
        size = undefined;
        if (!failing) onFault((error as NodeJS.ErrnoException).code ?? "unknown fault");
        failing = true;
      }
    }
    writing = undefined;
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
    },
  };
}

async function openedSize(file: string): Promise<number> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  return found?.size ?? 0;
}

/** Groups lines into as few writes as the size of a file allows; a line that is larger on its own gets a file of its own. */
function batches(lines: readonly Buffer[], left: number, maxBytes: number) {
  const found: { rotate: boolean; bytes: Buffer }[] = [];
  let room = left;
  let batch: Buffer[] = [];
  let rotate = false;
  const close = () => {
    if (batch.length > 0) found.push({ rotate, bytes: Buffer.concat(batch) });
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
    await rename(from, `${file}.${number + 1}`).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
  }
}
