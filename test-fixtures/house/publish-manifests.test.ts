import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTempFolder, repository, run } from "../src/index.ts";
import { apps } from "./tarball.ts";

const manifestsOf = (root: string) =>
  apps.map(({ folder }) => readFileSync(join(root, "apps", folder, "package.json"), "utf8"));

/** Runs the step of the release over a copy of the apps' manifests, and gives what became of them. */
async function publishManifests(env: Readonly<Record<string, string>>) {
  await using place = createTempFolder();
  for (const { folder } of apps) {
    const app = join("apps", folder);
    mkdirSync(join(place.path, app), { recursive: true });
    cpSync(join(repository, app, "package.json"), join(place.path, app, "package.json"));
  }
  const script = join(repository, "scripts", "publish-manifests.mjs");
  const ran = await run("node", [script, place.path], { env: { PATH: process.env.PATH, ...env } });
  return { ...ran, manifests: manifestsOf(place.path) };
}

const IN_A_WORKFLOW = {
  GITHUB_SERVER_URL: "https://github.com",
  GITHUB_REPOSITORY: "Some-Owner/some.repo",
};

describe("the release", () => {
  it("[W5] names the workflow's repository and the app's folder in each manifest, and takes out what a checkout alone has", async () => {
    const { status, stdout, manifests } = await publishManifests(IN_A_WORKFLOW);
    expect(status).toBe(0);
    const before = manifestsOf(repository).map((text) => {
      const { scripts, devDependencies, ...kept } = JSON.parse(text);
      return kept;
    });
    const expected = apps.map(({ folder }, index) => ({
      ...before[index],
      repository: {
        type: "git",
        url: "git+https://github.com/Some-Owner/some.repo.git",
        directory: `apps/${folder}`,
      },
    }));
    expect(manifests.map((text) => JSON.parse(text))).toEqual(expected);
    for (const { folder } of apps) expect(stdout).toContain(`apps/${folder}: built from git+https`);
  });

  it("[W5] changes no manifest outside of a workflow, and says so", async () => {
    const { status, stdout, manifests } = await publishManifests({});
    expect(status).toBe(0);
    expect(stdout).toContain("No manifest was changed");
    expect(manifests).toEqual(manifestsOf(repository));
  });

  it.each([
    { GITHUB_SERVER_URL: "github.com" },
    { GITHUB_REPOSITORY: "no-owner" },
    { GITHUB_REPOSITORY: "owner/name/more" },
  ])("[W5] fails and changes no manifest where the workflow says %j", async (wrong) => {
    const { status, stderr, manifests } = await publishManifests({ ...IN_A_WORKFLOW, ...wrong });
    expect(status).toBe(1);
    expect(stderr).toContain("no manifest was changed");
    expect(manifests).toEqual(manifestsOf(repository));
  });

  it("[W5] makes the manifests between the build and the upload, and the sources name none", () => {
    const { scripts } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
    expect(scripts.release).toMatch(
      / build && node scripts\/publish-manifests\.mjs && changeset publish$/,
    );
    for (const text of manifestsOf(repository))
      expect(JSON.parse(text)).not.toHaveProperty("repository");
  });
});
