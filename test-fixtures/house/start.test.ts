import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repository, run, startProcess } from "../src/index.ts";

const script = join(repository, "scripts", "start.mjs");

describe("npm start", () => {
  it("[W3] does the main job on real servers, every claim held", async () => {
    const ran = await run(process.execPath, [script], { timeoutMs: 90_000 });
    expect(ran.stdout + ran.stderr).toMatch(/All \d+ steps did what they claim/);
    expect(ran.stdout).toContain("A denied tool is refused  ok");
    expect(ran.stdout).not.toContain("\u001b");
    expect(ran.status).toBe(0);
  }, 100_000);

  it("[W3] leaves the gateway running with --keep, prints client entries and ends on a signal", async () => {
    await using kept = startProcess(process.execPath, [script, "--keep"]);
    const [, url = ""] = await kept.waitFor(/stays up at (http:\S+\/mcp) until/);
    await kept.waitFor(/Travis234, .*mcp\.json/);
    expect((await fetch(url, { method: "POST" })).status).toBe(401);
    kept.child.kill("SIGTERM");
    expect(await kept.exited).toEqual({ status: 0, signal: null });
    await expect(fetch(url)).rejects.toThrow();
  }, 100_000);

  it("[W9] refuses an unknown flag with one line and exit status 2", async () => {
    const ran = await run(process.execPath, [script, "--kep"]);
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    expect(ran.stderr).toMatch(/^error: .*--kep/);
  });
});
