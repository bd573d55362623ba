import { createHash } from "node:crypto";
import { type Places, pathsOf } from "./place.ts";

/** The usual place of pipes on Windows. */
export function windowsPipe(name: string): string {
  return `\\\\.\\pipe\\${name}`;
}

/** Whether a socket is a named pipe of Windows, which stands in no folder. */
export function isWindowsPipe(socket: string): boolean {
  return socket.toLowerCase().startsWith(windowsPipe(""));
}

/**
 * The socket of a configuration, `named` being the absolute path that it says. Windows has no sockets with a mode: there it
 * is a named pipe, the one that is named or else one for this user and this configuration.
 */
export function socketOf(
  named: string | undefined,
  configFile: string,
  { home, stateFolder, platform }: Pick<Places, "home" | "stateFolder" | "platform">,
): string {
  if (platform !== "win32") return named ?? pathsOf(platform).join(stateFolder, "wraptool.sock");
  if (named !== undefined && isWindowsPipe(named)) return named;
  // Letters of either case are the same path there.
  const owner = `${home}\n${configFile}`.toLowerCase();
  const hash = createHash("sha256").update(owner).digest("hex");
  return windowsPipe(`wraptool-${hash.slice(0, 32)}`);
}
