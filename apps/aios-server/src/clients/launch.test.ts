import { describe, expect, it } from "vitest";
import { isOwnLaunch, npxLaunch } from "./launch.ts";

const of = { version: "1.2.3", folder: "/home/ada/my aios", platform: "linux" } as const;
const pinned = ["--yes", "--package", "dotaios-mcp@1.2.3", "dotaios-mcp", "--path", of.folder];

describe("npxLaunch", () => {
  it("[S24] starts exactly this version through npx, and through cmd on Windows", () => {
    expect(npxLaunch(of)).toEqual({ command: "npx", args: pinned });
    expect(npxLaunch({ ...of, platform: "win32" })).toEqual({
      command: "cmd",
      args: ["/c", "npx", ...pinned],
    });
  });
});

describe("isOwnLaunch", () => {
  const original = ["npx", "--yes", "--package", "dotaios@2.0.20", "dotaios-mcp", "--path", "/a"];

  it.each([
    [["npx", ...pinned]],
    [["cmd", "/c", "npx", ...pinned]],
    [original],
    [["npx", "--yes", "--package", "dotaios-mcp@1.0.0-rc.1", "dotaios-mcp", "--path", "/a"]],
    [["node", "/x/packages/mcp/src/server.mjs", "--path", "/a"]],
    [["C:\\node\\node.exe", "C:\\x\\dotaios-mcp\\dist\\cli.js", "--path", "C:\\a"]],
  ])("[S23] recognises %j", (words) => {
    expect(isOwnLaunch(words)).toBe(true);
  });

  it.each([
    [[]],
    [["npx"]],
    [[...original, "--verbose"]],
    [original.with(3, "dotaios@latest")],
    [original.with(3, "dotaios@2")],
    [original.with(3, "evil-dotaios@2.0.20")],
    [original.with(4, "other")],
    [original.with(6, "")],
    [original.with(0, "bunx")],
    [["sh", "-c", ...original]],
    [["node", "/x/other/dist/cli.js", "--path", "/a"]],
    [["node", "-e", "1", "--path", "/a"]],
    [["deno", "/x/packages/mcp/src/server.mjs", "--path", "/a"]],
    [[undefined]],
    [["npx", 7]],
  ])("[S23] takes %j for somebody else's", (words) => {
    expect(isOwnLaunch(words)).toBe(false);
  });
});
