import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  createTempFolder,
  repository,
  rpc,
  run,
  sampleAios,
  send,
  startProcess,
} from "../src/index.ts";
import { type App, apps, packApp } from "./tarball.ts";

const place = createTempFolder();
afterAll(() => place[Symbol.asyncDispose]());

/** A person who has Node and npm, and nothing of ours yet. */
interface Newcomer {
  readonly home: string;
  /** Runs lines as a shell would, each only if the one before it succeeded. */
  shell(script: string): ReturnType<typeof run>;
  readonly env: NodeJS.ProcessEnv;
}

/** The first code blocks under the README's heading that promises a minute. */
function firstMinute({ folder }: App): { readonly sh: string[]; readonly json: string[] } {
  const readme = readFileSync(join(repository, "apps", folder, "README.md"), "utf8");
  const [, section = ""] = readme.match(/^## A minute to .*\n([\s\S]*?)^## /m) ?? [];
  const of = (language: string) =>
    [...section.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(
      ([, code = ""]) => code,
    );
  return { sh: of("sh"), json: of("json") };
}

async function newcomer(app: App): Promise<Newcomer> {
  const home = join(place.path, `${app.folder}-home`);
  const prefix = join(home, "npm");
  mkdirSync(prefix, { recursive: true });
  const { stdout: cache } = await run("npm", ["config", "get", "cache"]);
  const env = {
    HOME: home,
    PATH: `${join(prefix, "bin")}:${process.env.PATH}`,
    npm_config_prefix: prefix,
    npm_config_cache: cache.trim(),
    npm_config_update_notifier: "false",
    NO_COLOR: "1",
  };
  return {
    home,
    env,
    shell: (script) => run("bash", ["-e"], { cwd: home, env, input: script, timeoutMs: 90_000 }),
  };
}

/** What the pages call by its name in the registry, from its tarball. */
async function install(app: App, { shell }: Newcomer): Promise<void> {
  const installed = await shell(`npm install --global ${await packApp(app, place.path)}`);
  expect(installed.status, installed.stderr).toBe(0);
}

const [adapter, gateway, aios] = apps as readonly [App, App, App];
const withoutInstall = (script: string) => script.replace(/^npm install --global \S+\n/m, "");

describe("the first minute of each README, from the tarball", { timeout: 180_000 }, () => {
  it("[W4] [A36] lists and calls the tools of a server through the adapter", async () => {
    const person = await newcomer(adapter);
    await install(adapter, person);
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
    const person = await newcomer(gateway);
    await install(gateway, person);
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
    const person = await newcomer(aios);
    await install(aios, person);
    cpSync(sampleAios, join(person.home, "aios"), { recursive: true });
    const ran = await person.shell(firstMinute(aios).sh[0] ?? "");
    expect(ran.status, ran.stdout + ran.stderr).toBe(0);
    expect(ran.stdout).toContain("dotaios-mcp@");
  });
});
