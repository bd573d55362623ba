import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { dirname } from "node:path";
import { builtBin } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { createHarnessHome, type HarnessHome, TOKEN } from "./harness-home.ts";

/** The project files of the harnesses that take a URL and the token. */
const PROJECT = {
  amp: ".amp/settings.json",
  antigravity: ".agents/mcp_config.json",
  claude: ".mcp.json",
  codex: ".codex/config.toml",
  continue: ".continue/mcpServers/mcp.yaml",
  crush: ".crush.json",
  cursor: ".cursor/mcp.json",
  devin: ".devin/mcp_config.json",
  gemini: ".gemini/settings.json",
  kimi: ".kimi-code/mcp.json",
  kiro: ".kiro/settings/mcp.json",
  opencode: "opencode.json",
  pi: ".pi/mcp.json",
  qwen: ".qwen/settings.json",
  roo: ".roo/mcp.json",
  vscode: ".vscode/mcp.json",
  zed: ".zed/settings.json",
};
/** Their global files on Linux, the seed's where there are several, and those of harnesses without a project file. */
const GLOBAL = {
  amp: ".config/amp/settings.json",
  antigravity: ".gemini/antigravity-cli/mcp_config.json",
  claude: ".claude.json",
  cline: ".cline/data/settings/cline_mcp_settings.json",
  codex: ".codex/config.toml",
  continue: ".continue/config.yaml",
  copilot: ".copilot/mcp-config.json",
  crush: ".config/crush/crush.json",
  cursor: ".cursor/mcp.json",
  devin: ".config/devin/mcp_config.json",
  gemini: ".gemini/settings.json",
  goose: ".config/goose/config.yaml",
  kimi: ".kimi-code/mcp.json",
  kiro: ".kiro/settings/mcp.json",
  opencode: ".config/opencode/config.json",
  pi: ".pi/agent/mcp.json",
  qwen: ".qwen/settings.json",
  vscode: ".config/Code/User/mcp.json",
  windsurf: ".codeium/windsurf/mcp_config.json",
  zed: ".config/zed/settings.json",
};
const LITERAL_ONLY = ["antigravity", "devin", "zed"];
const ALL = Object.keys(PROJECT);
const LEDGER = ".local/state/wraptool/clients.json";

const COMMENTED = `// mine
{
\t"theme": "dark", // keep
\t"mcpServers": {
\t\t"other": { "command": "o" }, /* last */
\t},
}`;

/** `init` with `--json`. */
async function init(home: HarnessHome, ...flags: string[]) {
  const ran = await home.wraptool("init", "--json", ...flags);
  expect(ran.stdout + ran.stderr).not.toContain(TOKEN);
  return { ...ran, json: JSON.parse(ran.stdout) };
}

/** Bytes, times and mode of a file. */
function snapshot(home: HarnessHome, path: string) {
  const { mtimeNs, ino, mode } = statSync(home.path(path), { bigint: true });
  return { text: home.read(path), mtimeNs, ino, mode };
}

