import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createTempFolder, type TempFolder } from "test-fixtures";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requireWorktree } from "./worktree.ts";

let folder: TempFolder;
const path = (name: string) => join(folder.path, name);
beforeAll(() => {
  folder = createTempFolder();
  for (const name of ["code", "code/app", "code-other"]) mkdirSync(path(name));
  symlinkSync(path("code/app"), path("link"));
});
afterAll(() => folder[Symbol.asyncDispose]());

const url = new URL("http://h/mcp");
const local = { kind: "socket", path: "/s", isLocal: true } as const;
const distant = { kind: "url", url, options: [], isLocal: false } as const;

describe("requireWorktree", () => {
  it("[G23] gives the real path, under which the daemon knows the folder", async () => {
    const roots = [path("code")];
    expect(await requireWorktree(path("link"), { reach: distant, roots })).toBe(path("code/app"));
    expect(await requireWorktree(path("link"), { reach: local, roots: [] })).toBe(path("code/app"));
  });

  it.each([
    ["code-other", ["code"], local, "WORKTREE_NOT_ALLOWED", "outside of mcp.allowed_cwd_roots"],
    ["code", [], distant, "WORKTREE_NOT_ALLOWED", "mcp.allowed_cwd_roots is empty"],
    ["missing", [], local, "NO_WORKTREE", "is not an existing folder"],
    ["missing", ["code"], distant, "NO_WORKTREE", "is not an existing folder"],
  ] as const)("[G8] [G23] refuses %s with the roots %j", async (name, roots, reach, code, said) => {
    const asked = requireWorktree(path(name), { reach, roots: roots.map(path) });
    await expect(asked).rejects.toMatchObject({
      code,
      message: expect.stringContaining(said),
      hint: expect.stringMatching(/./),
    });
  });
});
