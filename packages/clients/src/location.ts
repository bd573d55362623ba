import { access } from "node:fs/promises";
import { posix, win32 } from "node:path";
import type { ClientRow, TablePath } from "./row.ts";

export type ClientScope = "project" | "global";

/** What a client's file is found from. `folder` is the project's; all paths are absolute. */
export interface Surroundings {
  readonly home: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/** A place of a client's file as an absolute path. */
export interface LocatedFile {
  readonly path: string;
  /** What must exist for the client to read this place; absent on the last of a list. */
  readonly marker?: string;
  /** Why the marker decides. */
  readonly because?: string;
}

/** All places of a client's file of a scope, the preferred first; none if the client has no such file. */
export function locateClientFiles(
  row: ClientRow,
  scope: ClientScope,
  around: Surroundings,
): LocatedFile[] {
  return (row[scope]?.candidates ?? []).map(({ path, marker, because }) => ({
    path: absolutePath(row, path, around),
    ...(marker !== undefined && { marker: absolutePath(row, marker, around) }),
    ...(because !== undefined && { because }),
  }));
}

/**
 * The place that the installed client reads: the first whose marker exists, else the last. `undefined` if the client
 * has no file of this scope.
 */
export async function chooseClientFile(
  row: ClientRow,
  scope: ClientScope,
  around: Surroundings,
  exists: (path: string) => Promise<boolean> = pathExists,
): Promise<LocatedFile | undefined> {
  for (const file of locateClientFiles(row, scope, around))
    if (file.marker === undefined || (await exists(file.marker))) return file;
  return undefined;
}

/** The place that the client's documentation names, as an absolute path. */
export function documentedClientFile(
  row: ClientRow,
  scope: ClientScope,
  around: Surroundings,
): string | undefined {
  const file = row[scope];
  return file && absolutePath(row, file.documented, around);
}

function absolutePath(row: ClientRow, path: TablePath, around: Surroundings): string {
  const { join, isAbsolute } = around.platform === "win32" ? win32 : posix;
  const written = typeof path === "string" ? path : pathOfPlatform(path, around.platform);
  const moved = findMoved(row, written, around);
  // A relative value would mean a different file in each working directory, so clients are not taken to honour it.
  if (moved !== undefined && isAbsolute(moved.to)) return join(moved.to, moved.rest);
  if (isBelow(written, "~")) return join(around.home, written.slice(1));
  if (isBelow(written, "%APPDATA%")) {
    const { APPDATA = "" } = around.environment;
    const folder = isAbsolute(APPDATA) ? APPDATA : join(around.home, "AppData", "Roaming");
    return join(folder, written.slice("%APPDATA%".length));
  }
  return join(around.folder, written);
}

/** Where a client's own variable puts the path. */
function findMoved(
  { moved = [] }: ClientRow,
  path: string,
  { environment, platform }: Surroundings,
): { to: string; rest: string } | undefined {
  for (const { variable, from, platforms } of moved) {
    const to = environment[variable];
    if (to && isBelow(path, from) && (platforms?.includes(platform) ?? true))
      return { to, rest: path.slice(from.length) };
  }
  return undefined;
}

function pathOfPlatform(path: Exclude<TablePath, string>, platform: NodeJS.Platform): string {
  return platform === "win32" || platform === "darwin" ? path[platform] : path.linux;
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

async function pathExists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    // Whatever is in the way, the client does not read there either.
    return false;
  }
}
