import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { repository } from "../src/index.ts";

/** A file of the repository: its path from the root, with forward slashes, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const SKIPPED = new Set(["node_modules", "dist", ".tsc", ".turbo", ".git", "coverage"]);

/** The files below `folders` (paths from the root) whose path matches. */
export function sourceFiles(folders: readonly string[], matching: RegExp): SourceFile[] {
  return folders
    .flatMap((folder) => walk(join(repository, folder)))
    .map((file) => ({ file, path: relative(repository, file).replaceAll("\\", "/") }))
    .filter(({ path }) => matching.test(path))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ file, path }) => ({ path, text: readFileSync(file, "utf8") }));
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? walk(path) : entry.isFile() ? [path] : [];
  });
}
