import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createTempFolder } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { snapshotTree, writeFiles } from "../../test/folder.ts";
import { connect, planConnection } from "./connect.ts";
import { npxLaunch } from "./launch.ts";

const launch = npxLaunch({ version: "1.2.3", folder: "/a/aios", platform: "linux" });
const own = { type: "local", command: [launch.command, ...launch.args], enabled: true };
const older = { ...own, command: own.command.with(3, "dotaios@2.0.20") };
const CONFIG = ".config/opencode";
const json = (value: unknown) => JSON.stringify(value, null, 2);

/** A home folder with the given files in OpenCode's folder, and what connecting there comes to. */
function createHome(files: Readonly<Record<string, string>> = {}) {
  const home = createTempFolder();
  for (const [name, text] of Object.entries(files))
    writeFiles(home.path, { [`${CONFIG}/${name}`]: text });
  const around = { home: home.path, folder: "/", environment: {}, platform: "linux" } as const;
  const plan = () => planConnection(launch, around);
  return {
    path: join(home.path, CONFIG),
    plan,
    connect: async () => connect(await plan()),
    read: (name: string) => readFileSync(join(home.path, CONFIG, name), "utf8"),
    refusal: async () => {
      const before = snapshotTree(home.path);
      const message = await plan().then(
        () => "accepted",
        (error: Error) => error.message.replace(`${join(home.path, CONFIG)}/`, ""),
      );
      expect(snapshotTree(home.path)).toEqual(before);
      return message;
    },
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  };
}

