import { join, resolve } from "node:path";

/** Where the AIOS folder is, from the flag, else DOTAIOS_PATH, else `~/aios`; a leading `~` is the home folder. */
export function resolveFolder(
  flag: string | undefined,
  from: { environment: Readonly<Record<string, string | undefined>>; home: string; cwd: string },
): string {
  const given = flag ?? (from.environment.DOTAIOS_PATH || "~/aios");
  const expanded = /^~(?=$|[/\\])/.test(given) ? join(from.home, given.slice(1)) : given;
  return resolve(from.cwd, expanded);
}