describe.concurrent("wraptool init", () => {
  it("[G21] writes every harness's project file with the token and ?cwd=, and says what to do next", async () => {
    await using home = createHarnessHome();
    const { status, json } = await init(home, "--harness", ALL.join(","));
    expect([status, json.ok, json.results.length]).toEqual([0, true, ALL.length]);
    for (const { harness, file, action, next } of json.results) {
      const name = `code/${PROJECT[harness as keyof typeof PROJECT]}`;
      expect([file, action, next.length]).toEqual([home.path(name), "added", 1]);
      expect(home.read(name)).toContain(`Bearer ${TOKEN}`);
      expect(home.read(name)).toContain(
        `http://127.0.0.1:8717/mcp?cwd=${encodeURIComponent(home.path("code"))}`,
      );
      expect([name, home.mode(name)]).toEqual([name, 0o600]);
    }
    expect(home.mode(LEDGER)).toBe(0o600);
    expect(home.read(LEDGER)).not.toContain(TOKEN);
  });

  it("[G21] writes every harness's global file without ?cwd=, and takes it back", async () => {
    await using home = createHarnessHome();
    const flags = ["--global", "--harness", Object.keys(GLOBAL).join(",")];
    const { status, json } = await init(home, ...flags);
    expect([status, json.ok]).toEqual([0, true]);
    for (const { harness, file, action, next } of json.results) {
      const name = GLOBAL[harness as keyof typeof GLOBAL];
      expect([file, action, next.length]).toEqual([home.path(name), "added", 1]);
      expect(home.read(name)).toContain("http://127.0.0.1:8717/mcp");
      expect(home.read(name)).not.toContain("cwd=");
    }
    await init(home, ...flags, "--remove");
    for (const name of Object.values(GLOBAL)) expect(existsSync(home.path(name))).toBe(false);
    expect(readdirSync(home.path()).sort()).toEqual([".config", ".local", "code"]);
  });

  it("[G21] names the newer of two files where its marker exists, and says which", async () => {
    await using home = createHarnessHome();
    home.write(".config/opencode/opencode.jsonc", "{}\n");
    home.write(".gemini/config/x", "");
    home.write("code/crush.json", "{}\n");
    const extension = ".config/Code/User/globalStorage/saoudrizwan.claude-dev";
    home.write(`${extension}/x`, "");
    const expected = {
      opencode: ".config/opencode/opencode.jsonc",
      antigravity: ".gemini/config/mcp_config.json",
      cline: `${extension}/settings/cline_mcp_settings.json`,
    };
    const { json } = await init(home, "--global", "--harness", Object.keys(expected).join(","));
    const { json: local } = await init(home, "--harness", "crush");
    for (const { file, notes } of [...json.results, ...local.results]) {
      expect(home.read(file.slice(home.path().length))).toContain("wraptool");
      expect(notes.join("\n")).toContain("so the entry goes there");
    }
    const files = json.results.map(({ file }: { file: string }) => file);
    expect(files).toEqual(Object.values(expected).map((path) => home.path(path)));
  });

  it("[G21] serves Claude Code and Copilot CLI by one entry of the file that both read", async () => {
    await using home = createHarnessHome();
    const both = ["--harness", "claude,copilot"];
    const actions = async (...flags: string[]) => {
      const { json } = await init(home, ...both, ...flags);
      return json.results.map(({ action }: { action: string }) => action);
    };
    expect(await actions()).toEqual(["added", "unchanged"]);
    expect(await actions("--remove")).toEqual(["removed", "absent"]);
    expect(readdirSync(home.path("code"))).toEqual([]);
  });

  it("[G21] writes a bridge for a harness that only starts programs, without the token", async () => {
    await using home = createHarnessHome();
    const { json } = await init(home, "--harness", "junie");
    const { command, args } = JSON.parse(home.read("code/.junie/mcp/mcp.json")).mcpServers.wraptool;
    expect([command, args]).toEqual([
      process.execPath,
      [
        builtBin("wraptool"),
        ...["bridge", "--url", "http://127.0.0.1:8717/mcp"],
        ...["--token-file", home.path(".config/wraptool/token"), "--cwd", home.path("code")],
      ],
    ]);
    expect(json.results[0].notes.join()).toContain("the file holds none");
    expect(home.mode("code/.junie/mcp/mcp.json") & 0o600).toBe(0o600);
  });

  it("[G21] keeps --url's /sse where it is spoken, and makes it /mcp where it is not", async () => {
    await using home = createHarnessHome();
    const flags = ["--url", "http://127.0.0.1:8717/sse", "--harness", "claude,antigravity"];
    await init(home, ...flags);
    const cwd = encodeURIComponent(home.path("code"));
    const claude = JSON.parse(home.read("code/.mcp.json")).mcpServers.wraptool;
    expect(claude).toMatchObject({ type: "sse", url: `http://127.0.0.1:8717/sse?cwd=${cwd}` });
    const antigravity = JSON.parse(home.read("code/.agents/mcp_config.json")).mcpServers.wraptool;
    expect(antigravity.serverUrl).toBe(`http://127.0.0.1:8717/mcp?cwd=${cwd}`);
  });

  it("[G21] says which harnesses have no project file", async () => {
    await using home = createHarnessHome();
    const { status, json } = await init(home, "--harness", "cline,goose,windsurf");
    expect(status).toBe(1);
    for (const { error } of json.results)
      expect(error).toMatchObject({ code: "NO_SUCH_FILE", hint: "Use --global" });
    expect(json.results[1].error.message).toBe("Goose has no project target");
  });

  it("[G21] refuses a global file of Roo and an unknown harness, and connects the others", async () => {
    await using home = createHarnessHome();
    const harnesses = ["--global", "--harness", "roo,nonsense,claude"];
    const { status, json } = await init(home, ...harnesses);
    expect([status, json.ok]).toEqual([1, false]);
    expect(json.results).toMatchObject([
      { harness: "roo", error: { code: "NO_SUCH_FILE" } },
      { harness: "nonsense", error: { code: "UNKNOWN_HARNESS" } },
      { harness: "claude", action: "added" },
    ]);
    expect(json.results[0].error.message).toContain("Roo Code has no global target");
    const said = await home.wraptool("init", ...harnesses);
    expect(said.status).toBe(1);
    expect(said.stdout).toMatch(/^claude: unchanged in /);
    expect(said.stderr).toContain("error: roo: Roo Code has no global target");
  });

  it("[G21] names pi-mcp-adapter, and says when there is no token", async () => {
    await using home = createHarnessHome({ server: { auth_token_file: undefined } });
    const { stdout } = await home.wraptool("init", "--harness", "pi");
    expect(stdout).toContain("pi-mcp-adapter");
    expect(stdout).toContain("The entry has no token");
    expect(home.read("code/.pi/mcp.json")).not.toContain("headers");
  });

  it("[G21] writes a bridge where the daemon serves a socket only", async () => {
    await using home = createHarnessHome({ server: { transport: "unix" } });
    await init(home, "--harness", "claude");
    const { command, args } = JSON.parse(home.read("code/.mcp.json")).mcpServers.wraptool;
    expect([command, args]).toEqual([
      process.execPath,
      [
        builtBin("wraptool"),
        ...["bridge", "--socket", home.path(".local/state/wraptool/wraptool.sock")],
        ...["--token-file", home.path(".config/wraptool/token"), "--cwd", home.path("code")],
      ],
    ]);
  });

  it("[G21] refers to the token in the harness's own syntax with --token reference", async () => {
    await using home = createHarnessHome();
    const { json } = await init(home, "--token", "reference", "--harness", ALL.join(","));
    const written = (harness: keyof typeof PROJECT) => home.read(`code/${PROJECT[harness]}`);
    expect(written("claude")).toContain("Bearer ${WRAPTOOL_TOKEN}");
    expect(written("cursor")).toContain("Bearer ${env:WRAPTOOL_TOKEN}");
    expect(written("opencode")).toContain("Bearer {env:WRAPTOOL_TOKEN}");
    expect(written("codex")).toContain('bearer_token_env_var = "WRAPTOOL_TOKEN"');
    expect(written("kimi")).toContain('"bearerTokenEnvVar": "WRAPTOOL_TOKEN"');
    expect(written("pi")).toContain('"bearerTokenEnv": "WRAPTOOL_TOKEN"');
    expect(written("continue")).toContain("Bearer ${{ secrets.WRAPTOOL_TOKEN }}");
    expect(written("crush")).toContain("Bearer $WRAPTOOL_TOKEN");
    expect(written("vscode")).toContain("Bearer ${env:WRAPTOOL_TOKEN}");
    for (const { harness, error, notes } of json.results) {
      expect([harness, error?.code === "NO_REFERENCE"]).toEqual([
        harness,
        LITERAL_ONLY.includes(harness),
      ]);
      if (!error) expect(notes.join()).toContain('export WRAPTOOL_TOKEN="$(cat ');
      expect(`${notes}`.includes("only variables that you have approved")).toBe(harness === "kiro");
    }
    expect(existsSync(home.path("code/.agents"))).toBe(false);
  });

  it("[G21] warns of a folder that the gateway will refuse", async () => {
    await using home = createHarnessHome({ mcp: { allowed_cwd_roots: ["/nonexistent"] } });
    const { json } = await init(home, "--dry-run", "--harness", "claude");
    expect(json.warnings).toEqual([expect.stringContaining("allowed_cwd_roots")]);
  });

  it.each([
    [["--name", "No_Good"], 1, "INVALID_NAME"],
    [["--token", "both"], 1, "INVALID_TOKEN_FORM"],
    [["--url", "nonsense"], 1, "INVALID_URL"],
    [["--nonsense"], 2, "USAGE"],
  ])("[G21] refuses %j", async (flags, status, code) => {
    await using home = createHarnessHome();
    const ran = await init(home, "--harness", "claude", ...flags);
    expect([ran.status, ran.json.error.code]).toEqual([status, code]);
    expect(existsSync(home.path("code/.mcp.json"))).toBe(false);
  });

  it("[G22] prints a dry run's diff with every credential masked, and writes nothing", async () => {
    await using home = createHarnessHome();
    const other = { a: { url: "http://h", headers: { Authorization: "Bearer somebody-elses" } } };
    home.write("code/.mcp.json", JSON.stringify({ mcpServers: other }, null, 2));
    await home.git("init", "-q");
    const before = snapshot(home, "code/.mcp.json");
    const { stdout, stderr, status } = await home.wraptool("init", "--dry-run", "--harness=claude");
    expect(status).toBe(0);
    expect(stdout).toContain(`claude: would be added to ${home.path("code/.mcp.json")}`);
    expect(stdout).toMatch(/^\+ +"Authorization": "Bearer \[redacted\]"$/m);
    expect(stdout + stderr).not.toMatch(new RegExp(`${TOKEN}|somebody-elses`));
    expect(snapshot(home, "code/.mcp.json")).toEqual(before);
    expect(existsSync(home.path(LEDGER))).toBe(false);
    expect(home.read("code/.git/info/exclude")).not.toContain("mcp.json");
  });

  it("[G22] shows every harness's entry in a dry run without the token, and leaves nothing behind", async () => {
    await using home = createHarnessHome();
    await home.git("init", "-q");
    const { json } = await init(home, "--dry-run", "--harness", ALL.join(","));
    for (const { harness, action, diff } of json.results) {
      expect([harness, action]).toEqual([harness, "added"]);
      expect(diff).toContain("Bearer [redacted]");
    }
    expect(readdirSync(home.path("code"))).toEqual([".git"]);
    expect(existsSync(home.path(".local"))).toBe(false);
  });

  it("[G22] adds an entry once, keeps each byte, and takes it back to the byte", async () => {
    await using home = createHarnessHome();
    const files = {
      gemini: ["code/.gemini/settings.json", COMMENTED],
      cursor: ["code/.cursor/mcp.json", `\uFEFF${COMMENTED.replaceAll("\n", "\r\n")}`],
      claude: ["code/.mcp.json", '{"mcpServers":{}}'],
      codex: ["code/.codex/config.toml", '# mine\nmodel = "x" # keep\n\n[mcp_servers.o]\nurl="u"'],
      opencode: ["code/opencode.json", "{}\n"],
    } as const;
    const paths = Object.values(files).map(([path]) => path);
    for (const [path, text] of Object.values(files)) {
      home.write(path, text);
      chmodSync(home.path(path), 0o640);
    }
    const actions = async (...flags: string[]) => {
      const { json } = await init(home, "--harness", Object.keys(files).join(","), ...flags);
      return json.results.map(({ action }: { action: string }) => action);
    };
    expect(new Set(await actions())).toEqual(new Set(["added"]));
    const after = [...paths, LEDGER].map((path) => snapshot(home, path));
    for (const [index, [path, text]] of Object.values(files).entries()) {
      expect(after[index]?.text).toContain(TOKEN);
      for (const line of text.split("\n").slice(0, 3))
        expect(after[index]?.text).toContain(line.slice(0, -2));
      expect([path, home.mode(path)]).toEqual([path, 0o640]);
    }

    expect(new Set(await actions())).toEqual(new Set(["unchanged"]));
    expect([...paths, LEDGER].map((path) => snapshot(home, path))).toEqual(after);

    expect(new Set(await actions("--remove"))).toEqual(new Set(["removed"]));
    for (const [path, text] of Object.values(files))
      expect([home.read(path), home.mode(path)]).toEqual([text, 0o640]);
    expect(JSON.parse(home.read(LEDGER)).records).toEqual([]);
    expect(new Set(await actions("--remove"))).toEqual(new Set(["absent"]));
  });

  it("[G22] removes the files and folders that it made, and keeps a renewed entry's way back", async () => {
    await using home = createHarnessHome();
    const harnesses = ["--harness", ALL.join(",")];
    await init(home, ...harnesses);
    const renewed = await init(home, ...harnesses, "--url", "http://127.0.0.1:9/mcp");
    const actions = renewed.json.results.map(({ action }: { action: string }) => action);
    expect(new Set(actions)).toEqual(new Set(["renewed"]));
    await init(home, "--remove", ...harnesses);
    expect(readdirSync(home.path("code"))).toEqual([]);
  });

  it("[G22] takes several entries of one file back in any order, to the byte and to the folder", async () => {
    await using home = createHarnessHome();
    home.write("code/.cursor/mcp.json", "{ } // mine");
    const harnesses = ["--harness", "cursor,continue,gemini"];
    for (const name of ["one", "two", "three"]) await init(home, ...harnesses, "--name", name);
    await init(home, ...harnesses, "--name", "two", "--url", "http://127.0.0.1:9/mcp");
    for (const name of ["two", "one", "three"]) {
      const { json } = await init(home, ...harnesses, "--name", name, "--remove");
      for (const { action, notes } of json.results)
        expect([action, notes]).toEqual(["removed", []]);
    }
    expect(home.read("code/.cursor/mcp.json")).toBe("{ } // mine");
    expect(readdirSync(home.path("code"))).toEqual([".cursor"]);
  });

  it("[G22] takes only the entry after other edits", async () => {
    await using home = createHarnessHome();
    home.write("code/opencode.json", '{\n  "model": "x"\n}\n');
    await init(home, "--harness", "opencode");
    home.write("code/opencode.json", `// later\n${home.read("code/opencode.json")}`);
    await init(home, "--remove", "--harness", "opencode");
    expect(home.read("code/opencode.json")).toMatch(/^\/\/ later\n\{\n {2}"model": "x",\n/);
    expect(home.read("code/opencode.json")).not.toContain("wraptool");
  });

  it.each(["init", "remove"])(
    "[G22] refuses somebody else's entry and prints the fragment: %s",
    async (verb) => {
      await using home = createHarnessHome();
      const foreign = { mcpServers: { wraptool: { type: "http", url: "https://elsewhere/mcp" } } };
      home.write("code/.mcp.json", JSON.stringify(foreign));
      const before = snapshot(home, "code/.mcp.json");
      const flags = verb === "remove" ? ["--remove"] : [];
      const { status, json } = await init(home, "--harness", "claude", ...flags);
      expect([status, json.results[0].error.code]).toEqual([1, "ENTRY_EXISTS"]);
      if (verb === "init") {
        expect(json.results[0].error.fragment).toContain("Bearer [redacted]");
        const said = await home.wraptool("init", "--harness", "claude");
        expect(said.stderr).toMatch(/\.mcp\.json:1:\d+ mcpServers\.wraptool: already has an entry/);
        expect(said.stderr).toContain('"Authorization": "Bearer [redacted]"');
      }
      expect(snapshot(home, "code/.mcp.json")).toEqual(before);
    },
  );

  it.each([
    ["claude", "code/.mcp.json", '{"mcpServers": {', "SYNTAX"],
    ["claude", "code/.mcp.json", "// a comment\n{}", "SYNTAX"],
    ["cursor", "code/.cursor/mcp.json", '{"a": 1, "a": 2}', "DUPLICATE_KEY"],
    ["cursor", "code/.cursor/mcp.json", "[]", "NOT_A_MAP"],
    ["codex", "code/.codex/config.toml", "[mcp_servers", "SYNTAX"],
  ])(
    "[G22] refuses a file of %s that cannot be edited and prints the fragment: %s %j",
    async (harness, path, text, code) => {
      await using home = createHarnessHome();
      home.write(path, text);
      const before = snapshot(home, path);
      const { status, json } = await init(home, "--harness", `${harness},pi`);
      expect([status, json.results[0].error.code]).toEqual([1, code]);
      expect(json.results[0].error.fragment).toContain("[redacted]");
      expect(json.results[1].action).toBe("added");
      expect(snapshot(home, path)).toEqual(before);
    },
  );

  it("[G22] writes through a link of every harness's file, and leaves a read-only one alone", async () => {
    await using home = createHarnessHome();
    for (const [harness, path] of Object.entries(PROJECT)) {
      home.write(`dotfiles/${harness}`, "");
      mkdirSync(dirname(home.path("code", path)), { recursive: true });
      symlinkSync(home.path("dotfiles", harness), home.path("code", path));
    }
    for (const harness of ["amp", "codex", "continue"])
      chmodSync(home.path("dotfiles", harness), 0o400);
    const { json } = await init(home, "--harness", ALL.join(","));
    for (const { harness, action, error } of json.results) {
      const { text, mode } = snapshot(home, `dotfiles/${harness}`);
      const isReadOnly = (Number(mode) & 0o200) === 0;
      expect([harness, action, error?.code]).toEqual(
        isReadOnly ? [harness, undefined, "READ_ONLY"] : [harness, "added", undefined],
      );
      expect(text.includes(TOKEN)).toBe(!isReadOnly);
      expect(lstatSync(home.path("code", PROJECT[harness as "amp"])).isSymbolicLink()).toBe(true);
    }
    await init(home, "--remove", "--harness", ALL.join(","));
    for (const harness of ALL) expect(home.read(`dotfiles/${harness}`)).toBe("");
  });

  it("[G22] keeps links, and copies of the last five states of a file for its owner alone", async () => {
    await using home = createHarnessHome();
    home.write("dotfiles/mcp.json", "{}\n");
    symlinkSync("../dotfiles/mcp.json", home.path("code/.mcp.json"));
    for (const port of [1, 2, 3, 4, 5, 6])
      await init(home, "--harness", "claude", "--url", `http://127.0.0.1:${port}/mcp`);
    expect(home.read("dotfiles/mcp.json")).toContain("http://127.0.0.1:6/mcp");
    const copies = readdirSync(home.path(".local/state/wraptool/backups"));
    expect(copies.length).toBe(5);
    for (const copy of copies)
      expect(home.mode(`.local/state/wraptool/backups/${copy}`)).toBe(0o600);
    await init(home, "--remove", "--harness", "claude");
    expect(home.read("code/.mcp.json")).toBe("{}\n");
  });

  it("[G22] renews an unrecorded entry of ours, and says when a recorded one was changed by hand", async () => {
    await using home = createHarnessHome();
    const own = { type: "http", url: "http://127.0.0.1:1/mcp" };
    home.write("code/.mcp.json", JSON.stringify({ mcpServers: { wraptool: own } }));
    expect((await init(home, "--harness", "claude")).json.results[0].action).toBe("renewed");
    const text = home.read("code/.mcp.json").replace('"type"', '"timeout": 9, "type"');
    home.write("code/.mcp.json", text);
    const { json } = await init(home, "--harness", "claude");
    expect(json.results[0].action).toBe("renewed");
    expect(json.results[0].notes.join()).toContain("changed by hand");
    expect(json.results[0].notes.join()).toContain("chmod 600");
  });

  it("[G22] refers to the token in a file that git tracks, or refuses where the harness cannot", async () => {
    await using home = createHarnessHome();
    await home.git("init", "-q");
    home.write("code/.mcp.json", "{}\n");
    home.write("code/.agents/mcp_config.json", "{}\n");
    await home.git("add", ".");
    const { json } = await init(home, "--harness", "claude,antigravity");
    expect(home.read("code/.mcp.json")).toContain("Bearer ${WRAPTOOL_TOKEN}");
    expect(json.results[0].notes.join()).toContain("because git tracks this file");
    expect(json.results[1].error.code).toBe("TRACKED_FILE");
    expect(json.results[1].error.message).toContain("mcp_config.json: git tracks this file");
    const literal = await init(home, "--token", "literal", "--harness", "claude,antigravity");
    const codes = literal.json.results.map((one: { error: { code: string } }) => one.error.code);
    expect(codes).toEqual(["TRACKED_FILE", "TRACKED_FILE"]);
    expect(home.read("code/.agents/mcp_config.json")).toBe("{}\n");
    const flags = ["--token", "literal", "--force", "--harness", "antigravity"];
    expect((await init(home, ...flags)).json.ok).toBe(true);
    expect(home.read("code/.agents/mcp_config.json")).toContain(TOKEN);
  });

  it("[G22] never puts the token into a file of any harness that git tracks", async () => {
    await using home = createHarnessHome();
    await home.git("init", "-q");
    for (const path of Object.values(PROJECT)) home.write(`code/${path}`, "");
    home.write("code/.junie/mcp/mcp.json", "");
    await home.git("add", ".");
    const { json } = await init(home, "--harness", `${ALL.join(",")},junie`);
    for (const { harness, action, error } of json.results)
      expect([harness, action, error?.code]).toEqual(
        LITERAL_ONLY.includes(harness)
          ? [harness, undefined, "TRACKED_FILE"]
          : [harness, "added", undefined],
      );
    for (const path of Object.values(PROJECT))
      expect(home.read(`code/${path}`)).not.toContain(TOKEN);
  });

  it("[G22] keeps every harness's untracked file out of git, and says so", async () => {
    await using home = createHarnessHome();
    await home.git("init", "-q");
    const exclude = "code/.git/info/exclude";
    const before = home.read(exclude);
    const harnesses = ["--harness", ALL.join(",")];
    const { json } = await init(home, ...harnesses);
    const lines = Object.values(PROJECT).map((path) => `/${path}`);
    for (const [at, result] of json.results.entries())
      expect(result.exclude).toEqual({ file: home.path(exclude), line: lines[at] });
    expect(home.read(exclude)).toBe(before + lines.map((line) => `${line}\n`).join(""));
    await init(home, ...harnesses, "--remove");
    expect(home.read(exclude)).toBe(before);
  });

  it("[G22] keeps an untracked file out of git while an entry is in it, and says so", async () => {
    await using home = createHarnessHome();
    await home.git("init", "-q");
    const exclude = "code/.git/info/exclude";
    const before = home.read(exclude);
    const { json } = await init(home, "--harness", "claude");
    const line = { file: home.path(exclude), line: "/.mcp.json" };
    expect(json.results[0].exclude).toEqual(line);
    expect(home.read(exclude)).toBe(`${before}/.mcp.json\n`);
    await init(home, "--harness", "claude", "--name", "second");
    expect(home.read(exclude)).toBe(`${before}/.mcp.json\n`);
    await init(home, "--remove", "--harness", "claude");
    expect(home.read(exclude)).toBe(`${before}/.mcp.json\n`);
    await init(home, "--remove", "--harness", "claude", "--name", "second");
    expect(home.read(exclude)).toBe(before);
  });

  it("[G22] takes a work tree for tracking where git is missing", async () => {
    await using home = createHarnessHome({}, { PATH: "/nonexistent" });
    home.write("code/.git/HEAD", "");
    const { json } = await init(home, "--harness", "claude");
    expect(home.read("code/.mcp.json")).toContain("${WRAPTOOL_TOKEN}");
    expect(json.results[0].notes.join()).toContain("git does not say");
  });

  it("[G22] writes nothing where it could not be recorded", async () => {
    await using home = createHarnessHome();
    home.write(LEDGER, '{"version": 99, "records": []}');
    const { status, json } = await init(home, "--harness", "claude");
    expect([status, json.results[0].error.code]).toEqual([1, "NEWER_LEDGER"]);
    expect(existsSync(home.path("code/.mcp.json"))).toBe(false);
  });

  it("[G22] connects several at once from several processes without losing a record", async () => {
    await using home = createHarnessHome();
    await Promise.all(["claude", "cursor", "gemini"].map((one) => init(home, "--harness", one)));
    expect(JSON.parse(home.read(LEDGER)).records.length).toBe(3);
  });
});
