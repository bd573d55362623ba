import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { createTempFolder, repository, run, type TempFolder } from "test-fixtures";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHome, fixture } from "./session.ts";
import { play } from "./travis-host/play.ts";

const NAME = "travis234-mcp-adapter";
let place: TempFolder;
/** The package as npm puts it into node_modules. */
let fetched: string;

beforeAll(async () => {
  place = createTempFolder();
  const prefix = join(place.path, "npm");
  mkdirSync(prefix);
  const packed = await run("npm", ["pack", "--pack-destination", place.path], {
    cwd: join(repository, "apps", "travis-adapter"),
  });
  expect(packed.status, packed.stderr).toBe(0);
  const tarball = readdirSync(place.path).find((name) => name.endsWith(".tgz"));
  const flags = ["--prefix", prefix, "--offline", "--no-audit", "--no-fund"];
  const installed = await run("npm", ["install", ...flags, join(place.path, tarball ?? "")]);
  expect(installed.status, installed.stderr).toBe(0);
  fetched = join(prefix, "node_modules", NAME);
}, 60_000);
afterAll(() => place[Symbol.asyncDispose]());

describe("the package that npm fetches and Travis234 installs from its folder", () => {
  it("[A36] keeps the rules of the host's manifest", () => {
    const { travis, name } = JSON.parse(readFileSync(join(fetched, "package.json"), "utf8"));
    expect(name).toBe(NAME);
    expect(Object.keys(travis)).toEqual(["extensions"]);
    for (const entry of travis.extensions) {
      const path = realpathSync(join(fetched, entry));
      expect(relative(fetched, path)).not.toMatch(/^\.\./);
      expect(path).toMatch(/\.py$/);
      expect(statSync(path).isFile()).toBe(true);
    }
  });

  it("[A36] works where the host copies it to, as a whole and with nothing beside it", async () => {
    const copied = join(place.path, `${NAME}-0123456789`);
    cpSync(fetched, copied, { recursive: true, dereference: true });
    await using home = await createHome({ echo: fixture("echo") });
    const extension = join(copied, "extensions", "travis234_mcp_adapter.py");
    const argument = JSON.stringify([{ server: "echo", tool: "echo", args: { text: "hi" } }]);
    const seen = await play({ scenario: "ask", extension, home: home.path, argument });
    expect(seen.results).toMatchObject([{ isError: false, content: [{ text: "hi" }] }]);
  });

  it("[A36] is installed and managed by the commands of the README", () => {
    const readme = readFileSync(join(fetched, "README.md"), "utf8");
    expect(readme).toContain(
      `npm install --prefix ~/.travis234/npm ${NAME}\ntravis234 install ~/.travis234/npm/node_modules/${NAME}\n`,
    );
    // The host finds an installed package by its source, its folder or the last name of its source.
    for (const command of ["list", `update ${NAME}`, `remove ${NAME}`])
      expect(readme).toContain(`\`travis234 ${command}\``);
  });
});
