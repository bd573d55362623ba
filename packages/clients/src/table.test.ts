import { expect, it } from "vitest";
import type { ClientRow, TablePath } from "./row.ts";
import { clients, findClient, isServerName } from "./table.ts";

const lastOf = (file: ClientRow["project"]) => file?.candidates.at(-1)?.path;

it.each([
  ["antigravity", ".agents/mcp_config.json", "~/.gemini/antigravity-cli/mcp_config.json"],
  ["claude", ".mcp.json", "~/.claude.json"],
  ["cursor", ".cursor/mcp.json", "~/.cursor/mcp.json"],
  ["opencode", "opencode.json", "~/.config/opencode/config.json"],
  ["gemini", ".gemini/settings.json", "~/.gemini/settings.json"],
  ["pi", ".pi/mcp.json", "~/.pi/agent/mcp.json"],
  ["roo", ".roo/mcp.json", undefined],
])("[G21] %s has the gateway seed's project file %s and global file %s", (id, project, global) => {
  const row = findClient(id)!;
  expect([lastOf(row.project), lastOf(row.global)]).toEqual([project, global]);
});

it.each([
  ["amp", ".amp/settings.json", "~/.config/amp/settings.json"],
  ["cline", undefined, "~/.cline/data/settings/cline_mcp_settings.json"],
  ["codex", ".codex/config.toml", "~/.codex/config.toml"],
  ["continue", ".continue/mcpServers/mcp.yaml", "~/.continue/config.yaml"],
  ["copilot", ".mcp.json", "~/.copilot/mcp-config.json"],
  ["crush", ".crush.json", "~/.config/crush/crush.json"],
  ["devin", ".devin/mcp_config.json", "~/.config/devin/mcp_config.json"],
  ["goose", undefined, "~/.config/goose/config.yaml"],
  ["junie", ".junie/mcp/mcp.json", "~/.junie/mcp/mcp.json"],
  ["kimi", ".kimi-code/mcp.json", "~/.kimi-code/mcp.json"],
  ["kiro", ".kiro/settings/mcp.json", "~/.kiro/settings/mcp.json"],
  ["qwen", ".qwen/settings.json", "~/.qwen/settings.json"],
  ["vscode", ".vscode/mcp.json", "~/.config/Code/User/mcp.json"],
  ["windsurf", undefined, "~/.codeium/windsurf/mcp_config.json"],
  ["zed", ".zed/settings.json", "~/.config/zed/settings.json"],
])("[G21] %s has the project file %s and, on Linux, the global file %s", (id, project, global) => {
  const row = findClient(id)!;
  const onLinux = (path: TablePath | undefined) => (typeof path === "object" ? path.linux : path);
  expect([onLinux(lastOf(row.project)), onLinux(lastOf(row.global))]).toEqual([project, global]);
});

it.each([
  ["claude", "~/.claude.json", "json"],
  ["codex", "~/.codex/config.toml", "toml"],
  ["cursor", "~/.cursor/mcp.json", "json"],
  ["gemini", "~/.gemini/settings.json", "json"],
  ["antigravity", "~/.gemini/config/mcp_config.json", "json"],
  ["kimi", "~/.kimi-code/mcp.json", "json"],
  ["opencode", "~/.config/opencode/opencode.json", "json"],
])("[S24] %s has the notes seed's target %s as %s", (id, target, language) => {
  const row = findClient(id)!;
  expect(row.global?.documented).toBe(target);
  expect(row.format.replace("jsonc", "json")).toBe(language);
});

it("[G21] each id stands once, and the table cannot be changed", () => {
  const ids = clients.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual([...ids].sort());
  for (const id of ids) expect(id).toMatch(/^[a-z]+$/);
  expect(() => Object.assign(clients[0]!.stdio, { command: "x" })).toThrow(TypeError);
  expect(findClient("emacs")).toBeUndefined();
});

it("[G21] only the last place of a file has no marker, and each marker says why it decides", () => {
  const files = clients.flatMap(({ project, global }) => [project, global]);
  for (const { candidates } of files.filter((file) => file !== undefined)) {
    const marked = candidates.slice(0, -1);
    expect(candidates.at(-1)).not.toHaveProperty("marker");
    for (const { marker, because } of marked) expect([marker, because]).not.toContain(undefined);
  }
});

it("[G21] each file has a next step, and what a client lacks is said in its notes", () => {
  for (const { id, project, global, next, http, sse, reference, notes } of clients) {
    const said = notes.join(" ");
    expect(Boolean(next.project), id).toBe(project !== undefined);
    expect(Boolean(next.global), id).toBe(global !== undefined);
    if (http === undefined) expect(said).toContain("only starts programs");
    if (http && sse === undefined) expect(said).toContain("Streamable HTTP only");
    if (http && reference === undefined) expect(said).toContain("token from the environment");
  }
  expect(findClient("pi")?.notes.join(" ")).toContain("pi-mcp-adapter");
});

it("[G21] each row says what it rests on, and one that is not sure says why", () => {
  for (const { id, evidence, notes, cautions = [], reference } of clients) {
    expect(evidence.sources.length, id).toBeGreaterThan(0);
    if (evidence.confidence === "low") expect(evidence.doubts, id).not.toEqual([]);
    const note = reference?.note === undefined ? [] : [reference.note];
    for (const sentence of [...notes, ...note, ...cautions, ...evidence.doubts])
      expect(sentence, id).toMatch(/^[A-Z`].*\.$/);
  }
});

it("[G21] only YAML has its servers in a list, told apart by a member of the entry", () => {
  for (const { format, listedBy, http = {}, stdio } of clients) {
    if (listedBy === undefined) continue;
    expect(format).toBe("yaml");
    for (const shape of [http, stdio]) expect(shape[listedBy]).toBe("<name>");
  }
});

it.each([
  ["wraptool", true],
  ["a", true],
  ["a234567890123456", true],
  ["a2345678901234567", false],
  ["", false],
  ["my-server2", true],
  ["workspace", false],
  ["workspaces", true],
  ["my_server", false],
  ["2nd", false],
  ["Upper", false],
  ["a.b", false],
  ["a\n", false],
])("[G21] %j as a server's name: %s", (name, isGood) => {
  expect(isServerName(name)).toBe(isGood);
});
