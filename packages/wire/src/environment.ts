/** What the MCP SDKs hand to a stdio server without being asked, from the list of sudo. */
const POSIX_NAMES = ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"];
/** The union of the TypeScript and the Python SDK's lists, and PROGRAMDATA, without which Windows' ssh dies. */
const WINDOWS_NAMES = [
  "APPDATA",
  "HOMEDRIVE",
  "HOMEPATH",
  "LOCALAPPDATA",
  "PATH",
  "PATHEXT",
  "PROCESSOR_ARCHITECTURE",
  "PROGRAMDATA",
  "PROGRAMFILES",
  "SYSTEMDRIVE",
  "SYSTEMROOT",
  "TEMP",
  "USERNAME",
  "USERPROFILE",
];

export type Environment = { readonly [name: string]: string | undefined };

/**
 * The part of our own environment that a child may have: no secrets that happen to lie in it, no NODE_OPTIONS. Exported
 * shell functions (values that begin with "()") are left out.
 */
export function baseEnvironment(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const windows = platform === "win32";
  const names = new Set(windows ? WINDOWS_NAMES : POSIX_NAMES);
  const base: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    // Windows knows its names without case ("Path"); in capitals an entry's own PATH replaces ours.
    const known = windows ? name.toUpperCase() : name;
    if (value !== undefined && names.has(known) && !value.startsWith("()")) base[known] = value;
  }
  return base;
}

/** Environments as one, in which a later one wins; on Windows also over a name that it writes in another case. */
export function layerEnvironments(
  layers: readonly Readonly<Record<string, string>>[],
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  if (platform !== "win32") return Object.assign({}, ...layers);
  const entries = layers.flatMap((layer) => Object.entries(layer));
  const known = new Map(entries.map((entry) => [entry[0].toUpperCase(), entry]));
  return Object.fromEntries(known.values());
}
