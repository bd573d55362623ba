import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createTempFolder, rpc, sampleAios, send, startProcess } from "../src/index.ts";
import { blocksOf, createNewcomer, pageOf, withoutInstall } from "./newcomer.ts";
import { type App, apps } from "./tarball.ts";

const place = createTempFolder();
afterAll(() => place[Symbol.asyncDispose]());

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

const [adapter, gateway, aios] = apps as readonly [App, App, App];

describe("the first minute of each README, from the tarball", { timeout: 180_000 }, () => {
  it("[W4] [A36] lists and calls the tools of a server through the adapter", async () => {
    const person = await createNewcomer(adapter, place.path);
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
    const person = await createNewcomer(gateway, place.path);
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
    const person = await createNewcomer(aios, place.path);
    cpSync(sampleAios, join(person.home, "aios"), { recursive: true });
    const ran = await person.shell(firstMinute(aios).sh[0] ?? "");
    expect(ran.status, ran.stdout + ran.stderr).toBe(0);
    expect(ran.stdout).toContain("dotaios-mcp@");
  });
});
