import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  chooseClientFile,
  documentedClientFile,
  locateClientFiles,
  type Surroundings,
} from "./location.ts";
import type { ClientRow } from "./row.ts";
import { findClient } from "./table.ts";

const around: Surroundings = {
  home: "/home/ada",
  folder: "/desk/app",
  environment: {},
  platform: "linux",
};
const row = (id: string): ClientRow => findClient(id)!;
const having =
  (...paths: string[]) =>
  async (path: string) =>
    paths.includes(path);

it("[G21] a project's file is below the project, and a global one below home", () => {
  expect(locateClientFiles(row("claude"), "project", around)).toEqual([
    { path: "/desk/app/.mcp.json" },
  ]);
  expect(locateClientFiles(row("claude"), "global", around)).toEqual([
    { path: "/home/ada/.claude.json" },
  ]);
});

it("[G21] roo has no global file", async () => {
  expect(locateClientFiles(row("roo"), "global", around)).toEqual([]);
  expect(await chooseClientFile(row("roo"), "global", around)).toBeUndefined();
  expect(documentedClientFile(row("roo"), "global", around)).toBeUndefined();
});

it("[G21] the seed's file is chosen unless the marker of a newer place exists, and says why", async () => {
  const choose = (id: string, ...paths: string[]) =>
    chooseClientFile(row(id), "global", around, having(...paths));
  expect(await choose("antigravity")).toEqual({
    path: "/home/ada/.gemini/antigravity-cli/mcp_config.json",
  });
  expect(await choose("antigravity", "/home/ada/.gemini/config")).toEqual({
    path: "/home/ada/.gemini/config/mcp_config.json",
    marker: "/home/ada/.gemini/config",
    because: "Antigravity 2 keeps its files there",
  });
  const opencode = "/home/ada/.config/opencode";
  expect((await choose("opencode"))?.path).toBe(`${opencode}/config.json`);
  expect((await choose("opencode", `${opencode}/opencode.json`))?.path).toBe(
    `${opencode}/opencode.json`,
  );
  expect(
    (await choose("opencode", `${opencode}/opencode.json`, `${opencode}/opencode.jsonc`))?.path,
  ).toBe(`${opencode}/opencode.jsonc`);
});

it("[S23] opencode's global places stand in the order in which they are tried, and a new file is the documented one", () => {
  expect(locateClientFiles(row("opencode"), "global", around).map(({ path }) => path)).toEqual([
    "/home/ada/.config/opencode/opencode.jsonc",
    "/home/ada/.config/opencode/opencode.json",
    "/home/ada/.config/opencode/config.json",
  ]);
  expect(documentedClientFile(row("opencode"), "global", around)).toBe(
    "/home/ada/.config/opencode/opencode.json",
  );
});

it("[G21] markers are looked for on the disk", async () => {
  const home = await mkdtemp(join(tmpdir(), "clients-"));
  try {
    const here = { ...around, home };
    const before = await chooseClientFile(row("antigravity"), "global", here);
    await mkdir(join(home, ".gemini/config"), { recursive: true });
    const after = await chooseClientFile(row("antigravity"), "global", here);
    expect([before?.marker, after?.marker]).toEqual([undefined, join(home, ".gemini/config")]);
  } finally {
    await rm(home, { recursive: true });
  }
});

