import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
  CANARY,
  createTempFolder,
  findCanary,
  fixtureServer,
  type TempFolder,
} from "test-fixtures";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHome, fixture } from "./session.ts";
import { realExtension as extension, play } from "./travis-host/play.ts";

/** A second extension that ships a server, and registers it when it is first sure that the adapter is there. */
const OTHER = `
from pathlib import Path

def register(event=None, ctx=None):
    from travis234_mcp_adapter import PackagedServer, register_packaged_server
    root = Path(__file__).parent / "package"
    register_packaged_server(PackagedServer("echo", str(root), str(root / "serve")))

def extension(travis):
    travis.on("session_start", register)
`;

let folder: TempFolder;
beforeEach(() => {
  folder = createTempFolder();
  mkdirSync(join(folder.path, "package"));
  const file = (name: string, text: string, mode: number) => {
    writeFileSync(join(folder.path, name), text);
    chmodSync(join(folder.path, name), mode);
  };
  const serve = `#!/bin/sh\nexec ${process.execPath} ${fixtureServer("echo")}\n`;
  file("package/serve", serve, 0o755);
  file("package/plain", serve, 0o644);
  file("outside", serve, 0o755);
  file("other.py", OTHER, 0o644);
  symlinkSync(join(folder.path, "outside"), join(folder.path, "package/link"));
});
afterEach(() => folder[Symbol.asyncDispose]());

describe("packaged servers in Travis234", () => {
  it.each(["before", "after"])(
    "[A9] are there when their extension loads %s the adapter, and after a reload",
    async (order) => {
      await using home = await createHome({ echo: { command: "never-started" } });
      const argument = `${folder.path}|${order}`;
      const seen = await play({ scenario: "packaged", extension, home: home.path, argument });
      const row = "- echo of its package replaces that of ~/.config/mcp/mcp.json";
      expect(seen.status).toContain(row);
      expect(seen.second).toContain(row);
    },
  );

  it("[A36] are registered by the extension that the README shows, as it stands", async () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    const [, shown = ""] = /^```python\n([\s\S]*?)^```/m.exec(readme) ?? [];
    for (const name of ["extensions", "bin"]) mkdirSync(join(folder.path, name));
    writeFileSync(join(folder.path, "extensions/other.py"), shown);
    copyFileSync(join(folder.path, "package/serve"), join(folder.path, "bin/ghost-mcp"));
    await using home = await createHome({});
    const argument = `${join(folder.path, "extensions")}|after`;
    const seen = await play({ scenario: "packaged", extension, home: home.path, argument });
    expect(seen.status).toContain("- ghost: disconnected");
  });

  it("[A9] keep the rules of the library: absolute, inside, executable, immutable, idempotent", async () => {
    const home = folder.path;
    const seen = await play({ scenario: "packaged_rules", extension, home, argument: home });
    expect(seen.refused).toEqual({
      blank: expect.stringMatching(/not blank/),
      untrimmed: expect.stringMatching(/no blanks around/),
      control: expect.stringMatching(/control characters/),
      "relative root": expect.stringMatching(/absolute/),
      "relative command": expect.stringMatching(/absolute/),
      outside: expect.stringMatching(/inside root/),
      link: expect.stringMatching(/inside root/),
      plain: expect.stringMatching(/executed/),
      missing: expect.stringMatching(/existing file/),
      folder: expect.stringMatching(/inside root/),
      args: expect.stringMatching(/tuple of texts/),
      env: expect.stringMatching(/texts to texts/),
    });
    expect(seen).toMatchObject({
      first: 0,
      accepted: ["registered", "registered", "registered"],
      different: "a different packaged server is registered as 'tool'",
      names: ["second", "tool"],
      frozen: true,
      kept: ["second", "tool"],
      again: "registered",
    });
  });
});

describe("the Travis234 extension with the built adapter", () => {
  it("[A1] reports, lists, calls and refuses as the command does", async () => {
    await using home = await createHome({
      echo: fixture("echo", { env: { SERVICE_TOKEN: "$env:CANARY" } }),
    });
    const requests = [
      {},
      { server: "echo" },
      { server: "echo", tool: "echo", args: { text: "hi" } },
      { server: "echo", tool: "fail" },
      { server: "none" },
      { server: "echo", tool: "environment", args: { name: "SERVICE_TOKEN" } },
    ];
    const argument = JSON.stringify(requests);
    const env = { CANARY };
    const seen = await play({ scenario: "ask", extension, home: home.path, argument, env });
    const texts = seen.results.map(
      ({ content }: { content: [{ text: string }] }) => content[0].text,
    );
    expect(texts[0]).toContain("- echo: disconnected");
    expect(texts[1]).toMatch(/^MCP tools on "echo"/);
    expect(texts[2]).toBe("hi");
    expect(texts[4]).toContain('configured are "echo"');
    const errors = seen.results.map(({ isError }: { isError: boolean }) => isError);
    expect(errors).toEqual([false, false, false, true, true, false]);
    expect(seen.context).toEqual({ operation: "list", server: "echo" });
    expect(findCanary(JSON.stringify(seen))).toEqual([]);
  });
});
