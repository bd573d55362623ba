import { randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { link, lstat, mkdir, rename, stat, unlink } from "node:fs/promises";
import type { Server } from "node:http";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { countBytes } from "@core/bounds";
import type { StartError } from "../errors.ts";
import { MAX_SOCKET_PATH_BYTES } from "../limits.ts";
import { createHttpServer, createListener, type Listener, type ListenOptions } from "./listener.ts";
import { socketRefused, socketTaken } from "./socket-error.ts";

/**
 * Binds a socket that only its owner can open, in a folder that only its owner can enter. A stale socket at the path is
 * replaced; a live one, and anything else that stands there, is not touched. Rejects with StartError.
 */
export async function listenUnix(
  path: string,
  options: ListenOptions,
  linkFile: typeof link = link,
): Promise<Listener> {
  const own = nameBeside(path);
  if (Math.max(countBytes(path), countBytes(own)) > MAX_SOCKET_PATH_BYTES)
    throw socketRefused(
      path,
      `paths of sockets have at most ${MAX_SOCKET_PATH_BYTES} bytes`,
      "a shorter path",
    );
  await preparePrivateFolder(path);
  await removeStale(path);

  const server = createHttpServer(options);
  // Bound under a name of its own and then linked to the path: a link never replaces what another process has put there,
  // and closing the server unlinks the name that it was bound to, whosever that has become.
  await bind(server, own, path);
  const bound = await lstat(own);
  try {
    await giveName(own, path, linkFile);
  } catch (error) {
    server.close();
    throw error;
  }
  return createListener(server, path, () => removeOurs(path, bound));
}

/** Systems and file systems say so of sockets that they do not link. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP"]);

async function giveName(own: string, path: string, linkFile: typeof link): Promise<void> {
  try {
    await linkFile(own, path);
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code)) throw await takenOr(path, error);
    // A name that somebody takes between these two is lost to them; there is no better way without links.
    if ((await lookAt(path)) !== undefined) throw socketTaken(path, error);
    return rename(own, path);
  }
  await unlink(own);
}

/** The mask counts at the moment of the bind, which `listen` does before it returns. */
function bind(server: Server, own: string, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) =>
      reject(socketRefused(path, "the system does not allow it", "another path", error)),
    );
    const mask = process.umask(0o177);
    try {
      server.listen({ path: own }, resolve);
    } finally {
      process.umask(mask);
    }
  });
}

async function preparePrivateFolder(path: string): Promise<void> {
  const folder = dirname(path);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw socketRefused(path, "its folder cannot be made", "another path", error);
  }
  const { mode, uid } = await stat(folder);
  const isOurs = process.getuid === undefined || uid === process.getuid();
  if (!isOurs || (mode & 0o077) !== 0)
    throw socketRefused(
      path,
      "its folder must be yours alone",
      `a path in a folder of your own, or run chmod 700 ${folder}`,
    );
}

/** Removes a socket that nobody listens on any more. */
async function removeStale(path: string): Promise<void> {
  const found = await lookAt(path);
  if (found === undefined) return;
  if (!found.isSocket())
    throw socketRefused(
      path,
      "something that is no socket stands there",
      "another path, or remove what stands there",
    );
  if (await isLive(path)) throw socketTaken(path);
  // Moved aside first and looked at again: another daemon may have taken the path between the two looks.
  const aside = nameBeside(path);
  await rename(path, aside).catch((error) => {
    throw socketRefused(path, "another process works on it", "another path, or start again", error);
  });
  const moved = await lstat(aside);
  if (isSame(moved, found)) return unlink(aside);
  await link(aside, path).finally(() => unlink(aside));
  throw socketTaken(path);
}

/** A name in the same folder that nobody else has. */
function nameBeside(path: string): string {
  return join(dirname(path), `.${randomBytes(4).toString("hex")}`);
}

async function lookAt(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw socketRefused(path, "it cannot be looked at", "another path", error);
  }
}

/** Only a refused connection proves that nobody listens. */
function isLive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once("connect", () => {
      probe.destroy();
      resolve(true);
    });
    probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code !== "ECONNREFUSED"));
  });
}

async function removeOurs(path: string, bound: Stats): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found !== undefined && isSame(found, bound)) await unlink(path);
}

function isSame(a: Stats, b: Stats): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

async function takenOr(path: string, cause: unknown): Promise<StartError> {
  const isTaken = (cause as NodeJS.ErrnoException).code === "EEXIST";
  return isTaken
    ? socketTaken(path)
    : socketRefused(path, "the system does not allow it", "another path", cause);
}