describe("[G21] a client's own variable moves its folder", () => {
  it.each([
    ["claude", "CLAUDE_CONFIG_DIR", "/etc/c/.claude.json"],
    ["codex", "CODEX_HOME", "/etc/c/config.toml"],
    ["gemini", "GEMINI_CLI_HOME", "/etc/c/.gemini/settings.json"],
    ["kimi", "KIMI_CODE_HOME", "/etc/c/mcp.json"],
    ["opencode", "XDG_CONFIG_HOME", "/etc/c/opencode/opencode.json"],
    ["pi", "PI_CODING_AGENT_DIR", "/etc/c/mcp.json"],
    ["amp", "AMP_SETTINGS_FILE", "/etc/c"],
    ["cline", "CLINE_MCP_SETTINGS_PATH", "/etc/c"],
    ["cline", "CLINE_DIR", "/etc/c/data/settings/cline_mcp_settings.json"],
    ["continue", "CONTINUE_GLOBAL_DIR", "/etc/c/config.yaml"],
    ["copilot", "COPILOT_HOME", "/etc/c/mcp-config.json"],
    ["crush", "XDG_CONFIG_HOME", "/etc/c/crush/crush.json"],
    ["devin", "XDG_CONFIG_HOME", "/etc/c/devin/mcp_config.json"],
    ["goose", "XDG_CONFIG_HOME", "/etc/c/goose/config.yaml"],
    ["qwen", "QWEN_HOME", "/etc/c/settings.json"],
    ["vscode", "XDG_CONFIG_HOME", "/etc/c/Code/User/mcp.json"],
    ["zed", "XDG_CONFIG_HOME", "/etc/c/zed/settings.json"],
  ])("%s: %s", (id, variable, path) => {
    const at = (value: string) => ({ ...around, environment: { [variable]: value } });
    const place = (value: string) => documentedClientFile(row(id), "global", at(value));
    expect(place("/etc/c")).toBe(path);
    expect(place("")).toBe(documentedClientFile(row(id), "global", around));
    expect(place("relative")).toBe(documentedClientFile(row(id), "global", around));
  });

  it("and the first that is set decides", () => {
    const environment = { CLINE_DIR: "/etc/c", CLINE_MCP_SETTINGS_PATH: "/etc/cline.json" };
    const both = { ...around, environment };
    expect(documentedClientFile(row("cline"), "global", both)).toBe("/etc/cline.json");
  });

  it("and only where the client honours it", () => {
    const moved = { ...around, environment: { XDG_CONFIG_HOME: "/etc/c" } };
    const onMac = { ...moved, platform: "darwin" } as const;
    expect(documentedClientFile(row("zed"), "global", onMac)).toBe(
      "/home/ada/.config/zed/settings.json",
    );
    expect(documentedClientFile(row("goose"), "global", onMac)).toBe("/etc/c/goose/config.yaml");
  });

  it("and leaves the project's file alone", () => {
    const moved = { ...around, environment: { CODEX_HOME: "/etc/c" } };
    expect(documentedClientFile(row("codex"), "project", moved)).toBe(
      "/desk/app/.codex/config.toml",
    );
  });
});

describe("[G21] a path that differs by platform", () => {
  const path = {
    linux: "~/.config/Code/User/mcp.json",
    darwin: "~/Library/Code/User/mcp.json",
    win32: "%APPDATA%/Code/User/mcp.json",
  };
  const future: ClientRow = {
    ...row("cursor"),
    global: { candidates: [{ path }], documented: path },
  };
  const windows: Surroundings = {
    home: "C:\\Users\\ada",
    folder: "D:\\app",
    environment: { APPDATA: "C:\\Users\\ada\\AppData\\Roaming" },
    platform: "win32",
  };

  it.each([
    [around, "/home/ada/.config/Code/User/mcp.json"],
    [{ ...around, platform: "freebsd" as const }, "/home/ada/.config/Code/User/mcp.json"],
    [{ ...around, platform: "darwin" as const }, "/home/ada/Library/Code/User/mcp.json"],
    [windows, "C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json"],
    [{ ...windows, environment: {} }, "C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json"],
    [
      { ...windows, environment: { APPDATA: "Roaming" } },
      "C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json",
    ],
  ])("is that of the platform", (where, expected) => {
    expect(documentedClientFile(future, "global", where)).toBe(expected);
  });

  it.each([
    ["vscode", "AppData\\Roaming\\Code\\User\\mcp.json"],
    ["goose", "AppData\\Roaming\\Block\\goose\\config\\config.yaml"],
    ["devin", "AppData\\Roaming\\devin\\mcp_config.json"],
    ["zed", "AppData\\Roaming\\Zed\\settings.json"],
    ["windsurf", ".codeium\\windsurf\\mcp_config.json"],
    ["crush", ".config\\crush\\crush.json"],
  ])("is that of Windows for %s", (id, below) => {
    expect(documentedClientFile(row(id), "global", windows)).toBe(`C:\\Users\\ada\\${below}`);
  });

  it("is that of VS Code for Cline's extension where it is installed", async () => {
    const extension =
      "/home/ada/Library/Application Support/Code/User/globalStorage/saoudrizwan.claude-dev";
    const onMac = { ...around, platform: "darwin" } as const;
    const choose = (...paths: string[]) =>
      chooseClientFile(row("cline"), "global", onMac, having(...paths));
    expect((await choose(extension))?.path).toBe(`${extension}/settings/cline_mcp_settings.json`);
    expect((await choose())?.path).toBe("/home/ada/.cline/data/settings/cline_mcp_settings.json");
  });

  it("has the platform's separators", () => {
    expect(documentedClientFile(row("cursor"), "project", windows)).toBe(
      "D:\\app\\.cursor\\mcp.json",
    );
    expect(documentedClientFile(row("claude"), "global", windows)).toBe(
      "C:\\Users\\ada\\.claude.json",
    );
  });
});
