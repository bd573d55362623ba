import { pathToFileURL } from "node:url";
import type { ClientSession } from "./client-session.ts";

/** The result of `roots/list` as JSON text: the session's folder is its one root, and a client without a folder has none. */
export async function rootsOf(session: ClientSession | undefined): Promise<string> {
  const cwd = session?.cwd;
  const isAllowed = cwd !== undefined && (await cwd.isStillAllowed());
  return JSON.stringify({ roots: isAllowed ? [{ uri: pathToFileURL(cwd.path).href }] : [] });
}
