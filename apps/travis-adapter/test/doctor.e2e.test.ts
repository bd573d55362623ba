// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the configuration, not templates.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtBin, run } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { createHome, fixture } from "./session.ts";

const bin = builtBin("travis234-mcp-adapter");

interface Finding {
  readonly level: string;
  readonly subject: string;
  readonly reason: string;
  readonly remedy?: string;
}

/** Runs `doctor --json` and gives its findings by subject. */
async function diagnose(home: string, ...flags: string[]) {
  const args = [bin, "--home", home, "--cwd", home, ...flags, "doctor", "--json"];
  const ran = await run(process.execPath, args, { env: { PATH: process.env.PATH } });
  const { findings } = JSON.parse(ran.stdout) as { findings: Finding[] };
  const about = (subject: string) => findings.filter((finding) => finding.subject === subject);
  return { status: ran.status, findings, about };
}

describe.concurrent("travis234-mcp-adapter doctor", () => {
  it("[A37] finds a working configuration in order", async () => {
    await using home = await createHome({ echo: fixture("echo") });
    const { status, findings } = await diagnose(home.path);
    expect(status).toBe(0);
    expect(findings).toEqual([
      { level: "ok", subject: "~/.config/mcp/mcp.json", reason: "is read" },
      { level: "ok", subject: "echo", reason: "starts and answers" },
    ]);
    const args = [bin, "--home", home.path, "--cwd", home.path, "doctor"];
    const { stdout } = await run(process.execPath, args);
    expect(stdout).toBe("ok: ~/.config/mcp/mcp.json: is read\nok: echo: starts and answers\n");
  });

  it("[A37] says what to do about entries, commands, references, starts and connections", async () => {
    await using home = await createHome({
      typed: { type: "stdio", command: "x" },
      missing: { command: "no-such-command" },
      needy: { command: "x", env: { LEVEL: "${FIRST}", SERVICE_TOKEN: "$env:SECOND" } },
      broken: fixture("exits-at-start"),
      closed: { url: "http://127.0.0.1:9/mcp" },
      echo: fixture("echo"),
    });
    const { status, findings, about } = await diagnose(home.path);
    expect(status).toBe(1);
    expect(about("typed")).toMatchObject([{ reason: expect.stringMatching(/mcpServers\.typed/) }]);
    expect(about("missing")).toMatchObject([{ reason: expect.stringMatching(/not found/) }]);
    expect(about("needy").map(({ reason }) => reason)).toEqual([
      "env.LEVEL needs the variable FIRST, which is missing or empty",
      "env.SERVICE_TOKEN needs the variable SECOND, which is missing or empty",
    ]);
    expect(about("broken")).toMatchObject([{ reason: expect.stringMatching(/status 3/) }]);
    expect(about("closed")).toMatchObject([{ reason: expect.stringMatching(/CONNECT_FAILED/) }]);
    expect(about("echo")).toMatchObject([{ level: "ok" }]);
    const errors = findings.filter(({ level }) => level === "error");
    expect(errors).toHaveLength(6);
    for (const { remedy } of errors) expect(remedy).toMatch(/^[A-Z].*\.$/);
  });

  it("[A37] tells of project files that are not trusted, and of hidden entries once they are", async () => {
    await using home = await createHome({ echo: { command: "never-started" } });
    const project = { mcpServers: { echo: fixture("echo") } };
    writeFileSync(join(home.path, ".mcp.json"), JSON.stringify(project));
    const untrusted = await diagnose(home.path);
    expect(untrusted.about(".mcp.json")).toMatchObject([
      { level: "warning", remedy: expect.stringMatching(/\/trust, then \/reload/) },
    ]);
    const trusted = await diagnose(home.path, "--trust-project");
    expect(trusted.status).toBe(0);
    expect(trusted.about("echo")).toMatchObject([
      { level: "notice", reason: expect.stringMatching(/~\/\.config.*hidden by that of \.mcp/) },
      { level: "ok" },
    ]);
  });

  it("[A37] names the file that makes everything unavailable, and asks for one where none is", async () => {
    await using home = await createHome({ echo: fixture("echo") });
    mkdirSync(join(home.path, ".travis234/agent"), { recursive: true });
    writeFileSync(join(home.path, ".travis234/agent/mcp.json"), '{"mcpServers":{},}');
    const broken = await diagnose(home.path);
    expect(broken.status).toBe(1);
    expect(broken.findings).toMatchObject([
      { level: "ok", subject: "~/.config/mcp/mcp.json" },
      { level: "error", reason: expect.stringMatching(/^~\/\.travis234\/agent\/mcp\.json:1:17/) },
    ]);
    const none = await diagnose(join(home.path, "elsewhere"));
    expect(none.status).toBe(0);
    expect(none.findings).toMatchObject([{ level: "warning", subject: "configuration" }]);
  });

  it("[A37] respects offline mode", async () => {
    await using home = await createHome({ far: { url: "https://example.com/mcp" } });
    const { status, about } = await diagnose(home.path, "--offline");
    expect(status).toBe(1);
    expect(about("far")).toMatchObject([{ remedy: expect.stringMatching(/--offline/) }]);
  });
});
