import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createScrubber } from "@core/config";
import { build } from "tsup";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { isRunning, type Started, serverPath, startServer } from "../test/started.ts";
import type { ChildOptions } from "./child.ts";
import type { Oversize } from "./oversize.ts";

const SHORT = { inputMs: 100, termMs: 100, killMs: 5_000 };
/** Long enough that a busy machine does not climb a rung by mistake. */
const PATIENT = { inputMs: 10_000, termMs: 10_000, killMs: 10_000 };

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "wire-child-")));
});
afterAll(() => rm(folder, { recursive: true }));

const started: Started[] = [];
afterEach(async () => {
  for (const { child } of started.splice(0)) {
    child.kill();
    expect(await child.stop()).toMatchObject({ gone: true });
    expect(isRunning(child.pid)).toBe(false);
  }
});

async function start(name: string, options: Partial<ChildOptions> = {}): Promise<Started> {
  const server = await startServer(name, { delays: SHORT, ...options });
  started.push(server);
  return server;
}

describe("startChild", () => {
  it("[W8] carries lines both ways and reports exit code 0 after the end of input", async () => {
    const { child, messages } = await start("echo", { delays: PATIENT });
    await child.send('{"jsonrpc":"2.0","id":0,"method":"tools/list"}');
    expect(await child.stop()).toEqual({ code: 0, signal: null, by: "input", gone: true });
    expect(messages).toMatchObject([{ id: 0, result: { tools: [{ name: "echo" }] } }]);
  });

  it("[W8] sends JSON that is spread over lines as one line", async () => {
    const { child, messages } = await start("echo", { delays: PATIENT });
    const pretty = '{\n "jsonrpc": "2.0",\r\n "id": 1,\n "method": "tools/list"\r}';
    await child.send(Buffer.from(pretty));
    await child.send(pretty);
    await child.stop();
    expect(messages.map(({ id }) => id)).toEqual([1, 1]);
  });

  it("[W8] gives the child the named directory and environment, and nothing else", async () => {
    const { child, message } = await start("echo", {
      args: [
        "-e",
        'console.log(JSON.stringify({ method: "place", cwd: process.cwd(), env: process.env }))',
      ],
      cwd: folder,
      env: { ONLY: "this" },
    });
    const { cwd, env } = await message("place");
    expect(cwd).toBe(folder);
    expect(Object.keys(env as object).filter((name) => !name.startsWith("__CF"))).toEqual(["ONLY"]);
    expect(await child.exited).toEqual({ code: 0, signal: null });
  });

  it("[W8] reports the exit code, and the redacted stderr that explains it", async () => {
    const { child } = await start("dies", {
      scrubber: createScrubber([{ name: "TOKEN", value: "canary-secret-value" }]),
    });
    await child.send("{}");
    expect(await child.exited).toEqual({ code: 7, signal: null });
    expect(child.stderrTail()).toBe("fatal: token is [redacted]");
  });

  it("[W8] reports the signal that ended a child", async () => {
    const { child, message } = await start("heedless");
    await message("notifications/ready");
    child.kill();
    expect(await child.exited).toEqual({ code: null, signal: "SIGKILL" });
  });

  it("[W8] drains a child that shouts on stderr, and keeps the end", async () => {
    const { child, message } = await start("shouts");
    await message("notifications/ready");
    await child.stop();
    expect(child.stderrTail()).toMatch(/complaint \nthe last word$/);
    expect(Buffer.byteLength(child.stderrTail())).toBeLessThanOrEqual(2048);
  });

  it("[W8] skips and counts what is no message, and tolerates a byte order mark", async () => {
    const noise: string[] = [];
    const { child, messages, message } = await start("noisy", {
      onNoise: (line) => void noise.push(line.toString()),
    });
    await message("notifications/last");
    expect(messages.map(({ method }) => method)).toEqual([
      "notifications/first",
      undefined,
      "notifications/last",
    ]);
    expect(noise).toEqual(["Server listening …", "[INFO] started", '{"broken']);
    expect(child.noise).toBe(3);
  });

  it("[W8] drops a message over the cap alone", async () => {
    const oversize: Oversize[] = [];
    const ask = (bytes: number) =>
      JSON.stringify({ jsonrpc: "2.0", id: bytes, method: "id-first", params: { bytes } });
    const frame = Buffer.byteLength(
      JSON.stringify({ jsonrpc: "2.0", id: 10_000, result: { text: "" } }),
    );
    const { child, messages } = await start("big", {
      maxMessageBytes: frame + 10_000,
      onOversize: (report) => void oversize.push(report),
      delays: PATIENT,
    });
    for (const bytes of [9_999, 10_000, 10_001, 10]) await child.send(ask(bytes));
    await child.stop();
    expect(messages.map(({ id }) => id)).toEqual([9_999, 10_000, 10]);
    expect(oversize.map(({ bytes }) => bytes)).toEqual([frame + 10_001]);
  });

  it.each([
    ["is not there", { command: "/no/such/command" }, "COMMAND_NOT_FOUND"],
    [
      "is not on the child's own PATH",
      { command: "node", env: { PATH: "/nowhere" } },
      "COMMAND_NOT_FOUND",
    ],
    ["is a directory", { command: tmpdir() }, "COMMAND_NOT_EXECUTABLE"],
    ["has an argument with a NUL", { args: ["a\0b"] }, "ARGUMENT_INVALID"],
    ["has no such working directory", { cwd: "/no/such/folder" }, "FOLDER_MISSING"],
    ["has a file for a working directory", { cwd: process.execPath }, "FOLDER_MISSING"],
  ])("[W8] a command that %s is a typed error", async (_, options, code) => {
    await expect(startServer("echo", options)).rejects.toMatchObject({
      name: "ChildStartError",
      code,
      message: expect.stringMatching(/^The server did not start: [^/]+\.$/),
    });
  });

  it("[W8] a command without the executable bit is a typed error", async () => {
    const command = join(folder, "plain-file");
    await writeFile(command, "#!/bin/sh\n");
    await chmod(command, 0o600);
    await expect(startServer("echo", { command })).rejects.toMatchObject({
      code: "COMMAND_NOT_EXECUTABLE",
      command,
    });
  });
});

