import { execFile } from "node:child_process";
import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { promisify } from "node:util";

/** A process, told apart from a later one with the same pid. */
export interface Owner {
  readonly pid: number;
  /** What {@link startOfProcess} says of it. */
  readonly start: string;
  /** Where its pid means something. */
  readonly place: string;
}

/** The process that calls. */
export async function currentOwner(): Promise<Owner> {
  const { pid } = process;
  return { pid, start: (await startOfProcess(pid)) ?? "", place: await currentPlace() };
}

/**
 * Whether an owner has certainly ended. False while it lives, and false when that cannot be known from here: its
 * place is another, or its pid lives and the system tells no start times.
 */
export async function ownerHasEnded(owner: Owner): Promise<boolean> {
  if (owner.place !== (await currentPlace())) return false;
  const start = await startOfProcess(owner.pid);
  if (start === undefined) return true;
  return start !== "" && owner.start !== "" && start !== owner.start;
}

/**
 * When a process started, as a text that is only good for comparing. `undefined` when no such process runs (a zombie
 * does not), empty when the system does not tell. On Linux it is the boot id and field 22 of
 * `/proc/PID/stat`, whose ticks count from boot; elsewhere what `ps` prints as `lstart`.
 */
export async function startOfProcess(
  pid: number,
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
  if (!exists(pid)) return undefined;
  try {
    return await (platform === "linux" ? startInProc(pid) : startInPs(pid));
  } catch {
    // It has ended since, or there is no /proc or ps to ask: what cannot be known must not look dead.
    return exists(pid) ? "" : undefined;
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Only ESRCH says that there is none; EPERM says that it is someone else's.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

async function startInProc(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // Field 2 is the command in parentheses, and may hold spaces and parentheses: count from behind the last one.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (state === "Z" || state === "X") return undefined;
  const ticks = fields[22 - 4];
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
  return `${boot.trim()}/${ticks}`;
}

async function startInPs(pid: number): Promise<string | undefined> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "stat=,lstart=", "-p", String(pid)], {
    env: { PATH: "/bin:/usr/bin", LC_ALL: "C", TZ: "UTC" },
  });
  const [state = "", ...start] = stdout.trim().split(/\s+/);
  return state.startsWith("Z") ? undefined : start.join(" ");
}

/** On Linux the host and the pid namespace, which a container and its host do not share though they may share /tmp. */
async function currentPlace(): Promise<string> {
  if (process.platform !== "linux") return process.platform;
  try {
    return `${hostname()}/${await readlink("/proc/self/ns/pid")}`;
  } catch {
    // A Linux without /proc.
    return hostname();
  }
}