describe("connecting OpenCode", () => {
  it("[S23] makes opencode.json where there is no file, for its owner alone", async () => {
    await using home = createHome();
    await home.connect();
    expect(JSON.parse(home.read("opencode.json"))).toEqual({ mcp: { dotaios: own } });
    expect(statSync(join(home.path, "opencode.json")).mode & 0o777).toBe(0o600);
  });

  it.each([
    [["opencode.jsonc", "opencode.json", "config.json"], "opencode.jsonc"],
    [["opencode.json", "config.json"], "opencode.json"],
    [["config.json"], "config.json"],
  ])("[S23] of the files %j edits %s", async (names, chosen) => {
    await using home = createHome(Object.fromEntries(names.map((name) => [name, "{}"])));
    await home.connect();
    const changed = names.filter((name) => home.read(name) !== "{}");
    expect(changed).toEqual([chosen]);
  });

  it("[S23] edits the file that has the entry, wherever that is", async () => {
    for (const entry of [{ dotaios: older }, { servers: { dotaios: older } }]) {
      await using home = createHome({
        "opencode.jsonc": "{}",
        "config.json": json({ mcp: entry }),
      });
      await home.connect();
      expect(home.read("opencode.jsonc")).toBe("{}");
      expect(JSON.parse(home.read("config.json"))).toEqual({ mcp: { dotaios: own } });
    }
  });

  it("[S23] keeps comments, formatting, other servers and the mode", async () => {
    const before = `{
\t// my models
\t"model": "x", /* y */
\t"mcp": {
\t\t"other": { "type": "local", "command": ["o"] }, // mine
\t},
}
`;
    await using home = createHome({ "opencode.jsonc": before });
    chmodSync(join(home.path, "opencode.jsonc"), 0o640);
    await home.connect();
    const after = home.read("opencode.jsonc");
    for (const line of before.split("\n")) expect(after).toContain(line);
    expect(after).toContain('\t\t"dotaios": {\n\t\t\t"type": "local",');
    expect(statSync(join(home.path, "opencode.jsonc")).mode & 0o777).toBe(0o640);
  });

  it("[S23] follows a link and leaves it one", async () => {
    await using home = createHome({ "../dotfiles/opencode.json": "{}" });
    mkdirSync(home.path);
    symlinkSync("../dotfiles/opencode.json", join(home.path, "opencode.json"));
    await home.connect();
    expect(home.read("../dotfiles/opencode.json")).toContain('"dotaios"');
    expect(snapshotTree(home.path)["opencode.json"]).toBe("-> ../dotfiles/opencode.json");
  });

  it("[S23] changes nothing the second time", async () => {
    await using home = createHome({ "opencode.jsonc": "// mine\n{}" });
    await home.connect();
    const { mtimeNs } = statSync(join(home.path, "opencode.jsonc"), { bigint: true });
    expect((await home.plan()).diff).toBe("");
    await home.connect();
    expect(statSync(join(home.path, "opencode.jsonc"), { bigint: true }).mtimeNs).toBe(mtimeNs);
  });

  it("[S23] shows the change as a diff before anything is written", async () => {
    await using home = createHome({ "opencode.json": json({ mcp: { dotaios: older } }) });
    const { diff } = await home.plan();
    expect(diff).toMatch(/^-.*dotaios@2\.0\.20/m);
    expect(diff).toMatch(/^\+.*dotaios-mcp@1\.2\.3/m);
    expect(home.read("opencode.json")).toBe(json({ mcp: { dotaios: older } }));
  });

  it.each([
    ["mcp.dotaios", { mcp: { dotaios: { ...older, enabled: false } } }],
    [
      "the entry of a checkout",
      {
        mcp: {
          dotaios: {
            type: "local",
            command: ["node", "/x/packages/mcp/src/server.mjs", "--path", "/a"],
          },
        },
      },
    ],
    [
      "mcp.servers",
      { mcp: { servers: { dotaios: { command: "npx", args: older.command.slice(1) } } } },
    ],
    ["an empty mcp.servers", { mcp: { servers: {} } }],
    ["both", { mcp: { dotaios: older, servers: { dotaios: older } } }],
  ])("[S23] renews an own entry in %s", async (_, before) => {
    await using home = createHome({ "opencode.json": json(before) });
    await home.connect();
    expect(JSON.parse(home.read("opencode.json"))).toEqual({ mcp: { dotaios: own } });
  });

  it.each([
    ["{", /^opencode\.json:1:2: /],
    ["[]", /^opencode\.json:1:1: must have an object/],
    ['{"mcp": []}', "opencode.json:1:9 mcp: must be a map of keys to values"],
    ['{"mcp": {"a": 1, "a": 2}}', /^opencode\.json:1:18: this key stands t/],
    [
      json({ mcp: { dotaios: { ...older, environment: {} } } }),
      /^opencode\.json:3:16 mcp\.dotaios: already has an entry/,
    ],
    [json({ mcp: { dotaios: { ...older, type: "remote" } } }), /already has an entry/],
    [json({ mcp: { dotaios: { ...older, args: [] } } }), /already has an entry/],
    [json({ mcp: { dotaios: { ...older, command: ["other"] } } }), /already has an entry/],
    [json({ mcp: { dotaios: "x" } }), /already has an entry/],
    [
      json({ mcp: { servers: [] } }),
      "opencode.json mcp.servers: must be a map of servers, or be removed",
    ],
    [
      json({ mcp: { servers: { dotaios: older, "my\u202eown": {}, b: {} } } }),
      "opencode.json mcp.servers: holds servers that this program does not move: my?own, b",
    ],
    [
      json({ mcp: { servers: { dotaios: { ...older, cwd: "/" } } } }),
      'opencode.json mcp.servers: has an entry "dotaios" that this program did not write',
    ],
  ])("[S23] refuses %j and leaves it as it is", async (text, said) => {
    await using home = createHome({ "opencode.json": text });
    expect(await home.refusal()).toEqual(
      typeof said === "string" ? said : expect.stringMatching(said),
    );
  });

  it("[S23] names only a few of many foreign servers", async () => {
    const servers = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`s${at}`, {}]));
    await using home = createHome({ "opencode.json": json({ mcp: { servers } }) });
    expect(await home.refusal()).toMatch(/: s0, s1, s2, s3, s4 and 4 more$/);
  });

  it("[S23] refuses a folder in the place of the file", async () => {
    await using home = createHome({ "opencode.json/x": "" });
    expect(await home.refusal()).toBe("opencode.json: is a folder; it must be a regular file");
  });
});
