import { isAbsolute, join, resolve } from "node:path";

/** Where the gateway's own files stand unless the configuration says otherwise. */
export interface Places {
  readonly home: string;
  readonly configFile: string;
  readonly tokenFile: string;
}

/** XDG Base Directory 0.8: a variable that is empty or not absolute is ignored. */
export function findPlaces(
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): Places {
  const named = environment.XDG_CONFIG_HOME ?? "";
  const folder = join(isAbsolute(named) ? named : join(home, ".config"), "wraptool");
  return Object.freeze({
    home,
    configFile: join(folder, "config.yaml"),
    tokenFile: join(folder, "token"),
  });
}

/** A path of the configuration as an absolute one: `~/` is the home folder, and the rest starts at `folder`. */
export function resolvePath(path: string, folder: string, home: string): string {
  if (path === "~") return home;
  return path.startsWith("~/") ? join(home, path.slice(2)) : resolve(folder, path);
}
