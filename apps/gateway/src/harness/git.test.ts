import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTempFolder, run } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { askGit, excludePattern } from "./git.ts";

const environment = { PATH: process.env.PATH, HOME: "/nonexistent", GIT_DIR: "/nonexistent" };

async function createWorkTree() {
  const folder = createTempFolder();
  const git = (...words: string[]) =>
    run("git", words, { cwd: folder.path, env: { PATH: process.env.PATH, HOME: folder.path } });
  await git("init", "-q");
  return {
    path: (...parts: string[]) => join(folder.path, ...parts),
    git,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

describe.concurrent("what git does with a file", () => {
  it("[G22] is nothing outside of a work tree", async () => {
    await using folder = createTempFolder();
    expect(await askGit(join(folder.path, "a", "b.json"), environment)).toEqual({
      kind: "outside",
    });
  });

  it("[G22] is told for tracked, ignored and untracked files, also in folders that do not exist", async () => {
    await using tree = await createWorkTree();
    writeFileSync(tree.path("[a]*.json"), "{}");
    writeFileSync(tree.path(".gitignore"), "/ignored.json\n");
    await tree.git("--literal-pathspecs", "add", "[a]*.json");
    const ask = (path: string) => askGit(tree.path(path), environment);
    expect(await ask("[a]*.json")).toEqual({ kind: "tracked" });
    expect(await ask("ignored.json")).toEqual({ kind: "ignored" });
    expect(await ask("a.json")).toMatchObject({ kind: "untracked" });
    expect(await ask(".cursor/mcp.json")).toEqual({
      kind: "untracked",
      exclude: { file: tree.path(".git", "info", "exclude"), line: "/.cursor/mcp.json" },
    });
  });

  it("[G22] is unknown where git is missing or the work tree is broken", async () => {
    await using tree = await createWorkTree();
    expect(await askGit(tree.path("a.json"), { PATH: "/nonexistent" })).toEqual({
      kind: "unknown",
    });
    await using folder = createTempFolder();
    mkdirSync(join(folder.path, ".git"));
    expect(await askGit(join(folder.path, "a.json"), environment)).toEqual({ kind: "unknown" });
  });

  it("[G22] is ignoring once the pattern of the path is excluded, whatever characters are in it", async () => {
    await using tree = await createWorkTree();
    for (const name of ["#a", "!b", "c[1]", "d?*", "e\\f", "g ", "ü"]) {
      const standing = await askGit(tree.path(name), environment);
      if (standing.kind !== "untracked") throw new Error(`${name} is ${standing.kind}`);
      writeFileSync(standing.exclude.file, `${excludePattern(name)}\n`);
      expect([name, (await askGit(tree.path(name), environment)).kind]).toEqual([name, "ignored"]);
    }
    writeFileSync(tree.path(".git", "info", "exclude"), `${excludePattern("d?*")}\n`);
    expect((await askGit(tree.path("dxy"), environment)).kind).toBe("untracked");
  });
});
