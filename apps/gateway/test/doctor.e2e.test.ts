import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { clients } from "@core/clients";
import { fixtureServer } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { startGateway } from "./gateway-process.ts";
import { createHarnessHome, type HarnessHome, TOKEN } from "./harness-home.ts";

interface Found {
  readonly id: string;
  readonly level: string;
  readonly subject: string;
  readonly reason: string;
  readonly remedy: string | null;
}

async function doctor(home: HarnessHome, ...flags: string[]) {
  const ran = await home.wraptool("doctor", "--json", ...flags);
  expect(ran.stdout + ran.stderr).not.toContain(TOKEN);
  const { ok, findings }: { ok: boolean; findings: Found[] } = JSON.parse(ran.stdout);
  expect(ran.status).toBe(ok ? 0 : 1);
  expect(ok).toBe(findings.every(({ level }) => level !== "error"));
  for (const finding of findings) {
    expect(Object.keys(finding)).toEqual(["id", "level", "subject", "reason", "remedy"]);
    expect(finding.remedy === null).toBe(finding.level === "ok");
    expect(finding.remedy).not.toBe("");
  }
  const of = (id: string) =>
    findings.filter((one) => one.id === id).map(({ level, reason }) => [level, reason]);
  return { ok, findings, of };
}

const configure = (home: HarnessHome, config: object) =>
  home.write(".config/wraptool/config.yaml", stringify(config));
const serverOf = (name: string, more: object = {}) => ({
  command: process.execPath,
  args: [fixtureServer(name)],
  ...more,
});

