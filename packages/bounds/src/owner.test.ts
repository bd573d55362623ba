import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { currentOwner, type Owner, ownerHasEnded, startOfProcess } from "./owner.ts";

/** A process that lives until it is ended, and its end. */
async function startProcess(name = process.execPath) {
  const child = spawn(process.execPath, ["-e", "console.log(1); setInterval(() => {}, 60_000)"], {
    argv0: name,
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(child.stdout, "data");
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { pid: child.pid!, end };
}

const hasProc = process.platform === "linux";
const hasPs =
  process.platform !== "win32" && canRun("ps", ["-o", "lstart=", "-p", String(process.pid)]);

function canRun(command: string, args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    // Not installed, or of a kind that knows no start times.
    return false;
  }
}

describe("startOfProcess", () => {
  it("[B3] is the same for a process whenever it is asked", async () => {
    expect(await startOfProcess(process.pid)).toBe(await startOfProcess(process.pid));
  });

  it("[B3] is undefined once the process has ended", async () => {
    const { pid, end } = await startProcess();
    expect(await startOfProcess(pid)).toBeTypeOf("string");
    await end();
    expect(await startOfProcess(pid)).toBeUndefined();
  });

  it.skipIf(!hasProc)(
    "[B3] on Linux is the boot and field 22, whatever the command is called",
    async () => {
      const { pid, end } = await startProcess("a) S 1 (b");
      const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const ticks = stat.replace(/\(.*\)/s, "command").split(" ")[22 - 1];
      expect(await startOfProcess(pid)).toBe(`${boot}/${ticks}`);
      await end();
    },
  );

  it.skipIf(!hasProc)("[B3] a zombie has ended, by /proc and by ps", async () => {
    const zombie = await startZombie();
    expect(await startOfProcess(zombie.pid, { platform: "linux" })).toBeUndefined();
    if (hasPs) expect(await startOfProcess(zombie.pid, { platform: "darwin" })).toBeUndefined();
    await zombie.end();
  });

  it.skipIf(!hasPs)("[B3] elsewhere is what ps prints, in UTC", async () => {
    const start = await startOfProcess(process.pid, { platform: "darwin" });
    const started = Date.parse(`${start} UTC`);
    expect(Math.abs(started - (Date.now() - process.uptime() * 1_000))).toBeLessThan(60_000);
    expect(await startOfProcess(process.pid, { platform: "darwin" })).toBe(start);
  });
});

/** A Windows whose PowerShell prints this, and what it was asked. */
function createWindows(print: () => string) {
  const calls: string[][] = [];
  const run = async (file: string, args: readonly string[]) => {
    calls.push([file, ...args]);
    return print();
  };
  return { calls, asking: { platform: "win32", run } as const };
}

describe("startOfProcess on Windows", () => {
  it("[B3] is what PowerShell says, which is called by its whole path and without the user's profile", async () => {
    const { calls, asking } = createWindows(() => "638000000000000000\r\n");
    expect(await startOfProcess(process.pid, asking)).toBe("638000000000000000");
    expect(calls[0]?.[0]).toMatch(/^[A-Z]:\\.*\\powershell\.exe$/);
    expect(calls[0]).toContain("-NoProfile");
    expect(calls[0]?.at(-1)).toContain(`-Id ${process.pid})`);
  });

  it.each(["", "Get-Process : Access is denied", "1\r\n2"])(
    "[B3] is unknown where it prints %j",
    async (printed) => {
      const { asking } = createWindows(() => printed);
      expect(await startOfProcess(process.pid, asking)).toBe("");
    },
  );

  it("[B3] is unknown where there is no PowerShell, and nobody is asked of a process that is gone", async () => {
    const { calls, asking } = createWindows(() => {
      throw new Error("ENOENT");
    });
    expect(await startOfProcess(process.pid, asking)).toBe("");
    const { pid, end } = await startProcess();
    await end();
    expect(await startOfProcess(pid, asking)).toBeUndefined();
    expect(calls).toHaveLength(1);
  });
});

/** A process that was ended and that its parent, a shell that became `sleep`, does not wait for. */
async function startZombie() {
  const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = await once(parent.stdout, "data");
  const pid = Number(String(line));
  await until(() => readFileSync(`/proc/${parent.pid}/comm`, "utf8") === "sleep\n");
  process.kill(pid, "SIGKILL");
  await until(() => readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z "));
  const end = async () => {
    parent.kill("SIGKILL");
    await once(parent, "exit");
  };
  return { pid, end };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}

describe("ownerHasEnded", () => {
  it("[B3] the process that asks has not", async () => {
    const owner = await currentOwner();
    expect(owner.pid).toBe(process.pid);
    expect(await ownerHasEnded(owner)).toBe(false);
  });

  it("[B3] a process has when it is gone", async () => {
    const { pid, end } = await startProcess();
    const owner: Owner = { ...(await currentOwner()), pid, start: (await startOfProcess(pid))! };
    expect(await ownerHasEnded(owner)).toBe(false);
    await end();
    expect(await ownerHasEnded(owner)).toBe(true);
  });

  it("[B3] a process has when another lives under its pid", async () => {
    const owner = await currentOwner();
    expect(await ownerHasEnded({ ...owner, start: `${owner.start}0` })).toBe(true);
  });

  it("[B3] one whose start nobody knows has not while its pid lives", async () => {
    const owner = await currentOwner();
    expect(await ownerHasEnded({ ...owner, start: "" })).toBe(false);
  });

  it("[B3] one of another host or pid namespace cannot be known to have", async () => {
    const { pid, end } = await startProcess();
    await end();
    const owner: Owner = { pid, start: "1", place: "elsewhere/pid:[1]" };
    expect(await ownerHasEnded(owner)).toBe(false);
  });

  it("[B3] on Windows has by its start alone, and never where that is unknown or the host is another", async () => {
    const { asking } = createWindows(() => "638000000000000000");
    const owner = await currentOwner(asking);
    expect(owner.start).toBe("638000000000000000");
    expect(await ownerHasEnded(owner, asking)).toBe(false);
    expect(await ownerHasEnded({ ...owner, start: "637" }, asking)).toBe(true);
    expect(await ownerHasEnded({ ...owner, start: "" }, asking)).toBe(false);
    const unknown = createWindows(() => "").asking;
    expect(await ownerHasEnded({ ...owner, start: "637" }, unknown)).toBe(false);
    expect(await ownerHasEnded({ ...owner, start: "637", place: "win32/other" }, asking)).toBe(
      false,
    );
  });
});
