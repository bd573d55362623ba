import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { posix, win32 } from "node:path";
import type { Environment } from "./environment.ts";

/** Where a command is looked for. */
export interface CommandSearch {
  /** Its PATH is read, and on Windows its PATHEXT, there in whatever case they are written. */
  readonly environment: Environment;
  /** Whose rules are followed; those of the system that this runs on if missing. */
  readonly platform?: NodeJS.Platform | undefined;
  /** Whether a file can be run. */
  readonly isRunnable?: ((file: string) => Promise<boolean>) | undefined;
}

/** What Windows takes for a program where nothing says otherwise. */
const USUAL_EXTENSIONS = ".COM;.EXE;.BAT;.CMD";

/**
 * The file that a server's command names, or undefined. A command without a slash is looked for on the PATH and, unlike
 * Windows does it, never in the working folder, which may be a stranger's project.
 */
export async function findCommand(
  command: string,
  { environment, platform = process.platform, isRunnable = isExecutable }: CommandSearch,
): Promise<string | undefined> {
  const windows = platform === "win32";
  const { delimiter, join, resolve } = windows ? win32 : posix;
  const variable = (name: string) => readVariable(environment, name, windows) ?? "";
  const bare = isBareCommand(command, platform);
  const folders = bare ? variable("PATH").split(delimiter).map(unquoted).filter(Boolean) : [""];
  const names = windows ? withExtensions(command, variable("PATHEXT")) : [command];
  for (const folder of folders)
    for (const name of names) {
      const file = bare ? join(folder, name) : resolve(name);
      if (await isRunnable(file)) return file;
    }
  return undefined;
}

/** Whether a command must be found before it is started: of a bare name Windows would run a program in the working folder. */
export function mustBeFound(command: string, platform: NodeJS.Platform): boolean {
  return platform === "win32" && isBareCommand(command, platform);
}

/** Whether a command is a name that is looked for on the PATH. */
function isBareCommand(command: string, platform: NodeJS.Platform): boolean {
  return !(platform === "win32" ? /[/\\:]/ : /\//).test(command);
}

function readVariable(environment: Environment, name: string, windows: boolean) {
  if (!windows) return environment[name];
  const written = Object.keys(environment).find((key) => key.toUpperCase() === name);
  return written && environment[written];
}

/** A folder of the PATH of Windows may stand in quotation marks. */
function unquoted(folder: string): string {
  return folder.replace(/^"(.*)"$/, "$1");
}

/** A file without an extension is no program of Windows: beside `npx.cmd` lies an `npx` for other systems. */
function withExtensions(command: string, extensions: string): string[] {
  const names = (extensions || USUAL_EXTENSIONS).split(";").filter(Boolean);
  const extended = names.map((extension) => command + extension);
  const isWhole = /\.[^/\\]*$/.test(command);
  return isWhole ? [command, ...extended] : extended;
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false; // missing, or not for us: both mean that it cannot be run
  }
}
