// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the configuration, not templates.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTempFolder, type TempFolder } from "test-fixtures";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Configuration } from "../config/load.ts";
import { AdapterError } from "../errors.ts";
import type { PackagedServer } from "../host.ts";
import { createPackagedServers } from "./packaged.ts";
import { createRegistry } from "./registry.ts";

let folder: TempFolder;
let root: string;
let server: PackagedServer;

beforeEach(() => {
  folder = createTempFolder();
  root = join(folder.path, "package");
  mkdirSync(root);
  server = { name: "tool", root, command: program(join(root, "serve")), args: ["mcp"] };
});
afterEach(() => folder[Symbol.asyncDispose]());

function program(path: string, mode = 0o755): string {
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, mode);
  return path;
}

function refusalOf(odd: Partial<PackagedServer>): string {
  try {
    createPackagedServers().register({ ...server, ...odd });
  } catch (error) {
    expect(error).toBeInstanceOf(AdapterError);
    return (error as Error).message;
  }
  throw new Error("It was accepted");
}

describe("a packaged server", () => {
  it("[A9] is a stdio server like a configured one", () => {
    const packaged = createPackagedServers();
    packaged.register({ ...server, env: { SERVICE_TOKEN: "${SERVICE_TOKEN}" } });
    expect(packaged.entries().get("tool")).toMatchObject({
      definition: {
        kind: "stdio",
        command: server.command,
        args: ["mcp"],
        env: { SERVICE_TOKEN: "${SERVICE_TOKEN}" },
        reconnect: { automatic: false },
      },
    });
  });

  it.each<[string, (root: string) => Partial<PackagedServer>, RegExp]>([
    ["a name", () => ({ name: " " }), /must not be blank/],
    ["a trimmed name", () => ({ name: " tool" }), /must not begin or end with a blank/],
    ["an absolute root", () => ({ root: "package" }), /root must be an absolute path/],
    ["an absolute command", () => ({ command: "serve" }), /command must be an absolute path/],
    ["a command that exists", (at) => ({ command: join(at, "none") }), /existing file/],
    ["a file for a command", (at) => ({ command: join(at, "..", "package") }), /inside root/],
    [
      "a command in its root",
      (at) => ({ command: program(join(at, "..", "package-other")) }),
      /must lie inside root/,
    ],
    [
      "an executable command",
      (at) => ({ command: program(join(at, "plain"), 0o644) }),
      /may be executed/,
    ],
    [
      "references for credentials",
      () => ({ env: { SERVICE_TOKEN: "literal-secret" } }),
      /mcpServers\.tool\.env\.SERVICE_TOKEN: /,
    ],
  ])("[A9] wants %s", (_what, odd, reason) => {
    const sentence = refusalOf(odd(root));
    expect(sentence).toMatch(reason);
    expect(sentence).not.toContain("literal-secret");
    expect(sentence).not.toContain(root);
  });

  it("[A9] is inside its root by where links lead, not by its path", () => {
    const outside = program(join(folder.path, "outside"));
    symlinkSync(outside, join(root, "link-out"));
    expect(refusalOf({ command: join(root, "link-out") })).toMatch(/inside root/);
    symlinkSync(root, join(folder.path, "link-in"));
    const packaged = createPackagedServers();
    packaged.register({ ...server, command: join(folder.path, "link-in", "serve") });
    expect(packaged.entries().get("tool")).toMatchObject({
      definition: { command: server.command },
    });
  });

  it("[A9] may be registered twice alike, and never differently", () => {
    const packaged = createPackagedServers();
    packaged.register(server);
    const before = packaged.entries();
    packaged.register({ ...server });
    expect(() => packaged.register({ ...server, args: [] })).toThrow(/different server/);
    packaged.register({ ...server, name: "later" });
    expect([...before.keys()]).toEqual(["tool"]);
    expect([...packaged.entries().keys()]).toEqual(["tool", "later"]);
  });

  it("[A9] wins over a configured one, which the report names as shadowed", () => {
    const packaged = createPackagedServers();
    packaged.register(server);
    const configured = { problems: [] };
    const entries: Configuration["entries"] = new Map([
      ["tool", { value: configured, origin: ".mcp.json", shadowed: ["~/.config/mcp/mcp.json"] }],
      ["other", { value: configured, origin: ".mcp.json", shadowed: [] }],
    ]);
    const files = { entries, faults: [], ignoredProjectFiles: 0 };
    const registry = createRegistry(files, packaged.entries());
    expect(registry.find("tool")).toMatchObject({ command: server.command });
    expect(registry.report.servers).toMatchObject([
      { name: "other", origin: ".mcp.json", shadowed: [] },
      {
        name: "tool",
        origin: "its package",
        shadowed: ["~/.config/mcp/mcp.json", ".mcp.json"],
      },
    ]);
    expect(entries.get("tool")?.value).toBe(configured);
  });

  it("[A9] that breaks a rule can be admitted, and then only status knows it", () => {
    const packaged = createPackagedServers();
    packaged.admit({ ...server, env: { SERVICE_TOKEN: "literal-secret" } });
    const files = { entries: new Map(), faults: [], ignoredProjectFiles: 0 };
    const registry = createRegistry(files, packaged.entries());
    expect(registry.report.servers[0]?.problems).toHaveLength(1);
    expect(() => registry.find("tool")).toThrow(/env\.SERVICE_TOKEN/);
  });
});
