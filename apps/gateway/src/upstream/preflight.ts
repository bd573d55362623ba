import { stat } from "node:fs/promises";
import { findCommand } from "@core/wire";
import type { ServerConfig } from "../config/config.ts";

/** A fault that keeps a server from starting, at a key of its entry. */
export interface ServerProblem {
  readonly server: string;
  readonly key: "command" | "working_dir";
  readonly reason: string;
}

/** What can be told about a server without starting it. */
export async function findServerProblems(
  { name, command, workingDir }: ServerConfig,
  variables: Readonly<Record<string, string>>,
): Promise<ServerProblem[]> {
  const problems: ServerProblem[] = [];
  if ((await findCommand(command, { environment: variables })) === undefined)
    problems.push({ server: name, key: "command", reason: "was not found or is not executable" });
  if (workingDir !== undefined && !(await isFolder(workingDir)))
    problems.push({ server: name, key: "working_dir", reason: "is not an existing folder" });
  return problems;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false; // missing or unreadable: no folder to work in either way
  }
}
