import { expect, it } from "vitest";
import { type ClientRow, clients, findClient, isServerName } from "./table.ts";

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
  expect(() => Object.assign(clients[0]!.http, { url: "x" })).toThrow(TypeError);
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
  for (const { project, global, next, sse, reference, notes, id } of clients) {
    expect(Boolean(next.project), id).toBe(project !== undefined);
    expect(Boolean(next.global), id).toBe(global !== undefined);
    if (sse === undefined) expect(notes.join(" ")).toContain("Streamable HTTP only");
    if (reference === undefined) expect(notes.join(" ")).toContain("token from the environment");
  }
  expect(findClient("pi")?.notes.join(" ")).toContain("pi-mcp-adapter");
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
