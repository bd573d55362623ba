import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTempFolder, rpc, sampleAios, send, startProcess } from "../src/index.ts";
import {
  blocksOf,
  installForNewcomers,
  type Newcomer,
  pageOf,
  withoutInstall,
} from "./newcomer.ts";
import { type App, apps } from "./tarball.ts";

const place = createTempFolder();
const newcomers = new Map<App, (name: string) => Newcomer>();
beforeAll(async () => {
  for (const app of apps) newcomers.set(app, await installForNewcomers(app, place.path));
}, 120_000);
afterAll(() => place[Symbol.asyncDispose]());

function newcomer(app: App, name: string): Newcomer {
  const create = newcomers.get(app);
  if (create === undefined) throw new Error(`${app.name} is not installed`);
  return create(name);
}

/** The code blocks under the README's heading that promises a minute. */
function firstMinute(app: App): { readonly sh: string[]; readonly json: string[] } {
  const [, section = ""] =
    pageOf(app, "README.md").match(/^## A minute to .*\n([\s\S]*?)^## /m) ?? [];
  const of = (wanted: string) =>
    blocksOf(section)
      .filter(({ language }) => language === wanted)
      .map(({ code }) => code);
  return { sh: of("sh"), json: of("json") };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}

/** The lines that a page shows as output and that did not come, each behind the one before; `…` stands for anything. */
function missing(expected: string, output: string): string[] {
  let rest = output.split("\n");
  return expected
    .split("\n")
    .filter((line) => line !== "")
    .filter((line) => {
      const parts = line.split("…").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
      const at = rest.findIndex((printed) => new RegExp(`^${parts.join(".*")}$`).test(printed));
      if (at !== -1) rest = rest.slice(at + 1);
      return at === -1;
    });
}

const [adapter, gateway, aios] = apps as readonly [App, App, App];

describe("the first minute of each README, from the tarball", { timeout: 180_000 }, () => {
  it("[W4] [A36] lists and calls the tools of a server through the adapter", async () => {
    const person = newcomer(adapter, "first-minute");
    const { sh, json } = firstMinute(adapter);
    expect((await person.shell(withoutInstall(sh[0] ?? ""))).status).toBe(0);
    const allowed = join(person.home, "workspace");
    mkdirSync(allowed);
    const config = json[0]?.replace("/absolute/path/to/allowed-workspace", allowed) ?? "";
    writeFileSync(join(person.home, ".config", "mcp", "mcp.json"), config);
    const ran = await person.shell(sh[1] ?? "");
    expect(ran.status, ran.stdout + ran.stderr).toBe(0);
    expect(ran.stdout).toContain("read_text_file");
    expect(ran.stdout).toContain(allowed);
  });

  it("[W4] [G27] serves the two allowed tools of a server through the gateway", async () => {
    const person = newcomer(gateway, "first-minute");
    const script = withoutInstall(firstMinute(gateway).sh[0] ?? "")
      .replace("server:\n", "server:\n  listen: 127.0.0.1:0\n")
      .replace(" && wraptool serve\n", "\n");
    const checked = await person.shell(script);
    expect(checked.status, checked.stdout + checked.stderr).toBe(0);

    await using daemon = startProcess("wraptool", ["serve"], { cwd: person.home, env: person.env });
    const [, address = ""] = await daemon.waitFor(/listening on (http:\S+)/, "stderr");
    const { stdout: tokenFile } = await person.shell("wraptool token path");
    const headers = { authorization: `Bearer ${readFileSync(tokenFile.trim(), "utf8").trim()}` };
    const initialized = await send(new URL(address), {
      headers,
      body: rpc(0, "initialize", {
        ...{ protocolVersion: "2025-06-18", capabilities: {} },
        clientInfo: { name: "newcomer", version: "1" },
      }),
    });
    const session = { ...headers, "mcp-session-id": String(initialized.headers["mcp-session-id"]) };
    const call = { name: "files_list_directory", arguments: { path: "." } };
    const called = await send(new URL(address), {
      ...{ headers: session, body: rpc(1, "tools/call", call) },
    });
    expect(called.text).not.toContain("isError");
    const listed = await send(new URL(address), { headers: session, body: rpc(2, "tools/list") });
    const { result } = listed.json as { result: { tools: { name: string }[] } };
    expect(result.tools.map(({ name }) => name).sort()).toEqual([
      "files_list_directory",
      "files_read_text_file",
    ]);
    daemon.child.kill("SIGTERM");
    expect((await daemon.exited).status).toBe(0);
  });

  it("[W4] [S25] shows the notes and what a client needs to serve them", async () => {
    const person = newcomer(aios, "first-minute");
    cpSync(sampleAios, join(person.home, "aios"), { recursive: true });
    const ran = await person.shell(firstMinute(aios).sh[0] ?? "");
    expect(ran.status, ran.stdout + ran.stderr).toBe(0);
    expect(ran.stdout).toContain("dotaios-mcp@");
  });
});

describe("the tutorials, from the tarballs", { timeout: 180_000 }, () => {
  it.each(apps)("[W4] $name: every command does what the page shows", async (app) => {
    const { shell } = newcomer(app, "tutorial");
    const port = await freePort();
    const blocks = blocksOf(pageOf(app, "docs/tutorial.md"));
    const script = blocks.filter(({ language }) => language === "sh").map(({ code }) => code);
    const shown = blocks.filter(({ language }) => language === "text").map(({ code }) => code);
    const ran = await shell(withoutInstall(script.join("")).replaceAll("8717", String(port)));
    expect(ran.status, ran.stdout + ran.stderr).toBe(0);
    expect(missing(shown.join(""), ran.stdout + ran.stderr), ran.stdout + ran.stderr).toEqual([]);
  });
});
