import { createHash, timingSafeEqual } from "node:crypto";
import { connect, createServer, type Socket } from "node:net";
import { KNOCK_WAIT_MS, RELOAD_KEY_BYTES } from "../limits.ts";

/**
 * How the owner asks a running daemon to reload. Where a process can send SIGHUP that is the door, since nobody but the
 * owner can. On Windows, where that signal means that a console was closed, it is a named pipe: anyone may find it, so it
 * opens only to a key that stands in the daemon's record, which nobody but the owner can read.
 */
export interface ReloadDoor {
  /** What the record must say of it; undefined where a signal is the door. */
  readonly pipe: ReloadPipe | undefined;
  close(): void;
}

export interface ReloadPipe {
  readonly path: string;
  readonly key: string;
}

export interface ReloadDoorOptions {
  readonly platform: NodeJS.Platform;
  readonly signals: Pick<NodeJS.Process, "on" | "off">;
  /** Where a pipe of this name stands. */
  pipePath(name: string): string;
  randomBytes(count: number): Buffer;
  onAsk(): void;
  /** The pipe cannot be opened; the daemon serves all the same. */
  onFault(reason: string): void;
}

export async function openReloadDoor(options: ReloadDoorOptions): Promise<ReloadDoor> {
  const { platform, signals, onAsk } = options;
  if (platform === "win32") return openPipe(options);
  signals.on("SIGHUP", onAsk);
  return { pipe: undefined, close: () => void signals.off("SIGHUP", onAsk) };
}

async function openPipe(options: ReloadDoorOptions): Promise<ReloadDoor> {
  const { pipePath, randomBytes, onAsk, onFault } = options;
  const key = randomBytes(RELOAD_KEY_BYTES).toString("hex");
  const path = pipePath(`wraptool-${randomBytes(RELOAD_KEY_BYTES / 2).toString("hex")}`);
  const server = createServer((socket) => hear(socket, key, onAsk));
  const close = () => void server.close();
  const opened = await new Promise<boolean>((resolve) => {
    server.once("error", ({ code }: NodeJS.ErrnoException) => {
      onFault(`wraptool reload will not reach this daemon (${code})`);
      resolve(false);
    });
    server.listen({ path, readableAll: false, writableAll: false }, () => resolve(true));
  });
  server.on("error", ({ code }: NodeJS.ErrnoException) => onFault(`a reload failed (${code})`));
  server.unref();
  return { pipe: opened ? { path, key } : undefined, close };
}

/** Reads one key, and answers nothing: how the reload ended stands in the record. */
function hear(socket: Socket, key: string, onAsk: () => void): void {
  let said = "";
  socket.setEncoding("latin1").setTimeout(KNOCK_WAIT_MS, () => socket.destroy());
  // Who leaves or breaks off has not asked.
  socket.on("error", () => {});
  socket.on("data", (text: string) => {
    said += text;
    if (said.length > key.length) socket.destroy();
  });
  socket.on("end", () => {
    if (isSame(said, key)) onAsk();
    socket.end();
  });
}

function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

export interface Knocking {
  readonly platform: NodeJS.Platform;
  kill(pid: number, signal: NodeJS.Signals): void;
}

/** Asks the daemon of this process id to reload. Rejects with the system's error if it cannot be reached. */
export async function knock(
  { pid, pipe }: { readonly pid: number; readonly pipe?: ReloadPipe | undefined },
  { platform, kill }: Knocking,
): Promise<void> {
  if (platform !== "win32") return kill(pid, "SIGHUP");
  if (pipe === undefined) throw new Error("the daemon has no pipe for it");
  await new Promise<void>((resolve, reject) => {
    const socket = connect(pipe.path);
    socket.on("error", reject);
    socket.on("close", () => resolve());
    socket.end(pipe.key);
    socket.resume();
  });
}