describe("send", () => {
  const MEGABYTES = `"${"x".repeat(4 * 1024 * 1024)}"`;

  it("[W8] settles when the child dies under back-pressure", async () => {
    const { child, message } = await start("deaf");
    await message("notifications/ready");
    const sends = [child.send(MEGABYTES), child.send(Buffer.from("{}"))];
    child.kill();
    const settled = await Promise.allSettled(sends);
    expect(settled).toMatchObject([
      { status: "rejected", reason: { code: "CHILD_GONE" } },
      { status: "rejected", reason: { code: "CHILD_GONE" } },
    ]);
  });

  it.skipIf(process.platform === "win32")(
    "[W8] settles at the exit, also when a grandchild holds the stdin and never reads it",
    async () => {
      const { child, message } = await start("deaf", {
        command: "sh",
        args: [
          "-c",
          `exec 3<&0; "$0" "$1" <&3 & read line; exit 3`,
          process.execPath,
          serverPath("deaf"),
        ],
        delays: PATIENT,
      });
      await message("notifications/ready");
      const sends = Promise.allSettled([child.send("go"), child.send(MEGABYTES)]);
      expect(await child.exited).toEqual({ code: 3, signal: null });
      expect(await sends).toMatchObject([
        { status: "fulfilled" },
        { status: "rejected", reason: { code: "CHILD_GONE" } },
      ]);
    },
  );

  it("[W8] rejects, and crashes nobody, when the child has closed its stdin", async () => {
    const { child, message } = await start("closes-stdin");
    await message("notifications/ready");
    await expect(child.send(MEGABYTES)).rejects.toMatchObject({ code: "CHILD_GONE" });
    await expect(child.send("{}")).rejects.toMatchObject({ code: "CHILD_GONE" });
    expect(isRunning(child.pid)).toBe(true);
  });

  it("[W8] keeps the order of lines while it gathers those of a turn, and hands over the last before the end", async () => {
    const { child, messages } = await start("echo", { delays: PATIENT });
    const ids = Array.from({ length: 200 }, (_, id) => id);
    const ask = (id: number) => {
      const request = JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list" });
      return child.send(id % 2 === 0 ? request : Buffer.from(request));
    };
    // What comes back in one piece makes it gather; the last lines are sent in the turn in which the end begins.
    await Promise.all(ids.slice(0, 100).map(ask));
    await vi.waitFor(() => expect(messages).toHaveLength(100));
    const sent = Promise.all(ids.slice(100).map(ask));
    await child.stop();
    await sent;
    expect(messages.map(({ id }) => id)).toEqual(ids);
  });

  it("[W8] rejects after stop has begun and after the exit", async () => {
    const { child } = await start("echo");
    const stopped = child.stop();
    await expect(child.send("{}")).rejects.toMatchObject({ code: "CHILD_GONE" });
    await stopped;
    await expect(child.send("{}")).rejects.toMatchObject({ code: "CHILD_GONE" });
  });
});

