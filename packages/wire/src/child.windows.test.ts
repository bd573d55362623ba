import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { isRunning, startServer } from "../test/started.ts";
import { windowsTree } from "./stop.ts";

const SHORT = { inputMs: 100, termMs: 100, killMs: 10_000 };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wire-windows-"));
  // It ends the one process that it is asked to end with its tree, and writes down how it was called.
  await writeFile(
    join(folder, "taskkill"),
    `#!/bin/sh\necho "$@" >> '${folder}/called'\nkill -9 "$2"\n`,
  );
  await chmod(join(folder, "taskkill"), 0o755);
  await writeFile(join(folder, "npx.cmd"), "@node npx-cli.js %*\r\n");
  await writeFile(join(folder, "node.exe"), "MZ");
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

const taskkillIn = () => join(folder, "taskkill");
const missing = "C:\\Windows\\System32\\taskkill.exe";
const called = () => readFile(join(folder, "called"), "utf8");

describe.skipIf(process.platform === "win32")("a child by the rules of Windows", () => {
  it("[A27] is ended with its whole tree by taskkill, once its input has ended in vain", async () => {
    const options = { platform: "win32", delays: SHORT, taskkill: taskkillIn() } as const;
    const { child, message } = await startServer("stubborn", options);
    await message("notifications/ready");
    expect(await child.stop()).toMatchObject({ signal: "SIGKILL", by: "kill", gone: true });
    expect(await called()).toBe(`/pid ${child.pid} /T /F\n`);
    expect(isRunning(child.pid)).toBe(false);
  });

  it("[A27] is not signalled where the end of its input is enough", async () => {
    const delays = { ...SHORT, inputMs: 10_000 };
    const { child } = await startServer("echo", { platform: "win32", delays, taskkill: missing });
    expect(await child.stop()).toMatchObject({ code: 0, by: "input", gone: true });
  });

  it("[A27] without taskkill is reported as not gone, and nothing breaks", async () => {
    const { child, message } = await startServer("stubborn", {
      platform: "win32",
      delays: { inputMs: 10, termMs: 10, killMs: 10 },
      taskkill: missing,
    });
    await message("notifications/ready");
    expect(await child.stop()).toMatchObject({ by: "kill", gone: false });
    process.kill(child.pid, "SIGKILL");
    await child.exited;
    // What was seen gone is never signalled again: its number may be another's.
    const tree = windowsTree(child.pid, taskkillIn());
    expect(await tree.alive()).toBe(false);
    const before = await called();
    tree.signal("SIGKILL");
    expect(await called()).toBe(before);
  });

  it("[A27] is never looked for in the working folder, nor is what ends it", async () => {
    // Beside these two a system would find the programs that a stranger's project may hold.
    vi.stubEnv("PATH", `${folder}${delimiter}${process.env.PATH}`);
    const { child, message } = await startServer("stubborn", {
      platform: "win32",
      delays: { inputMs: 10, termMs: 10, killMs: 10 },
    });
    await message("notifications/ready");
    const before = await called();
    expect(await child.stop()).toMatchObject({ gone: false });
    expect(await called()).toBe(before);
    process.kill(child.pid, "SIGKILL");
    await child.exited;
    const command = { command: "npx", cwd: folder, env: { PATH: "" }, platform: "win32" } as const;
    await expect(startServer("echo", command)).rejects.toMatchObject({ code: "COMMAND_NOT_FOUND" });
  });

  it.each(["\n", "\r"])("[A27] gets no argument with a line break, %j", async (lineBreak) => {
    const args = ["-e", `first${lineBreak}& calc`];
    await expect(startServer("echo", { args, platform: "win32" })).rejects.toMatchObject({
      code: "ARGUMENT_INVALID",
    });
  });
});

it("[A27] on Windows a command shim is run by cmd.exe with its arguments quoted, and a program directly", () => {
  const crossSpawn = createRequire(import.meta.url).resolve("cross-spawn");
  const script = `
    Object.defineProperty(process, "platform", { value: "win32" });
    Object.assign(process.env, { comspec: "cmd.exe", PATHEXT: ".exe;.cmd" });
    const { _parse } = require(${JSON.stringify(crossSpawn)});
    const options = { env: { PATH: ${JSON.stringify(folder)} }, shell: false };
    const parsed = ["npx", "node"].map((command) => _parse(command, ["-y", "a b", "x&y"], options));
    console.log(JSON.stringify(parsed.map(({ command, args }) => [command, ...args])));
  `;
  const printed = execFileSync(process.execPath, ["-e", script], { encoding: "utf8" });
  expect(JSON.parse(printed)).toEqual([
    ["cmd.exe", "/d", "/s", "/c", '"npx ^"-y^" ^"a^ b^" ^"x^&y^""'],
    ["node", "-y", "a b", "x&y"],
  ]);
});
