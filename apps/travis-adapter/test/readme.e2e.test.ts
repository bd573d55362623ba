import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTempFolder, officialServer, repository, run, type TempFolder } from "test-fixtures";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHome } from "./session.ts";

const app = join(repository, "apps", "travis-adapter");
const readme = readFileSync(join(app, "README.md"), "utf8");
const [, example = ""] = /^```ts\n([\s\S]*?)^```/m.exec(readme) ?? [];

/** A project in which the package is installed, with the README's host in it. */
let project: TempFolder;
beforeAll(() => {
  project = createTempFolder();
  mkdirSync(join(project.path, "node_modules", "@types"), { recursive: true });
  symlinkSync(app, join(project.path, "node_modules", "travis234-mcp-adapter"));
  symlinkSync(
    join(repository, "node_modules", "@types", "node"),
    join(project.path, "node_modules", "@types", "node"),
  );
  writeFileSync(join(project.path, "package.json"), JSON.stringify({ type: "module" }));
  for (const name of ["host.ts", "host.js"]) writeFileSync(join(project.path, name), example);
});
afterAll(() => project[Symbol.asyncDispose]());

describe("the README's host in TypeScript", () => {
  it("[A36] compiles under strict", async () => {
    const flags = "--noEmit --strict --skipLibCheck false --target es2022 --module nodenext".split(
      " ",
    );
    const tsc = join(repository, "node_modules", "typescript", "bin", "tsc");
    const lib = ["--lib", "es2022,esnext.disposable", "--types", "node"];
    const { status, stdout } = await run(process.execPath, [tsc, ...flags, ...lib, "host.ts"], {
      cwd: project.path,
    });
    expect([status, stdout]).toEqual([0, ""]);
  });

  it("[A36] runs as it stands, on the configuration of the README's first minute", async () => {
    await using folder = createTempFolder();
    const args = [officialServer("@modelcontextprotocol/server-filesystem"), folder.path];
    await using home = await createHome({ filesystem: { command: process.execPath, args } });
    const { PATH } = process.env;
    const ran = await run(process.execPath, ["host.js"], {
      cwd: project.path,
      env: { PATH, HOME: home.path, USERPROFILE: home.path },
    });
    expect(ran).toMatchObject({ status: 0, stderr: "" });
    expect(ran.stdout).toMatch(
      /^mcp: Use tools, .* \(3 keywords\)\nMay the agent call on filesystem\?\n/,
    );
    expect(ran.stdout).toContain(folder.path);
  });
});
