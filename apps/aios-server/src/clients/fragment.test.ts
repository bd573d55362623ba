import { parseClientDocument, type Surroundings } from "@core/clients";
import { parseDocument } from "@core/config";
import { describe, expect, it } from "vitest";
import { AGENTS, findAgent } from "./agent.ts";
import { fragmentFor, rowOf } from "./fragment.ts";
import { npxLaunch } from "./launch.ts";

const around: Surroundings = {
  home: "/home/ada",
  folder: "/desk",
  environment: {},
  platform: "linux",
};
const folder = '/home/ada/"my" aios\\x';
const launch = npxLaunch({ version: "1.2.3", folder, platform: "linux" });
const { command, args } = launch;

describe("fragmentFor", () => {
  it.each([
    ["claude", "/home/ada/.claude.json", "JSON"],
    ["codex", "/home/ada/.codex/config.toml", "TOML"],
    ["cursor", "/home/ada/.cursor/mcp.json", "JSON"],
    ["gemini", "/home/ada/.gemini/settings.json", "JSON"],
    ["antigravity", "/home/ada/.gemini/config/mcp_config.json", "JSON"],
    ["kimi", "/home/ada/.kimi-code/mcp.json", "JSON"],
    ["opencode", "/home/ada/.config/opencode/opencode.json", "JSON"],
  ] as const)("[S24] names %s's documented file %s and writes %s", (agent, target, format) => {
    expect(fragmentFor(agent, launch, around)).toMatchObject({ agent, target, format });
  });

  it("[S24] covers exactly the seven agents, found in any case", () => {
    expect(AGENTS).toHaveLength(7);
    expect(findAgent("OpenCode")).toBe("opencode");
    expect(findAgent("vscode")).toBeUndefined();
  });

  it.each(AGENTS)("[S24] parses as %s reads its file, with every word as it is", (agent) => {
    const { format, keyPath } = rowOf(agent);
    const { text } = fragmentFor(agent, launch, around);
    const entry = parseClientDocument(text, { format, file: "x" }).get([...keyPath, "dotaios"]);
    expect(entry).toEqual(
      agent === "opencode"
        ? { type: "local", command: [command, ...args], enabled: true }
        : { command, args },
    );
  });

  it.each(AGENTS.filter((agent) => agent !== "codex"))(
    "[S24] is strict JSON for %s, which every reader of JSON takes",
    (agent) => {
      const { text } = fragmentFor(agent, launch, around);
      expect(JSON.parse(text)).toEqual(parseDocument(text, { file: "x", format: "json" }).value);
    },
  );

  it("[S24] writes Codex's table in TOML", () => {
    const plain = npxLaunch({ version: "1.2.3", folder: "/a", platform: "win32" });
    expect(fragmentFor("codex", plain, around).text).toBe(
      '[mcp_servers.dotaios]\ncommand = "cmd"\nargs = ["/c", "npx", "--yes", "--package", "dotaios-mcp@1.2.3", "dotaios-mcp", "--path", "/a"]\n',
    );
  });

  it("[S24] says to restart, to see three tools, to call one, and what a valid file does not prove", () => {
    for (const agent of AGENTS)
      expect(fragmentFor(agent, launch, around).next.join("\n")).toMatch(
        /(restart|start) .*three tools.*Call one.*configuration alone/is,
      );
  });
});
