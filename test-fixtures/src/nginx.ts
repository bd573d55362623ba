import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { run } from "./run.ts";

/**
 * The nginx of the machine, else Debian's package unpacked into the user's cache, which needs no rights. Where neither is
 * to be had: the reason.
 */
export async function findNginx(): Promise<
  { readonly path: string } | { readonly reason: string }
> {
  for (const path of ["/usr/sbin/nginx", "/usr/local/bin/nginx", "/opt/homebrew/bin/nginx"])
    if (existsSync(path)) return { path };
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "bounded-mcp");
  const folder = join(cache, "nginx");
  const path = join(folder, "usr", "sbin", "nginx");
  if (!existsSync(path)) {
    const reason = await unpack(cache, folder);
    if (reason !== undefined) return { reason };
  }
  const { status, stderr } = await run(path, ["-v"]);
  return status === 0 ? { path } : { reason: `nginx does not start: ${stderr}` };
}

async function unpack(cache: string, folder: string): Promise<string | undefined> {
  if (!existsSync("/usr/bin/apt-get")) return "there is no nginx, and no apt-get to fetch it with";
  mkdirSync(cache, { recursive: true });
  const staging = mkdtempSync(join(cache, "unpacking-"));
  try {
    const fetched = await run("apt-get", ["download", "nginx"], {
      cwd: staging,
      timeoutMs: 60_000,
    });
    const archive = readdirSync(staging).find((name) => name.endsWith(".deb"));
    if (archive === undefined) return `there is no nginx, and apt-get says: ${fetched.stderr}`;
    const unpacked = await run("dpkg-deb", ["-x", join(staging, archive), join(staging, "x")]);
    if (unpacked.status !== 0) return `dpkg-deb says: ${unpacked.stderr}`;
    // Another test may have been faster; either is the same.
    if (!existsSync(folder)) renameSync(join(staging, "x"), folder);
    return undefined;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
