import { readdir } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { builtBin, createTempFolder, isAlive, run, startProcess } from "test-fixtures";
import { expect, it, vi } from "vitest";
import { createHome, fixture } from "./session.ts";

const library = new URL("index.js", pathToFileURL(builtBin("travis234-mcp-adapter"))).href;

/** A host that uses three servers, keeps a long answer, says so, and then waits for its end. */
const HOST = `
const { createAdapter } = await import(${JSON.stringify(library)});
const [home] = process.argv.slice(1);
const adapter = await createAdapter({ cwd: home, home, env: process.env });
const ask = async (request) => (await adapter.execute(request)).content[0].text;
const stubborn = await ask({ server: "stubborn", tool: "pid" });
await ask({ server: "big", tool: "text", args: { bytes: 60000 } });
const polite = (await ask({ server: "polite", tool: "folder" })).split("\\n").at(-1);
console.log("ready " + stubborn + " " + polite);
setInterval(() => {}, 1000);
`;

it("[A30] what a killed adapter left is gone after the next start: its servers and its files", async () => {
  await using home = await createHome({
    stubborn: fixture("stubborn"),
    big: fixture("big"),
    polite: fixture("echo"),
  });
  await using temp = createTempFolder();
  const env = { PATH: process.env.PATH, TMPDIR: temp.path };
  const args = ["--input-type=module", "-e", HOST, home.path];
  await using host = startProcess(process.execPath, args, { env });
  const [, pid, polite] = await host.waitFor(/^ready (\d+) (\d+)$/m);
  const spills = async () =>
    (await readdir(temp.path)).filter((name) => name.startsWith("travis234-mcp-adapter-"));
  host.child.kill("SIGKILL");
  await host.exited;
  // The end of its input is all that a server hears of it, and for most that is enough.
  await vi.waitFor(() => expect(isAlive(Number(polite))).toBe(false), { timeout: 10_000 });
  // The other one ignores the end of its input, and nobody is left to end it.
  expect([isAlive(Number(pid)), await spills()]).toEqual([true, [expect.any(String)]]);
  const bin = builtBin("travis234-mcp-adapter");
  await run(process.execPath, [bin, "status", "--home", home.path], { env });
  expect([isAlive(Number(pid)), await spills()]).toEqual([false, []]);
});

it("[A37] what --spills keeps is there after the next start too, wherever it is kept", async () => {
  await using home = await createHome({ big: fixture("big") });
  await using temp = createTempFolder();
  const env = { PATH: process.env.PATH, TMPDIR: temp.path };
  const adapter = (...args: string[]) =>
    run(process.execPath, [builtBin("travis234-mcp-adapter"), ...args, "--home", home.path], {
      env,
    });
  const request = JSON.stringify({ server: "big", tool: "text", args: { bytes: 60_000 } });
  await adapter("call", request, "--spills", temp.path);
  const kept = async () =>
    (await readdir(temp.path)).filter((name) => name.startsWith("travis234-mcp-adapter-kept-"));
  expect(await kept()).toHaveLength(1);
  await adapter("status");
  expect(await kept()).toHaveLength(1);
});
