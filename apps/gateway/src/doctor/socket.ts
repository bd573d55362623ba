import type { Stats } from "node:fs";
import { lstat } from "node:fs/promises";
import { dirname } from "node:path";
import { isWindowsPipe } from "../config/socket.ts";
import { type Finding, fault, fine } from "./finding.ts";

/** Looks at the socket's path and folder, which a daemon that starts would look at. */
export async function checkSocket(path: string): Promise<Finding> {
  const looked = { id: "socket", subject: path };
  if (isWindowsPipe(path))
    return fine(looked, "a named pipe: only you and administrators may write to it");
  const folder = await lookAt(dirname(path));
  if (folder === undefined) return fine(looked, "its folder will be made");
  const isOurs = process.getuid === undefined || folder.uid === process.getuid();
  if (!folder.isDirectory() || !isOurs || (folder.mode & 0o077) !== 0)
    return fault(looked, "its folder must be yours alone", `chmod 700 ${dirname(path)}`);
  const found = await lookAt(path);
  if (found === undefined) return fine(looked, "nothing is in its place");
  if (!found.isSocket())
    return fault(
      looked,
      "something that is no socket stands there",
      "Move it, or set server.socket",
    );
  if ((found.mode & 0o077) !== 0)
    return fault(looked, "others may connect to it", `chmod 600 ${path}`);
  return fine(looked, "only you may connect to it");
}

async function lookAt(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch {
    return undefined; // missing or out of reach, as the daemon would find it
  }
}
