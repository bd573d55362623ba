import { posix, win32 } from "node:path";

/** Where the gateway's own files stand unless the configuration says otherwise. */
export interface Places {
  readonly home: string;
  readonly configFile: string;
  readonly tokenFile: string;
  /** What the gateway remembers, and its socket. */
  readonly stateFolder: string;
  /** Whose paths these are. */
  readonly platform: NodeJS.Platform;
}

/**
 * XDG Base Directory 0.8: a variable that is empty or not absolute is ignored. Without one, Windows has folders of its own
 * for settings, which follow the user from machine to machine, and for state, which does not.
 */
export function findPlaces(
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
  platform: NodeJS.Platform = process.platform,
): Places {
  const { isAbsolute, join } = pathsOf(platform);
  const { XDG_CONFIG_HOME, XDG_STATE_HOME, APPDATA, LOCALAPPDATA } = environment;
  const folderOf = (usual: string, ...named: (string | undefined)[]) =>
    join(named.find((path) => path && isAbsolute(path)) ?? join(home, usual), "wraptool");
  const onWindows = (path: string | undefined) => (platform === "win32" ? path : undefined);
  const folder = folderOf(".config", XDG_CONFIG_HOME, onWindows(APPDATA));
  return Object.freeze({
    home,
    configFile: join(folder, "config.yaml"),
    tokenFile: join(folder, "token"),
    stateFolder: folderOf(join(".local", "state"), XDG_STATE_HOME, onWindows(LOCALAPPDATA)),
    platform,
  });
}

/** A path of the configuration as an absolute one: `~/` is the home folder, and the rest starts at `folder`. */
export function resolvePath(
  path: string,
  folder: string,
  { home, platform }: Pick<Places, "home" | "platform">,
): string {
  const { join, resolve } = pathsOf(platform);
  if (path === "~") return home;
  const isBelowHome = path.startsWith("~/") || (platform === "win32" && path.startsWith("~\\"));
  return isBelowHome ? join(home, path.slice(2)) : resolve(folder, path);
}

/** How paths of a system are read. */
export function pathsOf(platform: NodeJS.Platform): typeof posix {
  return platform === "win32" ? win32 : posix;
}
