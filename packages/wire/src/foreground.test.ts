import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { build } from "tsup";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runForeground } from "./foreground.ts";

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "wire-foreground-")));
  await build({
    entry: [fileURLToPath(new URL("../test/in-front.ts", import.meta.url))],
    outDir: folder,
    format: ["esm"],
    outExtension: () => ({ js: ".mjs" }),
    noExternal: [/./],
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    config: false,
    silent: true,
  });
});
afterAll(() => rm(folder, { recursive: true }));

/** A program that runs this code in front, and says what becomes of it. */
function startInFront(code: string): ChildProcessWithoutNullStreams {
  const program = join(folder, "in-front.mjs");
  return spawn(process.execPath, [program, folder, process.execPath, "-e", code]);
}

const alone = { env: {}, onTerminal: false, signals: new EventEmitter() };
const node = (code: string) => ({ command: process.execPath, args: ["-e", code] });

describe("runForeground", () => {
  it.each([0, 1, 125])("[W8] tells the exit code %i", async (code) => {
    const ended = runForeground({ ...alone, ...node(`process.exit(${code})`) });
    expect(await ended).toEqual({ code, signal: null });
  });

  it("[W8] gives the child our own streams, and exactly the named environment and folder", async () => {
    const program = startInFront(
      "process.stdin.on('data', (t) => console.log(`${t} ${process.cwd()}`)); console.error(process.env.ONLY, process.env.HOME)",
    );
    program.stdin.end("heard in");
    const printed = Promise.all([text(program.stdout), text(program.stderr)]);
    expect(await once(program, "exit")).toEqual([0, null]);
    expect(await printed).toEqual([`heard in ${folder}\n`, "this undefined\n"]);
  });

  it.each(["SIGTERM", "SIGHUP", "SIGINT"] as const)(
    "[W8] passes %s on, and waits for what the child makes of it",
    async (signal) => {
      const program = startInFront(
        `process.on("${signal}", () => process.exit(7)); setInterval(() => {}, 1000); console.log("ready")`,
      );
      await once(program.stdout, "data");
      program.kill(signal);
      expect(await once(program, "exit")).toEqual([7, null]);
    },
  );

  it("[W8] leaves an interrupt to the terminal, which gives it to the child as well", async () => {
    const signals = new EventEmitter();
    const ended = runForeground({
      ...alone,
      ...node("process.exit(3)"),
      onTerminal: true,
      signals,
    });
    // Before the child could take it: sent on, it would end it.
    expect(signals.emit("SIGINT", "SIGINT")).toBe(true);
    expect(await ended).toEqual({ code: 3, signal: null });
  });

  it("[W8] tells the signal that ended the child, and hears no more signals then", async () => {
    const signals = new EventEmitter();
    const ended = runForeground({ ...alone, ...node("setInterval(() => {}, 1000)"), signals });
    signals.emit("SIGTERM", "SIGTERM");
    expect(await ended).toEqual({ code: null, signal: "SIGTERM" });
    expect(signals.eventNames()).toEqual([]);
  });

  it("[W8] on Windows does not send a SIGHUP, which cannot be sent there, and finds no program outside of the PATH", async () => {
    const signals = new EventEmitter();
    const windows = { ...alone, signals, platform: "win32" } as const;
    const ended = runForeground({ ...windows, ...node("process.exit(5)") });
    expect(signals.emit("SIGHUP", "SIGHUP")).toBe(true);
    expect(await ended).toEqual({ code: 5, signal: null });
    const missing = { command: "node", env: { PATH: "" } };
    await expect(runForeground({ ...windows, ...missing })).rejects.toMatchObject({
      code: "ENOENT",
    });
  });

  it.each([
    ["no-such-command", "ENOENT"],
    ["a\0b", "ERR_INVALID_ARG_VALUE"],
  ])("[W8] rejects for %j with the system's error", async (command, code) => {
    const signals = new EventEmitter();
    await expect(runForeground({ ...alone, command, signals })).rejects.toMatchObject({ code });
    expect(signals.eventNames()).toEqual([]);
  });
});
