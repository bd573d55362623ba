import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtBin, run, sampleAios } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { createAios } from "./folder.ts";

const bin = builtBin("dotaios-mcp");
const cli = (args: string[], env: NodeJS.ProcessEnv = {}) =>
  run(process.execPath, [bin, ...args], { env: { ...process.env, NO_COLOR: "1", ...env } });
const brief = (...args: string[]) => cli(["brief", "--path", sampleAios, ...args]);

/** The markdown that the server gives for some arguments. */
async function servedMarkdown(given: object): Promise<string> {
  const params = { name: "read_working_context", arguments: given };
  const input = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })}\n`;
  const { stdout } = await run(process.execPath, [bin, "--path", sampleAios], { input });
  return JSON.parse(JSON.parse(stdout).result.content[0].text).markdown;
}

describe("dotaios-mcp brief", () => {
  it.each([
    [["--compact"], {}],
    [["--compact", "--project", "tide", "--limit", "5"], { project: "tide", limit: 5 }],
    [["--compact", "--budget", "400"], { budget: 400 }],
    [["--compact", "--memory", "off"], { memory: "off" }],
  ])("[S6] prints the server's markdown byte for byte: %j", async (flags, given) => {
    const [{ stdout, stderr, status }, markdown] = await Promise.all([
      brief(...flags),
      servedMarkdown(given),
    ]);
    expect({ stdout, stderr, status }).toEqual({ stdout: `${markdown}\n`, stderr: "", status: 0 });
  });

  it("[S8] tells its notices on stderr, so that stdout stays the projection", async () => {
    await using folder = createAios({
      "aios.json": '{"schema_version":"1.1.0"}',
      "projects/bad/README.md": "---\nid: [open\n---\n",
    });
    const { stdout, stderr } = await cli(["brief", "--path", folder.path]);
    expect(stdout).toMatch(/^Memory: Shared\n\n## Active Context · \d{4}-\d{2}-\d{2}\n$/);
    expect(stderr).toBe(
      "The folder has schema 1.1.0, this program knows 1.2.0: run dotaios migrate\n1 project(s) with an unreadable README were passed over\n",
    );
  });

  it("[W9] prints the tool's own answer with --json", async () => {
    const { stdout } = await brief("--json", "--limit", "1");
    expect(JSON.parse(stdout)).toMatchObject({
      memory: "shared",
      operational: { migration: { status: "current" } },
    });
  });

  it("[W9] ends with 1 and one line for what the tool refuses", async () => {
    const { status, stdout, stderr } = await brief("--limit", "99");
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: "",
      stderr: 'error: "limit" must be from 1 to 10\n',
    });
    const json = await brief("--project", "none", "--json");
    expect(json.status).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: "SELECTOR_UNKNOWN" } });
  });

  it("[W9] ends with 1 and one line for a folder that is missing, a file, or no AIOS folder", async () => {
    await using folder = createAios({ "inner/x": "" });
    writeFileSync(join(folder.path, "file"), "");
    for (const name of ["none", "file", "inner", "file/below"]) {
      const { status, stderr } = await cli(["brief", "--path", join(folder.path, name)]);
      expect(status).toBe(1);
      expect(stderr).toBe(
        "error: The configured folder is missing or holds no aios.json; start the server with --path and the right folder\n",
      );
    }
  });

  it("takes the folder from DOTAIOS_PATH, and from the home folder", async () => {
    const named = await cli(["brief"], { DOTAIOS_PATH: sampleAios });
    expect(named.stdout).toContain("Ines Varga");
    await using home = createAios({
      "aios/aios.json": "{}",
      "aios/context/identity.md": "at home",
    });
    const own = await cli(["brief"], { DOTAIOS_PATH: "", HOME: home.path });
    expect(own.stdout).toContain("at home");
  });
});

describe("dotaios-mcp", () => {
  it.each([
    [["--pth", "x"], "Did you mean --path?"],
    [["--path"], "--path"],
    [["--path", "--compact"], "--path needs a folder"],
    [["brief", "--limit", "three"], "whole number"],
    [["brief", "extra"], "too many arguments"],
    [["breif"], "too many arguments"],
  ])("[W9] ends with 2 and one clear line for %j", async (args, text) => {
    const { status, stdout, stderr } = await cli(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(text);
    expect(stderr.trimEnd().split("\n").length).toBeLessThanOrEqual(2);
  });

  it("[W9] shows its version and help", async () => {
    expect((await cli(["--version"])).stdout).toBe("0.1.0\n");
    const help = await cli(["--help"]);
    expect(help.status).toBe(0);
    expect(help.stdout).toContain("--path <dir>");
    expect((await cli(["brief", "--help"])).stdout).toContain("--budget <n>");
  });
});
