import { isAbsolute, join, resolve } from "node:path";

/** Where the gateway's own files stand unless the configuration says otherwise. */
export interface Places {
  readonly home: string;
  readonly configFile: string;
  readonly tokenFile: string;
  /** What the gateway remembers, and its socket. */
  readonly stateFolder: string;
}

/** XDG Base Directory 0.8: a variable that is empty or not absolute is ignored. */
export function findPlaces(
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): Places {
  const folderOf = (named = "", usual: string) =>
    join(isAbsolute(named) ? named : join(home, usual), "wraptool");
  const folder = folderOf(environment.XDG_CONFIG_HOME, ".config");
  return Object.freeze({
    home,
    configFile: join(folder, "config.yaml"),
    tokenFile: join(folder, "token"),
    stateFolder: folderOf(environment.XDG_STATE_HOME, join(".local", "state")),
  });
}

/** A path of the configuration as an absolute one: `~/` is the home folder, and the rest starts at `folder`. */
export function resolvePath(path: string, folder: string, home: string): string {
  if (path === "~") return home;
  return path.startsWith("~/") ? join(home, path.slice(2)) : resolve(folder, path);
}
