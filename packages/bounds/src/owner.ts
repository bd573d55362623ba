import { execFile } from "node:child_process";
import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { promisify } from "node:util";

/** A process that outlives a reuse of its pid: two processes with the same three fields are the same process. */
export interface Owner {
  readonly pid: number;
  /** When it started, in whatever notation the system has; empty where the system does not tell. */
  readonly start: string;
  /** Where the pid means something: the host and, on Linux, the pid namespace. */
  readonly place: string;
}

/** The owner record of the process that calls. */
export async function currentOwner(): Promise<Owner> {
  const { pid } = process;
  return { pid, start: (await startOfProcess(pid)) ?? "", place: await currentPlace() };
}

/**
 * Whether an owner has certainly ended. False when it lives, and false when that cannot be known from here: another
 * host, another pid namespace, or a pid that lives on a system that tells no start time.
 */
export async function hasEnded(owner: Owner): Promise<boolean> {
  if (owner.place !== (await currentPlace())) return false;
  const start = await startOfProcess(owner.pid);
  if (start === undefined) return true;
  return start !== "" && owner.start !== "" && start !== owner.start;
}

/**
 * When a process started, as a text that is only good for comparing; `undefined` when there is no such process, and
 * empty when the system does not tell. On Linux the boot id and field 22 of `/proc/PID/stat`, since ticks
 * since boot mean nothing after the next boot; elsewhere `ps -o lstart=`.
 */
export async function startOfProcess(pid: number): Promise<string | undefined> {
  if (!exists(pid)) return undefined;
  return process.platform === "linux" ? startInProc(pid) : startInPs(pid);
}

function exists(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives and belongs to someone else.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function startInProc(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    // The command (field 2) is in parentheses and may hold spaces and parentheses itself: count from the last one.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, ticks] = [fields[0], fields[19]];
    if (state === "Z" || state === "X") return undefined;
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
    return `${boot.trim()}/${ticks}`;
  } catch {
    // Gone since, or no /proc here: what cannot be known must not look dead.
    return exists(pid) ? "" : undefined;
  }
}

async function startInPs(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)], {
      env: { PATH: "/bin:/usr/bin", LC_ALL: "C", TZ: "UTC" },
    });
    return stdout.trim();
  } catch {
    // No ps (Windows), or gone since: what cannot be known must not look dead.
    return exists(pid) ? "" : undefined;
  }
}

async function currentPlace(): Promise<string> {
  try {
    return `${hostname()}/${await readlink("/proc/self/ns/pid")}`;
  } catch {
    // Only Linux has pid namespaces.
    return hostname();
  }
}
