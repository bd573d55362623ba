import { basename, posix } from "node:path";
import { ConfigError, type Place } from "@core/config";
import type { Environment } from "@core/wire";

/** What the variables of a dev container's file stand for. */
export interface VariableValues {
  /** The worktree on the host. */
  readonly local: string;
  /** The working folder in the container; absent while it is being found out. */
  readonly container?: string;
  readonly environment: Environment;
}

export interface Expanded {
  readonly text: string;
  /** The variables of this environment that the text has asked for. */
  readonly local: readonly string[];
}

/** `localEnv:NAME`, or with a default `localEnv:NAME:DEFAULT`. */
const LOCAL = /^localEnv:([^:]+)(?::(.*))?$/s;
/** The user's own folder says nothing that the path of a worktree does not. */
const NO_SECRETS: ReadonlySet<string> = new Set(["HOME", "USERPROFILE"]);

/**
 * A text of a dev container's file with its variables replaced, in one pass. This is that format's own grammar: a reference
 * of ours has neither a colon nor a default. A variable of this environment that is not set is empty, as the format has it.
 * Throws ConfigError BAD_REFERENCE for a variable that is not known.
 */
export function expandVariables(text: string, values: VariableValues, place: Place): Expanded {
  const folders = foldersOf(values);
  const local: string[] = [];
  const read = (variable: string): string => {
    const [, name, otherwise = ""] = LOCAL.exec(variable) ?? [];
    if (name !== undefined) {
      local.push(name);
      return readVariable(values.environment, name) ?? otherwise;
    }
    const folder = folders.get(variable);
    if (folder !== undefined) return folder;
    const known = [...folders.keys(), "localEnv:NAME"].join(", ");
    throw new ConfigError("BAD_REFERENCE", `may use no other variables than ${known}`, place);
  };
  const [start = "", ...parts] = text.split("${");
  const expanded = parts.map((part) => {
    const end = part.indexOf("}");
    // One that is not closed has no name, and none is known by no name.
    return read(part.slice(0, Math.max(0, end))) + part.slice(end + 1);
  });
  return { text: start + expanded.join(""), local };
}

/**
 * The same for a text on the command line, which others on this machine can read. Throws ConfigError BAD_REFERENCE where
 * it asks for more of this environment than the user's own folder.
 */
export function expandShown(text: string, values: VariableValues, place: Place): string {
  const expanded = expandVariables(text, values, place);
  const secret = expanded.local.find((name) => !NO_SECRETS.has(name));
  if (secret === undefined) return expanded.text;
  const reason = `takes the value of ${secret}, which would stand on a command line; only containerEnv may, because it is passed by name`;
  throw new ConfigError("BAD_REFERENCE", reason, place);
}

function foldersOf({ local, container }: VariableValues): ReadonlyMap<string, string> {
  const folders = new Map([
    ["localWorkspaceFolder", local],
    ["localWorkspaceFolderBasename", basename(local)],
  ]);
  if (container === undefined) return folders;
  return folders
    .set("containerWorkspaceFolder", container)
    .set("containerWorkspaceFolderBasename", posix.basename(container));
}

function readVariable(environment: Environment, name: string): string | undefined {
  return Object.hasOwn(environment, name) ? environment[name] : undefined;
}