describe.concurrent("wraptool doctor", () => {
  it("[G25] finds nothing wrong with a good configuration, and that the daemon does not run is a warning", async () => {
    await using home = createHarnessHome();
    configure(home, {
      server: { auth_token_file: "token", transport: ["sse", "unix"] },
      mcp_servers: { echo: serverOf("echo") },
    });
    await home.wraptool("init", "--harness", "claude");
    const { ok, of, findings } = await doctor(home);
    expect(ok).toBe(true);
    expect(findings.map(({ id, level }) => `${id} ${level}`).sort()).toEqual([
      ...["config ok", "daemon warning", "harness ok", "server ok", "socket ok", "token ok"],
    ]);
    expect(of("server")).toEqual([["ok", "starts, and speaks the legacy era"]]);
    const said = await home.wraptool("doctor");
    expect(said.stdout).toMatch(/^warning daemon .*: not running\n {8}wraptool serve$/m);
  });

  it("[G25] names every fault of the configuration with its place", async () => {
    await using home = createHarnessHome();
    home.write(
      ".config/wraptool/config.yaml",
      "server: {nonsense: 1}\nmcp: {max_sessions: many}\n",
    );
    const { ok, findings } = await doctor(home);
    expect(ok).toBe(false);
    const places = findings.filter(({ id }) => id === "config").map(({ subject }) => subject);
    const file = home.path(".config/wraptool/config.yaml");
    expect(places).toEqual([`${file}:1:10 server.nonsense`, `${file}:2:21 mcp.max_sessions`]);
    const missing = await doctor(home, "--config", "/nonexistent.yaml");
    expect(missing.of("config")[0]?.[0]).toBe("error");
  });

  it("[G25] finds open modes, a missing token, an open bind, and a command that does not resolve", async () => {
    await using home = createHarnessHome();
    home.write("server.env", "KEY=value-of-the-key\n");
    chmodSync(home.path("server.env"), 0o644);
    chmodSync(home.path(".config/wraptool/token"), 0o644);
    mkdirSync(home.path("run"), { mode: 0o755 });
    const echo = serverOf("echo");
    const mcp_servers = {
      lost: { command: "no-such-command" },
      loose: { ...echo, env_files: ["~/server.env"] },
    };
    const server = { transport: ["sse", "unix"], auth_token_file: "token", socket: "~/run/s" };
    configure(home, { server, mcp_servers });
    const { of, findings } = await doctor(home);
    const remedies = Object.fromEntries(findings.map(({ id, remedy }) => [id, remedy]));
    expect(remedies).toMatchObject({
      token: `chmod 600 ${home.path(".config/wraptool/token")}`,
      "env-file": `chmod 600 ${home.path("server.env")}`,
      socket: `chmod 700 ${home.path("run")}`,
      command: "Install it, or name its absolute path",
    });
    expect(of("server")).toEqual([]);

    configure(home, { server: { auth_token_file: "none" } });
    expect((await doctor(home)).findings.find(({ id }) => id === "token")).toMatchObject({
      level: "error",
      remedy: "wraptool token new",
    });
    configure(home, { server: { listen: "0.0.0.0:8717" } });
    const open = await doctor(home);
    expect(open.of("bind").length).toBe(1);
    expect(open.of("token")[0]?.[0]).toBe("warning");
  });

  it("[G25] starts each server, and tells which one does not start", async () => {
    await using home = createHarnessHome();
    configure(home, {
      server: { auth_token_file: "token" },
      mcp_servers: {
        echo: serverOf("echo"),
        broken: serverOf("exits-at-start"),
        mute: serverOf("mute", { init_timeout: "300ms" }),
      },
    });
    const { findings } = await doctor(home);
    const servers = findings.filter(({ id }) => id === "server");
    expect(servers.map(({ subject, level }) => [subject, level])).toEqual([
      ["echo", "ok"],
      ["broken", "error"],
      ["mute", "error"],
    ]);
    expect(servers[1]?.reason).toContain("exit code 3");
  });

  it("[G25] finds entries that have gone, hold another token, lead elsewhere, or may be committed", async () => {
    await using home = createHarnessHome();
    await home.git("init", "-q");
    const harnesses = ["--harness", "claude,cursor,gemini,opencode"];
    await home.wraptool("init", ...harnesses);
    expect(new Set((await doctor(home)).of("harness").map(([level]) => level))).toEqual(
      new Set(["ok"]),
    );
    home.write("code/.cursor/mcp.json", "{}");
    home.write("code/.gemini/settings.json", "{");
    await home.git("add", "-f", ".mcp.json");
    chmodSync(home.path("code/opencode.json"), 0o644);
    writeFileSync(home.path(".config/wraptool/token"), "another-token-altogether\n");
    configure(home, { server: { auth_token_file: "token", listen: "127.0.0.1:9" } });
    const { findings } = await doctor(home);
    const of = (harness: string) =>
      findings.filter(({ subject }) => subject.startsWith(harness)).map(({ reason }) => reason);
    expect(of("claude")).toEqual([
      "the entry leads to another address",
      "the entry holds another token than the gateway's",
      "git tracks it, and the token stands in it",
    ]);
    expect(of("cursor")).toEqual(["the entry that init wrote has gone"]);
    expect(of("gemini").length).toBe(1);
    expect(of("opencode")).toContain("others may read the token in it");
  });

  it("[G25] looks at every harness's entry, of the project and global, as init writes it", async () => {
    await using home = createHarnessHome();
    const projects = clients.filter(({ project }) => project).map(({ id }) => id);
    const globals = clients.filter((row) => row.global).map(({ id }) => id);
    await home.wraptool("init", "--harness", projects.join(","));
    await home.wraptool("init", "--global", "--harness", globals.join(","));
    const { findings } = await doctor(home);
    const looked = findings.filter(({ id }) => id === "harness");
    // Claude Code and Copilot CLI share the project's file.
    expect(looked.length).toBe(projects.length + globals.length - 1);
    expect(looked.filter(({ level }) => level !== "ok")).toEqual([]);

    configure(home, { server: { auth_token_file: "token", listen: "127.0.0.1:9" } });
    const moved = (await doctor(home)).findings.filter(({ id }) => id === "harness");
    expect(new Set(moved.map(({ reason }) => reason))).toEqual(
      new Set(["the entry leads to another address"]),
    );
    const junie = moved.find(({ subject }) => subject.startsWith("junie"));
    expect(junie?.remedy).toBe("wraptool init --harness junie");
    const goose = moved.find(({ subject }) => subject.startsWith("goose"));
    expect(goose?.remedy).toBe("wraptool init --harness goose --global");
  });

  it("[G25] finds a bridge whose program has gone, and names the entry that is to be written anew", async () => {
    await using home = createHarnessHome({ server: { transport: "unix" } });
    await home.wraptool("init", "--harness", "claude", "--name", "other");
    const gone = home.read("code/.mcp.json").replaceAll(process.execPath, "/nonexistent/node");
    home.write("code/.mcp.json", gone.replaceAll("other", "wraptool"));
    expect((await doctor(home)).of("harness")).toEqual([
      ["warning", "the entry that init wrote has gone"],
      ["error", "the program that the entry starts is not there"],
    ]);
    const { findings } = await doctor(home);
    const [, missing] = findings.filter(({ id }) => id === "harness").map(({ remedy }) => remedy);
    expect(missing).toBe("wraptool init --harness claude");
    expect(findings.find(({ reason }) => reason.includes("has gone"))?.remedy).toBe(
      "wraptool init --harness claude --name other",
    );
  });

  it("[G25] looks at entries that nobody recorded", async () => {
    await using home = createHarnessHome();
    const other = { mcpServers: { wraptool: { url: "https://elsewhere.example/mcp" } } };
    const own = { mcpServers: { wraptool: { url: "http://127.0.0.1:8717/mcp" } } };
    home.write("code/.cursor/mcp.json", JSON.stringify(other));
    home.write(".cursor/mcp.json", JSON.stringify(own));
    expect((await doctor(home)).of("harness")).toEqual([
      ["warning", "the entry is not this gateway's"],
      ["error", "the entry has no token, and the gateway asks for one"],
    ]);
  });

  it("[G25] tells that the daemon runs", async () => {
    await using gateway = await startGateway({ server: { transport: "unix" } });
    await using home = createHarnessHome({}, { HOME: gateway.folder });
    const { of } = await doctor(home, "--config", gateway.file);
    expect(of("daemon")).toEqual([["ok", `runs as process ${gateway.process.pid}`]]);
  });

  it("[G25] says what to do without a configuration", async () => {
    await using home = createHarnessHome({}, { XDG_CONFIG_HOME: "/nonexistent" });
    const { of, ok } = await doctor(home);
    expect(ok).toBe(false);
    expect([of("config")[0]?.[0], of("token")[0]?.[0]]).toEqual(["warning", "error"]);
  });
});
