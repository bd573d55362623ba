import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTempFolder, repository, run } from "../src/index.ts";
import { sourceFiles } from "./sources.ts";

const read = (path: string) => readFileSync(join(repository, path), "utf8");

describe("the workspace", () => {
  it("[W1] has a lockfile without a URL and a pinned package manager", () => {
    expect(read("pnpm-lock.yaml")).not.toMatch(/https?:\/\//);
    expect(JSON.parse(read("package.json"))).toMatchObject({
      name: "bounded-mcp",
      private: true,
      packageManager: expect.stringMatching(/^pnpm@\d+\.\d+\.\d+$/),
      engines: { node: ">=20.19" },
    });
  });

  it("[W1] pins every dependency exactly, most of them in the catalog", () => {
    const catalog = read("pnpm-workspace.yaml").match(/^catalog:\n((?: .*\n)+)/m)?.[1] ?? "";
    const versions = [...catalog.matchAll(/^ {2}"?[^:]+"?: (.*)$/gm)].map(([, version]) => version);
    expect(versions.length).toBeGreaterThan(10);
    for (const version of versions) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    for (const { path, text } of sourceFiles(
      ["packages", "apps", "test-fixtures"],
      /package\.json$/,
    )) {
      const { dependencies = {}, devDependencies = {}, engines } = JSON.parse(text);
      const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
        ([, range]) => range !== "catalog:" && range !== "workspace:*",
      );
      expect(loose, path).toEqual([]);
      if (path.startsWith("apps/")) expect(engines).toEqual({ node: ">=20.19" });
    }
  });

  it("[W5] releases from a matrix of Node versions and systems, with provenance from the workflow", () => {
    const ci = read(".github/workflows/ci.yml");
    expect(ci).toContain("node: [20, 22, 24]");
    expect(ci).toContain("os: [ubuntu-latest, macos-latest, windows-latest]");
    expect(ci).toContain("npm test");
    const release = read(".github/workflows/release.yml");
    expect(release).toContain("NPM_CONFIG_PROVENANCE");
    expect(release).toContain("id-token: write");
    for (const { text } of sourceFiles(["apps"], /package\.json$/))
      expect(text).not.toContain("provenance");
  });
});

describe("the closing line", () => {
  it("[W2] is `N passed, N failed` and last, counts broken files, and names what was skipped", async () => {
    await using place = createTempFolder();
    symlinkSync(join(repository, "node_modules"), join(place.path, "node_modules"));
    writeFileSync(
      join(place.path, "a.test.mjs"),
      `import { expect, it } from "vitest";
it("holds", () => {});
it("breaks", () => expect(1).toBe(2));
it.skip("waits", () => {});
`,
    );
    writeFileSync(join(place.path, "b.test.mjs"), "throw new Error('does not load');\n");
    writeFileSync(join(place.path, "vitest.config.mjs"), "export default {};\n");
    const vitest = join(repository, "node_modules", "vitest", "vitest.mjs");
    const reporter = join(repository, "scripts", "closing-line.mjs");
    const ran = await run(
      process.execPath,
      [vitest, "run", "--root", place.path, "--reporter", reporter],
      { cwd: place.path, env: { PATH: process.env.PATH, HOME: place.path } },
    );
    expect(ran.status).toBe(1);
    expect(ran.stdout.trimEnd().split("\n").slice(-2)).toEqual([
      "skipped: waits",
      "1 passed, 2 failed",
    ]);
  });
});

describe("check-changesets", () => {
  it("[W4] fails when a core package changed and no changeset names the apps that bundle it", async () => {
    await using place = createTempFolder();
    for (const folder of ["packages", "apps"])
      for (const { path, text } of sourceFiles([folder], /^[^/]+\/[^/]+\/package\.json$/)) {
        mkdirSync(join(place.path, path, ".."), { recursive: true });
        writeFileSync(join(place.path, path), text);
      }
    mkdirSync(join(place.path, "packages", "bounds", "src"));
    mkdirSync(join(place.path, ".changeset"));
    writeFileSync(join(place.path, ".changeset", "README.md"), "");
    cpSync(join(repository, "scripts"), join(place.path, "scripts"), { recursive: true });

    const git = (...args: string[]) =>
      run("git", ["-c", "user.name=t", "-c", "user.email=t@example.invalid", ...args], {
        cwd: place.path,
      });
    const check = () =>
      run(process.execPath, ["scripts/check-changesets.mjs", "main"], { cwd: place.path });
    await git("init", "-q", "-b", "main");
    await git("add", "-A");
    await git("commit", "-qm", "base");
    await git("checkout", "-qb", "change");
    expect((await check()).status).toBe(0);

    writeFileSync(join(place.path, "packages", "bounds", "src", "text.ts"), "export {};\n");
    await git("add", "-A");
    await git("commit", "-qm", "change a core package");
    const refused = await check();
    expect(refused.status).toBe(1);
    for (const app of ["travis234-mcp-adapter", "wraptool", "dotaios-mcp"])
      expect(refused.stderr).toContain(`${app} bundles packages/bounds`);

    writeFileSync(
      join(place.path, ".changeset", "why.md"),
      '---\n"travis234-mcp-adapter": patch\n"wraptool": patch\n"dotaios-mcp": patch\n---\n\nWhy.\n',
    );
    expect((await check()).status).toBe(0);
  });
});