describe.skipIf(process.platform === "win32")("stop", () => {
  it("[W8] climbs to SIGTERM for a server that ignores the end of input", async () => {
    const { child, message } = await start("heedless", { delays: { ...PATIENT, inputMs: 100 } });
    await message("notifications/ready");
    expect(await child.stop()).toEqual({ code: null, signal: "SIGTERM", by: "term", gone: true });
  });

  it("[W8] climbs to SIGKILL for one that ignores both, having tried both", async () => {
    const { child, messages, message } = await start("stubborn", {
      delays: { inputMs: 1_000, termMs: 1_000, killMs: 10_000 },
    });
    await message("notifications/ready");
    expect(await child.stop()).toEqual({ code: null, signal: "SIGKILL", by: "kill", gone: true });
    expect(messages.map(({ method }) => method).slice(1)).toEqual([
      "notifications/end",
      "notifications/term",
    ]);
  });

  it("[W8] is run once for all callers", async () => {
    const { child, message } = await start("heedless");
    await message("notifications/ready");
    const first = child.stop();
    expect(child.stop()).toBe(first);
    await first;
    expect(child.stop()).toBe(first);
  });

  it("[W8] ends the server behind a shell that waits for it", async () => {
    const { child, message } = await start("stubborn", {
      command: "sh",
      args: ["-c", `"$0" "$1" & wait`, process.execPath, serverPath("tells-pid")],
    });
    const { params } = await message("notifications/pid");
    const { pid } = params as { pid: number };
    expect(isRunning(pid)).toBe(true);
    expect(pid).not.toBe(child.pid);
    expect(await child.stop()).toMatchObject({ gone: true });
    expect(isRunning(pid)).toBe(false);
  });

  it("[W8] a grandchild that holds the pipes delays no exit notice, and is ended unasked", async () => {
    const delays = { inputMs: 500, termMs: 500, killMs: 10_000 };
    const { child, message } = await start("leaves-grandchild", { delays });
    const { params } = await message("notifications/grandchild");
    const { pid } = params as { pid: number };
    await message("notifications/ready");
    await child.send("go");
    expect(await child.exited).toEqual({ code: 3, signal: null });
    expect(isRunning(pid)).toBe(true);
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 10_000 });
    expect(await child.stop()).toMatchObject({ code: 3, by: "kill", gone: true });
  });

  it("[W8] is what disposing of a child does", async () => {
    const server = await start("heedless");
    await server.message("notifications/ready");
    {
      await using child = server.child;
      expect(isRunning(child.pid)).toBe(true);
    }
    expect(isRunning(server.child.pid)).toBe(false);
  });
});

describe("the death of the parent", () => {
  it("[W8] is the end of input for the server, which ends by itself", async () => {
    await build({
      entry: [fileURLToPath(new URL("../test/parent.ts", import.meta.url))],
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
    const parent = spawn(process.execPath, [join(folder, "parent.mjs"), serverPath("echo")]);
    const [printed] = await once(parent.stdout, "data");
    const pid = Number(printed);
    expect(isRunning(pid)).toBe(true);
    parent.kill("SIGKILL");
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 10_000 });
  });
});
