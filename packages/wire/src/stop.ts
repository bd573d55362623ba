import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";

/** Milliseconds that each rung of the ladder waits before the next one. */
export interface StopDelays {
  /** After the end of input. */
  readonly inputMs: number;
  /** After SIGTERM. */
  readonly termMs: number;
  /** After SIGKILL, until the ladder gives up on seeing the group gone. */
  readonly killMs: number;
}

/** End of input 2 s, SIGTERM 2 s (the MCP stdio shutdown order), SIGKILL 1 s to verify: 5 s at the most. */
export const STOP_DELAYS: StopDelays = Object.freeze({
  inputMs: 2_000,
  termMs: 2_000,
  killMs: 1_000,
});

/** The rung that ended the group, and whether the group was seen gone. */
export interface StopOutcome {
  readonly by: "input" | "term" | "kill";
  readonly gone: boolean;
}

/** All processes that one child stands for: a process group on POSIX, a process tree on Windows. */
export interface ProcessGroup {
  /** Sends the signal to every member; a group that is gone already is no error. */
  signal(name: "SIGTERM" | "SIGKILL"): void;
  alive(): Promise<boolean>;
}

/** The system whose processes are signalled; this one if missing. */
export interface Signalling {
  readonly platform?: NodeJS.Platform | undefined;
  readonly kill?: ((target: number, signal: NodeJS.Signals | 0) => unknown) | undefined;
}

/** Whether a signal to `target` (0 asks without sending) found a process that may be signalled. */
function sendSignal(
  target: number,
  signal: NodeJS.Signals | 0,
  { platform = process.platform, kill = process.kill }: Signalling = {},
): boolean {
  try {
    kill(target, signal);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ESRCH") return false;
    // macOS answers EPERM for a group of nothing but zombies; elsewhere EPERM means that a member is not ours.
    if (code === "EPERM") return platform !== "darwin";
    throw error;
  }
}

/** Whether /proc shows a member of the group that is not merely waiting to be reaped. Without /proc all members count. */
async function hasRunningMember(pgid: number): Promise<boolean> {
  const entries = await readdir("/proc").catch(() => undefined);
  if (!entries) return true;
  const members = await Promise.all(
    entries.filter((name) => /^\d+$/.test(name)).map((pid) => isRunningMember(pid, pgid)),
  );
  return members.includes(true);
}

async function isRunningMember(pid: string, pgid: number): Promise<boolean> {
  let stat: string;
  try {
    stat = await readFile(`/proc/${pid}/stat`, "latin1");
  } catch {
    // The process ended between the listing and the reading.
    return false;
  }
  // The command name stands in brackets and may itself hold blanks and brackets.
  const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(group) === pgid && state !== "Z" && state !== "X";
}

/**
 * The POSIX process group whose leader is `pgid`. Zombies do not count as alive: an orphan's zombie stays for ever where
 * process 1 does not reap, and it holds nothing.
 */
export function posixGroup(pgid: number, system: Signalling = {}): ProcessGroup {
  // process.kill(-1) and process.kill(0) would reach every process of the user, or our own group.
  if (!Number.isSafeInteger(pgid) || pgid <= 1) throw new RangeError("A process group id is > 1.");
  let gone = false;
  return {
    signal(name) {
      // A group once seen gone is never signalled again: its number may belong to somebody else by now.
      if (!gone) gone = !sendSignal(-pgid, name, system);
    },
    async alive() {
      if (gone) return false;
      if (!sendSignal(-pgid, 0, system)) gone = true;
      else if ((system.platform ?? process.platform) === "linux") {
        // Twice: a member that forks and ends while /proc is read hides its child from the first look.
        gone = !(await hasRunningMember(pgid)) && !(await hasRunningMember(pgid));
      }
      return !gone;
    },
  };
}

/** By its whole path: Windows looks for a bare name in the working folder first, which may be a stranger's project. */
function systemTaskkill({ SystemRoot = "C:\\Windows" } = process.env): string {
  return `${SystemRoot}\\System32\\taskkill.exe`;
}

/** The Windows process tree under `pid`. There is no polite signal, so SIGTERM does nothing and SIGKILL is taskkill /T /F. */
export function windowsTree(pid: number, taskkill = systemTaskkill()): ProcessGroup {
  let gone = false;
  return {
    signal(name) {
      if (gone || name !== "SIGKILL") return;
      const killer = spawn(taskkill, ["/pid", String(pid), "/T", "/F"], {
        stdio: "ignore",
        windowsHide: true,
      });
      // Without taskkill the ladder ends unverified, which its outcome says.
      killer.on("error", () => {});
    },
    async alive() {
      gone ||= !sendSignal(pid, 0);
      return !gone;
    },
  };
}

const POLL_MS = { first: 5, last: 50 };

/** Waits up to `ms` for the group to end. `hint` settles when its leader does, so that the usual case needs no polling. */
async function goneWithin(group: ProcessGroup, hint: Promise<unknown>, ms: number) {
  const deadline = performance.now() + ms;
  await settledWithin(hint, ms);
  for (let wait = POLL_MS.first; await group.alive(); wait = Math.min(wait * 2, POLL_MS.last)) {
    const left = deadline - performance.now();
    if (left <= 0) return false;
    await settledWithin(undefined, Math.min(wait, left));
  }
  return true;
}

/** Waits for the promise, at most `ms`; without a promise just waits. */
export async function settledWithin(promise: Promise<unknown> | undefined, ms: number) {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([timeout, ...(promise ? [promise] : [])]);
  clearTimeout(timer);
}

/**
 * Ends a whole process group: end of input, then SIGTERM, then SIGKILL, each only if the group still lives after the rung
 * before it. Never throws; `gone: false` says that even SIGKILL was not seen to work in time.
 *
 * `leaderEnded` settles when the group's leader has exited. Without `endInput` (a group found after our own restart) the
 * ladder begins with SIGTERM.
 */
export async function stopGroup(
  group: ProcessGroup,
  {
    endInput,
    leaderEnded = Promise.resolve(),
    delays = STOP_DELAYS,
  }: { endInput?: () => void; leaderEnded?: Promise<unknown>; delays?: StopDelays },
): Promise<StopOutcome> {
  if (endInput) {
    endInput();
    if (await goneWithin(group, leaderEnded, delays.inputMs)) return { by: "input", gone: true };
  }
  group.signal("SIGTERM");
  if (await goneWithin(group, leaderEnded, delays.termMs)) return { by: "term", gone: true };
  group.signal("SIGKILL");
  return { by: "kill", gone: await goneWithin(group, leaderEnded, delays.killMs) };
}
