import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  builtBin,
  CANARY,
  createTempFolder,
  findCanary,
  isAlive,
  type RunOptions,
  run,
  startProcess,
} from "test-fixtures";
import { describe, expect, it, vi } from "vitest";
import { createHome, fixture } from "./session.ts";

const bin = builtBin("travis234-mcp-adapter");
const adapter = (home: string, args: string[], options: RunOptions = {}) =>
  run(process.execPath, [bin, "--home", home, "--cwd", home, ...args], options);

describe("travis234-mcp-adapter", () => {
  it("[A37] call prints what a model would see, and with --json the whole result", async () => {
    await using home = await createHome({ echo: fixture("echo") });
    const request = JSON.stringify({ server: "echo", tool: "echo", args: { text: "hi" } });
    expect(await adapter(home.path, ["call", request])).toMatchObject({
      status: 0,
      stdout: "hi\n",
      stderr: "",
    });
    const { stdout } = await adapter(home.path, ["call", "-", "--json"], { input: request });
    expect(JSON.parse(stdout)).toEqual({
      content: [{ type: "text", text: "hi" }],
      details: {
        travis234Mcp: {
          operation: "call",
          isError: false,
          server: "echo",
          hasStructuredContent: false,
          spilled: false,
        },
      },
      isError: false,
    });
  });

  it("[A37] ends with 1 on a tool error, and with 2 on a request that is no JSON object", async () => {
    await using home = await createHome({ echo: fixture("echo") });
    const failed = await adapter(home.path, ["call", '{"server":"echo","tool":"fail"}']);
    expect(failed).toMatchObject({ status: 1, stdout: "The tool failed on purpose\n" });
    for (const request of ["[]", "nonsense", "null"]) {
      const refused = await adapter(home.path, ["call", request, "--json"]);
      expect(refused.status).toBe(2);
      expect(JSON.parse(refused.stdout)).toMatchObject({
        error: { code: "REQUEST_NOT_AN_OBJECT" },
      });
    }
  });

  it("[A37] status is call {}, healthy with 0 and with a configuration error 1", async () => {
    await using home = await createHome({ echo: fixture("echo") });
    const status = await adapter(home.path, ["status"]);
    expect(status).toEqual(await adapter(home.path, ["call", "{}"]));
    expect(status.status).toBe(0);
    await writeFile(join(home.path, ".config/mcp/mcp.json"), '{"mcpServers": []}');
    const broken = await adapter(home.path, ["status"]);
    expect(broken).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(
        /^MCP adapter configuration error: ~\/\.config\/mcp\/mcp\.json:1:16 mcpServers: must be/,
      ),
    });
    expect(await adapter(home.path, ["call", '{"server":"echo"}'])).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/configuration error: ~\/\.config/),
    });
  });

  it("[A5] reads the project's files only with --trust-project, and says how many it ignores", async () => {
    await using home = await createHome({});
    await mkdir(join(home.path, ".travis234"));
    const project = JSON.stringify({ mcpServers: { mine: fixture("echo") } });
    await writeFile(join(home.path, ".mcp.json"), project);
    await writeFile(join(home.path, ".travis234/mcp.json"), project);
    const ignored = await adapter(home.path, ["status"]);
    expect(ignored.stdout).toBe(
      "MCP adapter status\n- 2 project configuration file(s) ignored until the project is trusted: /trust, then /reload\n",
    );
    const trusted = await adapter(home.path, ["--trust-project", "status"]);
    expect(trusted.stdout).toContain("- mine of .travis234/mcp.json replaces that of .mcp.json");
  });

  it("[A37] keeps what is too long in --spills, and otherwise says that it is gone", async () => {
    await using home = await createHome({ big: fixture("big") });
    await using folder = createTempFolder();
    const request = '{"server":"big","tool":"lines","args":{"lines":2001}}';
    const gone = await adapter(home.path, ["call", request]);
    expect(gone.stdout).toMatch(/until this command ended \(--spills DIR keeps it\)/);
    const kept = await adapter(home.path, ["call", request, "--spills", folder.path]);
    const name = /kept as (\S+) in the folder/.exec(kept.stdout)?.[1];
    const [spills] = await readdir(folder.path);
    expect(await readdir(join(folder.path, spills ?? ""))).toContain(name);
  });

  it("[A34] never shows a secret, wherever it comes back from", async () => {
    await using home = await createHome({
      echo: fixture("echo", { env: { SERVICE_TOKEN: "$env:CANARY" } }),
      broken: fixture("exits-at-start", { env: { SERVICE_TOKEN: "$env:CANARY" } }),
    });
    const env = { PATH: process.env.PATH, CANARY };
    const requests = [
      { server: "echo", tool: "environment", args: { name: "SERVICE_TOKEN" } },
      { server: "echo", tool: "echo", args: { text: JSON.stringify({ t: CANARY }) } },
      { server: "echo", tool: "echo", args: { text: 5 } },
      { server: "broken" },
      {},
    ];
    const runs = requests.flatMap((request) =>
      [[], ["--json", "--verbose"]].map((flags) =>
        adapter(home.path, ["call", JSON.stringify(request), ...flags], { env }),
      ),
    );
    for (const { stdout, stderr } of await Promise.all(runs))
      expect(findCanary(stdout + stderr), stdout).toEqual([]);
  });

  it("cancels the request on a signal, ends its server and reports 128 + the signal", async () => {
    await using folder = createTempFolder();
    const mark = join(folder.path, "started");
    const script = `require("fs").writeFileSync(${JSON.stringify(mark)}, String(process.pid)); process.stdin.resume()`;
    await using home = await createHome({
      mute: { command: process.execPath, args: ["-e", script] },
    });
    const args = [bin, "--home", home.path, "--cwd", home.path, "call", '{"server":"mute"}'];
    await using started = startProcess(process.execPath, args);
    const pid = await vi.waitFor(async () => Number(await readFile(mark, "utf8")), {
      timeout: 10_000,
    });
    started.child.kill("SIGINT");
    expect(await started.exited).toMatchObject({ status: 130 });
    expect(started.printed().stdout).toMatch(/CANCELLED/);
    expect(isAlive(pid)).toBe(false);
  });

  it("has --help for each command, and --version", async () => {
    for (const args of [
      ["--help"],
      ...["call", "status", "doctor", "host"].map((command) => [command, "--help"]),
      ["--version"],
    ])
      expect((await run(process.execPath, [bin, ...args])).status).toBe(0);
  });
});
