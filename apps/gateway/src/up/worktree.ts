import { realpathSync } from "node:fs";
import { CommandError } from "@core/terminal";
import { createCwdCheck } from "../auth/cwd.ts";
import type { Reach } from "./reach.ts";

/**
 * The real path of the folder to work in, under which the daemon knows it. Throws CommandError for one that the daemon
 * would refuse, which would show only when an agent inside connects.
 */
export async function requireWorktree(
  folder: string,
  { reach, roots }: { reach: Reach; roots: readonly string[] },
): Promise<string> {
  const found = await createCwdCheck(roots).admit(folder, reach.isLocal);
  if (found !== undefined) return found.path;
  if ((await createCwdCheck([]).admit(folder, true)) === undefined)
    throw new CommandError("NO_WORKTREE", `${folder} is not an existing folder`, {
      hint: "Name the folder to work in with --worktree",
    });
  if (roots.length === 0)
    throw new CommandError(
      "WORKTREE_NOT_ALLOWED",
      "The daemon serves no folder over this listener, because mcp.allowed_cwd_roots is empty",
      { hint: `Set mcp.allowed_cwd_roots: [${realpathSync(folder)}], and run wraptool reload` },
    );
  throw new CommandError(
    "WORKTREE_NOT_ALLOWED",
    `${folder} is outside of mcp.allowed_cwd_roots, so the daemon will refuse it`,
    { hint: "Add it there and run wraptool reload, or name another folder with --worktree" },
  );
}
