import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
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

const IN_CHECKOUT_ALONE = new Set(["node_modules", "src", "test", "bench", ".tsc", ".turbo"]);

/** Copies an app's built folder to where its manifest may become the published one, and gives that folder. */
async function preparePublished({ folder }: App, place: string): Promise<string> {
  const root = join(place, `${folder}-release`);
  const copy = join(root, "apps", folder);
  cpSync(join(repository, "apps", folder), copy, {
    recursive: true,
    filter: (source) => !IN_CHECKOUT_ALONE.has(basename(source)),
  });
  const script = join(repository, "scripts", "publish-manifests.mjs");
  const workflow = { GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "owner/name" };
  const ran = await run("node", [script, root], { env: { PATH: process.env.PATH, ...workflow } });
  if (ran.status !== 0) throw new Error(ran.stderr);
  return copy;
}

/** Packs an app as a release would, below `place`, and gives the tarball's path. */
export async function packApp(app: App, place: string): Promise<string> {
  const packs = join(place, `${app.folder}-pack`);
  mkdirSync(packs);
  const packed = await run("npm", ["pack", "--pack-destination", packs], {
    cwd: await preparePublished(app, place),
  });
  const [tarball] = readdirSync(packs);
  if (packed.status !== 0 || tarball === undefined) throw new Error(packed.stderr);
  return join(packs, tarball);
}
