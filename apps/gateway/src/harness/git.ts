import { access } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { ChildStartError, type Environment, startChild } from "@core/wire";
import { GIT_WAIT_MS, MAX_GIT_LINE_BYTES } from "../limits.ts";
import type { ExcludeLine } from "./exclude.ts";

/** What git does with a file. */
export type GitStanding =
  /** No work tree holds it. */
  | { readonly kind: "outside" }
  /** The next commit may hold it. */
  | { readonly kind: "tracked" }
  /** Git never adds it by itself. */
  | { readonly kind: "ignored" }
  /** One `git add .` away from a commit; `exclude` would prevent it. */
  | { readonly kind: "untracked"; readonly exclude: ExcludeLine }
  /** A work tree holds it, and git is not installed or does not say. */
  | { readonly kind: "unknown" };

/** Asks git about a file, which need not exist. `file` is absolute and without links, as git compares real paths. */
export async function askGit(file: string, environment: Environment): Promise<GitStanding> {
  const root = await findWorkTree(dirname(file));
  if (root === undefined) return { kind: "outside" };
  const path = relative(root, file).split(sep).join("/");
  const git = (...words: string[]) => runGit(root, words, environment);
  const listed = await git("--literal-pathspecs", "ls-files", "--", path);
  if (listed.status !== 0) return { kind: "unknown" };
  if (listed.stdout !== "") return { kind: "tracked" };
  const ignored = await git("check-ignore", "-q", "--", path);
  if (ignored.status === 0) return { kind: "ignored" };
  const place = await git("rev-parse", "--git-path", "info/exclude");
  if (ignored.status !== 1 || place.status !== 0) return { kind: "unknown" };
  const exclude = { file: resolve(root, place.stdout), line: excludePattern(path) };
  return { kind: "untracked", exclude };
}

/** The pattern for exactly this path from the top of the work tree (gitignore(5)). */
export function excludePattern(path: string): string {
  return `/${path.replace(/[\\*?[\]]/g, "\\$&").replace(/ $/, "\\ ")}`;
}

/** The nearest folder upwards with a `.git`, which is a file in linked work trees and submodules. */
async function findWorkTree(folder: string): Promise<string | undefined> {
  try {
    await access(join(folder, ".git"));
    return folder;
  } catch {
    // Missing or out of reach: the answer is further up, if there is one.
    const parent = dirname(folder);
    return parent === folder ? undefined : findWorkTree(parent);
  }
}

/** Runs git, which may be missing; any status but 0 and 1 is a failure. `stdout` is its first line. */
async function runGit(
  cwd: string,
  words: readonly string[],
  environment: Environment,
): Promise<{ status: number; stdout: string }> {
  // A hook's variables would have git answer about another repository, and a monitor is a program of the work tree's choice.
  const env = Object.fromEntries(
    Object.entries(environment).filter(([name]) => !name.startsWith("GIT_")),
  );
  const args = ["-c", "core.fsmonitor=false", ...words];
  let stdout = "";
  const keep = (line: Buffer) => {
    stdout ||= line.toString();
  };
  try {
    const child = await startChild({
      ...{ command: "git", args, cwd, env, maxMessageBytes: MAX_GIT_LINE_BYTES },
      ...{ onLine: keep, onNoise: keep, onOversize: ({ head }) => keep(head) },
    });
    const timer = setTimeout(child.kill, GIT_WAIT_MS);
    const { code } = await child.exited;
    clearTimeout(timer);
    return { status: code ?? -1, stdout };
  } catch (error) {
    if (error instanceof ChildStartError) return { status: -1, stdout: "" };
    throw error;
  }
}
