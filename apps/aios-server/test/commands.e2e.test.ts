import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseClientDocument } from "@core/clients";
import { builtBin, createTempFolder, run, sampleAios } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { AGENTS } from "../src/clients/agent.ts";
import { limits } from "../src/limits.ts";
import { createAios, snapshotTree, writeFiles } from "./folder.ts";

const bins = {
  "dotaios-mcp": builtBin("dotaios-mcp"),
  dotaios: join(dirname(builtBin("dotaios-mcp")), "dotaios.js"),
};

/** Runs a command line in a home folder of its own, over the sample folder unless it names another. */
function createPlace(files: Readonly<Record<string, string>> = {}) {
  const home = createTempFolder();
  writeFiles(home.path, files);
  const cli = (args: readonly string[], name: keyof typeof bins = "dotaios") =>
    run(process.execPath, [bins[name], ...args], {
      cwd: home.path,
      env: { PATH: process.env.PATH, HOME: home.path, NO_COLOR: "1", DOTAIOS_PATH: sampleAios },
    });
  return { home: home.path, cli, [Symbol.asyncDispose]: () => home[Symbol.asyncDispose]() };
}

describe("both names of the program", () => {
  it.each([
    ["brief", "--budget", "300"],
    ["search", "brent", "geese", "--scope", "vault"],
    ["skill", "plan", "my", "day"],
    ["mcp", "install", "--agent", "codex"],
    ["connect", "opencode", "--dry-run"],
    ["doctor"],
    ["migrate"],
  ])("[W9] answer alike: %s %s", async (...args) => {
    await using place = createPlace();
    const [one, other] = await Promise.all([place.cli(args), place.cli(args, "dotaios-mcp")]);
    const names = ({ stdout, stderr, status }: typeof one) => ({
      status,
      text: (stdout + stderr).replaceAll("dotaios-mcp mcp install", "dotaios mcp install"),
    });
    expect(names(one)).toEqual(names(other));
  });

  it("show commands where one is served and one is typed: dotaios without any prints its help", async () => {
    await using place = createPlace();
    const { status, stdout, stderr } = await place.cli([]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(/Usage: dotaios \[options\] \[command\].*No command was given/s);
    expect(await place.cli([], "dotaios-mcp")).toMatchObject({ status: 0, stdout: "", stderr: "" });
  });

  it.each([
    "brief",
    "search",
    "skill",
    "mcp status",
    "mcp install",
    "connect opencode",
    "doctor",
    "migrate",
  ])("[W9] explain %s with --help", async (command) => {
    await using place = createPlace();
    const { status, stdout, stderr } = await place.cli([...command.split(" "), "--help"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    for (const flag of ["--json", "--path <dir>"]) expect(stdout).toContain(flag);
  });
});

describe("dotaios mcp", () => {
  it("says what would run, with which tools, over which folder", async () => {
    await using place = createPlace();
    const { stdout, status } = await place.cli(["mcp", "status"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/Folder state: +current \(schema 1\.2\.0\)/);
    expect(stdout).toMatch(/Launcher: +npx --yes --package dotaios-mcp@\d+\.\d+\.\d+ dotaios-mcp/);
    const json = JSON.parse((await place.cli(["mcp", "status", "--json"])).stdout);
    expect(json).toMatchObject({
      transport: "stdio",
      folder: sampleAios,
      state: { status: "current" },
      tools: expect.arrayContaining(["read_working_context", "resolve_skill"]),
    });
    expect(json.launcher.slice(-2)).toEqual(["--path", sampleAios]);
  });

  it("says where the folder is none", async () => {
    await using place = createPlace();
    const { stdout } = await place.cli(["mcp", "status", "--path", "."]);
    expect(stdout).toContain("MISSING_FILE, see dotaios doctor");
  });

  it.each(AGENTS)(
    "[S24] prints %s's fragment with its target and writes nothing",
    async (agent) => {
      await using place = createPlace({ ".claude.json": "{}" });
      const before = snapshotTree(place.home);
      const [text, dry, json] = await Promise.all([
        place.cli(["mcp", "install", "--agent", agent.toUpperCase()]),
        place.cli(["mcp", "install", "--agent", agent, "--dry-run"]),
        place.cli(["mcp", "install", "--agent", agent, "--json"]),
      ]);
      const fragment = JSON.parse(json.stdout);
      expect(text).toMatchObject({ status: 0, stderr: "", stdout: dry.stdout });
      for (const part of [
        fragment.text.trimEnd(),
        fragment.target,
        fragment.format,
        "do not replace",
      ])
        expect(text.stdout).toContain(part);
      expect(fragment.target.startsWith(place.home)).toBe(true);
      expect(snapshotTree(place.home)).toEqual(before);
    },
  );

  it("warns where the folder is none, and prints the fragment all the same", async () => {
    await using place = createPlace();
    const { stdout, stderr, status } = await place.cli([
      "mcp",
      "install",
      "--agent",
      "kimi",
      "--path",
      "x",
    ]);
    expect(status).toBe(0);
    expect(stderr).toMatch(/^warning: .*holds no aios\.json/);
    expect(stdout).toContain(join(place.home, "x"));
  });

  it.each([
    [["mcp", "install"], "required option '--agent <name>' not specified"],
    [["mcp", "install", "--agent", "vim"], "--agent is one of claude, codex, cursor, gemini"],
    [["mcp", "instal"], "Did you mean install?"],
    [["connect", "codex"], "codex"],
    [["connect", "opencode", "--status"], "--status"],
    [["search"], "missing required argument 'query'"],
    [["skill"], "missing required argument 'intent'"],
    [["doctor", "--budget", "1"], "--budget"],
  ])("[W9] ends with 2 for the command line %j", async (args, said) => {
    await using place = createPlace();
    const { status, stdout, stderr } = await place.cli(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(said);
    const json = await place.cli([...args, "--json"]);
    expect(JSON.parse(json.stdout).error.code).toBe("USAGE");
  });
});

describe("dotaios connect opencode", () => {
  const file = ".config/opencode/opencode.jsonc";

  it("[S23] shows the change with --dry-run, makes it without, and says so the second time", async () => {
    await using place = createPlace({ [file]: '{\n  // mine\n  "theme": "x"\n}\n' });
    const folderBefore = snapshotTree(sampleAios);
    const before = snapshotTree(place.home);
    const dry = await place.cli(["connect", "opencode", "--dry-run"]);
    expect(dry).toMatchObject({ status: 0, stderr: "" });
    expect(dry.stdout).toMatch(/^Would change .*opencode\.jsonc\n.*^\+.*dotaios-mcp@/ms);
    expect(snapshotTree(place.home)).toEqual(before);

    const done = await place.cli(["connect", "opencode"]);
    expect(done.stdout).toMatch(/^Changed .*Restart OpenCode.*configuration alone/s);
    const again = JSON.parse((await place.cli(["connect", "opencode", "--json"])).stdout);
    expect(again).toMatchObject({ changed: false, diff: "", target: join(place.home, file) });
    const { stdout } = await run("cat", [join(place.home, file)]);
    expect(stdout).toContain("// mine");
    const entry = parseClientDocument(stdout, { format: "jsonc", file }).get(["mcp", "dotaios"]);
    expect(entry).toMatchObject({ command: expect.arrayContaining(["--path", sampleAios]) });
    expect(snapshotTree(sampleAios)).toEqual(folderBefore);
  });

  it("[S23] ends with 1, the place of the fault and the way by hand, and changes nothing", async () => {
    await using place = createPlace({ [file]: '{ // mine\n  "mcp": [] }' });
    const before = snapshotTree(place.home);
    const { status, stdout, stderr } = await place.cli(["connect", "opencode"]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(
      /opencode\.jsonc:2:\d+ mcp: must be a map.*mcp install --agent opencode/s,
    );
    expect(snapshotTree(place.home)).toEqual(before);
  });

  it("[S23] refuses a folder that is no AIOS folder", async () => {
    await using place = createPlace();
    const { status, stderr } = await place.cli(["connect", "opencode", "--path", "."]);
    expect(status).toBe(1);
    expect(stderr).toContain("holds no aios.json");
    expect(existsSync(join(place.home, ".config"))).toBe(false);
  });
});

describe("dotaios search", () => {
  it("prints what it finds, and with --json the tool's own answer", async () => {
    await using place = createPlace();
    const args = ["search", "brent", "geese", "--scope", "vault", "--limit", "1"];
    expect((await place.cli(args)).stdout).toMatch(
      /^Memory: Shared\n\nvault\/wiki\/brent-geese\.md · Brent geese\n {2}1: # Brent geese\n/,
    );
    const { stdout } = await place.cli([...args, "--json", "--budget", "4000"]);
    const answer = JSON.parse(stdout);
    expect(answer).toMatchObject({ query: "brent geese", complete: true, omissions: [] });
    expect(answer.budget).toMatchObject({ limit: 4_000, used: stdout.length - 1 });
  });

  it("[S10] tells on stderr what was left out, with the records of the tool in --json", async () => {
    await using folder = createAios({
      "references/large.md": Buffer.alloc(limits.maxSearchFileBytes + 1, "x"),
    });
    await using place = createPlace();
    const args = ["search", "word", "--path", folder.path];
    expect(await place.cli(args)).toMatchObject({
      status: 0,
      stdout: "Memory: Shared\n\nNothing was found.\n",
      stderr: expect.stringMatching(/^references was not searched: Split the large file.*\n$/),
    });
    const answer = JSON.parse((await place.cli([...args, "--json"])).stdout);
    expect(answer).toMatchObject({
      complete: false,
      omissions: [{ scope: "references", reason: "file_too_large", inspection: "not_searched" }],
    });
  });

  it("[W9] ends with 1 for what the tool refuses, the budget below 3,530 among it", async () => {
    await using place = createPlace();
    for (const flags of [
      ["--budget", "3529"],
      ["--scope", "web"],
      ["--scope", "projects"],
    ]) {
      const { status, stdout, stderr } = await place.cli(["search", "x", ...flags]);
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr).toMatch(/^error: "(budget|scope)" /);
    }
  });
});

describe("dotaios skill", () => {
  it("[S13] prints the skill that fits, and with --json the tool's own answer", async () => {
    await using place = createPlace();
    const args = ["skill", "plan", "my", "day", "--project", "tide", "--limit", "2"];
    const { stdout } = await place.cli(args);
    expect(stdout).toMatch(
      /^Memory: This project\n\nplan-today \(1\.\d+, matched trigger "plan my day"\)\n {2}Draft a plan .*\n {2}skills\/plan-today\/SKILL\.md\n/,
    );
    const json = await place.cli([...args, "--json", "--budget", "700"]);
    const answer = JSON.parse(json.stdout);
    expect(answer).toMatchObject({ intent: "plan my day", memory: "project" });
    expect(answer.budget).toMatchObject({ limit: 700, used: json.stdout.length - 1 });
  });

  it("says that none fits, that memory is off, and what it passed over", async () => {
    await using place = createPlace();
    expect((await place.cli(["skill", "xyzzy"])).stdout).toBe(
      "Memory: Shared\n\nNo installed skill fits.\n",
    );
    const off = await place.cli(["skill", "x", "--memory", "off", "--path", "/nowhere"]);
    expect(off.stdout).toMatch(/^Memory: Off\n\nMemory is off: /);
    await using folder = createAios({ "skills/a/SKILL.md": "---\nname: 1\n---\n" });
    const { stderr } = await place.cli(["skill", "x", "--path", folder.path]);
    expect(stderr).toBe("1 skill(s) that nobody can read were passed over\n");
  });

  it("[W9] ends with 1 for what the tool refuses", async () => {
    await using place = createPlace();
    const { status, stderr } = await place.cli(["skill", "x", "--project", "nobody"]);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr:
        'error: "project" names no project here; allowed are a project\'s folder name, id or alias\n',
    });
  });
});

describe("dotaios doctor and migrate", () => {
  it("report findings, with 1 where one of them is an error", async () => {
    await using place = createPlace();
    expect(await place.cli(["doctor"])).toMatchObject({
      status: 0,
      stdout: "The folder is as this program expects it.\n",
    });
    await using folder = createAios({ "memory/events.jsonl": "x\n" });
    const warned = await place.cli(["doctor", "--path", folder.path]);
    expect(warned).toMatchObject({
      status: 0,
      stdout:
        "warning: memory/events.jsonl: 1 of its 1 lines are no JSON objects and are passed over\n  Mend or remove those lines.\n",
    });
    const broken = await place.cli(["doctor", "--path", "/nowhere", "--json"]);
    expect(broken.status).toBe(1);
    expect(JSON.parse(broken.stdout)).toMatchObject({ ok: false, findings: [{ level: "error" }] });
  });

  it("[S8] names the program that migrates, and does not", async () => {
    await using place = createPlace();
    const { status, stdout, stderr } = await place.cli(["migrate"]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/only reads.*npx dotaios@2\.0\.20 migrate/s);
  });
});
