import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type ProcessGroup, posixGroup, stopGroup } from "./stop.ts";

const SHORT = { inputMs: 20, termMs: 20, killMs: 20 };

/** A group that ends at one rung, with a record of what was done to it. */
function groupEndingAt(rung: "input" | "SIGTERM" | "SIGKILL" | "never") {
  const done: string[] = [];
  const group: ProcessGroup = {
    signal: (name) => void done.push(name),
    alive: async () => !done.includes(rung),
  };
  return { group, done, endInput: () => void done.push("input") };
}

describe("stopGroup", () => {
  it.each([
    ["input", "input", ["input"]],
    ["SIGTERM", "term", ["input", "SIGTERM"]],
    ["SIGKILL", "kill", ["input", "SIGTERM", "SIGKILL"]],
  ] as const)("[W8] ends a group at %s and goes no rung further", async (rung, by, steps) => {
    const { group, done, endInput } = groupEndingAt(rung);
    expect(await stopGroup(group, { endInput, delays: SHORT })).toEqual({ by, gone: true });
    expect(done).toEqual(steps);
  });

  it("[W8] says so when not even SIGKILL was seen to work", async () => {
    const { group, endInput } = groupEndingAt("never");
    expect(await stopGroup(group, { endInput, delays: SHORT })).toEqual({
      by: "kill",
      gone: false,
    });
  });

  it("[W8] waits for the rest of the group after its leader has ended", async () => {
    const { group, done, endInput } = groupEndingAt("SIGTERM");
    const leaderEnded = Promise.resolve();
    expect((await stopGroup(group, { endInput, leaderEnded, delays: SHORT })).by).toBe("term");
    expect(done).toEqual(["input", "SIGTERM"]);
  });

  it("[W8] begins with SIGTERM where there is no input to end", async () => {
    const { group, done } = groupEndingAt("SIGTERM");
    expect(await stopGroup(group, { delays: SHORT })).toEqual({ by: "term", gone: true });
    expect(done).toEqual(["SIGTERM"]);
  });
});

describe.skipIf(process.platform === "win32")("posixGroup", () => {
  const ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0)) end();
    vi.restoreAllMocks();
  });

  it.each([
    ["darwin", false],
    ["freebsd", true],
  ] as const)(
    "[W8] on %s takes a group that may not be signalled for alive: %s",
    async (platform, alive) => {
      const kill = () => {
        throw Object.assign(new Error("EPERM"), { code: "EPERM" });
      };
      expect(await posixGroup(4711, { platform, kill }).alive()).toBe(alive);
    },
  );

  it.each([0, 1, -1, 1.5, Number.NaN])("[W8] refuses %s, which would signal others", (pgid) => {
    expect(() => posixGroup(pgid)).toThrow(RangeError);
  });

  it("[W8] never signals a group again that it has seen gone", async () => {
    const child = spawn(process.execPath, ["-e", ""], { detached: true, stdio: "ignore" });
    await once(child, "exit");
    const group = posixGroup(child.pid!);
    expect(await group.alive()).toBe(false);
    const kill = vi.spyOn(process, "kill");
    group.signal("SIGTERM");
    expect(await group.alive()).toBe(false);
    expect(kill).not.toHaveBeenCalled();
  });

  it.skipIf(process.platform !== "linux")("[W8] does not count zombies as alive", async () => {
    // A process that starts a group with one member, which ends at once, and never reaps it.
    const script = [
      "import os, sys",
      "r, w = os.pipe()",
      "pid = os.fork()",
      "if pid == 0: os.setpgid(0, 0); os._exit(0)",
      "os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)",
      "print(pid, flush=True)",
      "sys.stdin.read()",
    ].join("\n");
    const parent = spawn("python3", ["-c", script], { stdio: ["pipe", "pipe", "inherit"] });
    ends.push(() => parent.kill("SIGKILL"));
    const [printed] = await once(parent.stdout, "data");
    const pgid = Number(printed);
    expect(process.kill(-pgid, 0)).toBe(true);
    expect(await posixGroup(pgid).alive()).toBe(false);
  });
});
