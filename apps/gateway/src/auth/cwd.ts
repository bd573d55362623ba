import { realpath, stat } from "node:fs/promises";
import { isAbsolute, sep, win32 } from "node:path";
import { MAX_CWD_CHARACTERS } from "../limits.ts";

declare const allowed: unique symbol;

/** A folder that a client named and may work in. Only {@link createCwdCheck} makes one. */
export interface AllowedCwd {
  readonly [allowed]: true;
  /** The real path, without links. */
  readonly path: string;
  /** Whether it still is what was allowed. To be asked right before it is used: folders move, and links are made. */
  isStillAllowed(): Promise<boolean>;
}

export interface CwdCheck {
  /** The folder, or undefined if it is not allowed. `isLocal`: the client came through a loopback listener or the socket. */
  admit(asked: string, isLocal: boolean): Promise<AllowedCwd | undefined>;
}

/**
 * Makes the check of `?cwd=`, which a client controls: an absolute path of an existing folder that really lies in one of the
 * roots. Without roots any folder will do for local clients, and none for others.
 */
export function createCwdCheck(
  roots: readonly string[],
  platform: NodeJS.Platform = process.platform,
): CwdCheck {
  return createCurrentCwdCheck(() => roots, platform);
}

/** The same with the roots of the moment: a folder that was allowed before a reload may not be so after it. */
export function createCurrentCwdCheck(
  currentRoots: () => readonly string[],
  platform: NodeJS.Platform = process.platform,
): CwdCheck {
  const locate = async (asked: string, isLocal: boolean) => {
    const roots = currentRoots();
    const real = await realFolder(asked);
    if (real === undefined) return undefined;
    if (roots.length === 0) return isLocal ? real : undefined;
    // Roots are looked up each time, because they may be made or moved while the gateway runs.
    const realRoots = await Promise.all(roots.map(realFolder));
    return realRoots.some((root) => root !== undefined && isWithin(root, real)) ? real : undefined;
  };
  return Object.freeze({
    async admit(asked: string, isLocal: boolean) {
      if (platform === "win32" && leadsToStrangeHost(asked, currentRoots())) return undefined;
      const path = await locate(asked, isLocal);
      if (path === undefined) return undefined;
      const isStillAllowed = async () => (await locate(path, isLocal)) === path;
      return Object.freeze({ path, isStillAllowed }) as AllowedCwd;
    },
  });
}

/** The real path of an existing folder. */
async function realFolder(path: string): Promise<string | undefined> {
  if (!isAbsolute(path) || path.length > MAX_CWD_CHARACTERS || path.includes("\0"))
    return undefined;
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch {
    // Missing, unreadable or a loop of links: no client learns which.
    return undefined;
  }
}

/** `/code-evil` is not within `/code`. */
function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/**
 * Whether a mere look at the path would make Windows log on at a host that no root names, or open a device: both begin with
 * two slashes.
 */
function leadsToStrangeHost(path: string, roots: readonly string[]): boolean {
  if (!isAtHost(path)) return false;
  const plain = (text: string) => `${win32.resolve(text).toLowerCase().replace(/\\$/, "")}\\`;
  return !roots.some((root) => isAtHost(root) && plain(path).startsWith(plain(root)));
}

function isAtHost(path: string): boolean {
  return /^[/\\]{2}/.test(path);
}
