import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repository, run } from "../src/index.ts";

export interface App {
  readonly folder: string;
  readonly name: string;
  readonly bins: readonly string[];
}

export const apps: readonly App[] = ["travis-adapter", "gateway", "aios-server"].map((folder) => {
  const manifest = readFileSync(join(repository, "apps", folder, "package.json"), "utf8");
  const { name, bin } = JSON.parse(manifest) as { name: string; bin: Record<string, string> };
  return { folder, name, bins: Object.keys(bin) };
});

/** Packs an app as a release would, below `place`, and gives the tarball's path. */
export async function packApp({ folder }: App, place: string): Promise<string> {
  const packs = join(place, `${folder}-pack`);
  mkdirSync(packs);
  const packed = await run("npm", ["pack", "--pack-destination", packs], {
    cwd: join(repository, "apps", folder),
  });
  const [tarball] = readdirSync(packs);
  if (packed.status !== 0 || tarball === undefined) throw new Error(packed.stderr);
  return join(packs, tarball);
}
