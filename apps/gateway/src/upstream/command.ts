import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";

/** The file that a server's command names, or undefined. A command without a slash is looked for on the PATH. */
export async function findCommand(
  command: string,
  { path, extensions }: { path: string; extensions: string },
): Promise<string | undefined> {
  const bare = !/[/\\]/.test(command);
  const folders = bare ? path.split(delimiter).filter((folder) => folder !== "") : [""];
  const names = process.platform === "win32" ? withExtensions(command, extensions) : [command];
  for (const folder of folders)
    for (const name of names) {
      const file = bare ? join(folder, name) : resolve(name);
      if (await isExecutable(file)) return file;
    }
  return undefined;
}

function withExtensions(command: string, extensions: string): string[] {
  return [command, ...extensions.split(";").map((extension) => command + extension)];
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false; // missing, or not for us: both mean that it cannot be run
  }
}
