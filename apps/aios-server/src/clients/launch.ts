/** How a client starts this server: a program and its arguments. */
export interface Launch {
  readonly command: string;
  readonly args: readonly [string, ...string[]];
}

/**
 * The launch of exactly this version through npx, so that no path of a disposable cache is kept (S24). Windows starts
 * npx, which is a script there, through cmd.
 */
export function npxLaunch(of: {
  version: string;
  folder: string;
  platform: NodeJS.Platform;
}): Launch {
  const { version, folder, platform } = of;
  const pinned = ["--yes", "--package", `dotaios-mcp@${version}`, "dotaios-mcp", "--path", folder];
  return platform === "win32"
    ? { command: "cmd", args: ["/c", "npx", ...pinned] }
    : { command: "npx", args: pinned as [string, ...string[]] };
}

const PINNED = /^dotaios(-mcp)?@\d+\.\d+\.\d+(-[\w.-]+)?$/;
const NODE = /(^|[\\/])node(\.exe)?$/i;
const SCRIPT =
  /[\\/](packages[\\/]mcp[\\/]src[\\/]server\.mjs|(aios-server|dotaios-mcp)[\\/]dist[\\/]cli\.js)$/;

/**
 * Whether the words of a command start this server, or the program whose folder it reads, and do nothing else: the
 * pinned npx launch, or node with the server's own script; then `--path` and a folder.
 */
export function isOwnLaunch(words: readonly unknown[]): boolean {
  if (!words.every((word) => typeof word === "string")) return false;
  const isThroughCmd = words[0] === "cmd" && words[1] === "/c";
  const [command, ...args] = isThroughCmd ? words.slice(2) : words;
  const folder = args.at(-1);
  if (args.at(-2) !== "--path" || !folder) return false;
  if (command === "npx")
    return (
      args.length === 6 &&
      args[0] === "--yes" &&
      args[1] === "--package" &&
      PINNED.test(args[2]!) &&
      args[3] === "dotaios-mcp"
    );
  return args.length === 3 && NODE.test(command!) && SCRIPT.test(args[0]!);
}
