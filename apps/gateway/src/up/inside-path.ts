import type { HostAddress } from "./host-address.ts";

/** The path in a container of a folder on the host: the same one, except that `C:\code` is `/c/code`. */
export function insidePath(path: string, platform: HostAddress["platform"]): string {
  if (platform !== "win32") return path;
  return path
    .replaceAll("\\", "/")
    .replace(/^([A-Za-z]):/, (_, drive: string) => `/${drive.toLowerCase()}`);
}
