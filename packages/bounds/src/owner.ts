import { execFile } from "node:child_process";
import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { promisify } from "node:util";

/** How long a program may take to tell when a process started; PowerShell alone takes half a second to start. */
const ASK_WAIT_MS = 10_000;

/** A process, told apart from a later one with the same pid. */
export interface Owner {
  readonly pid: number;
  /** What {@link startOfProcess} says of it. */
  readonly start: string;
  /** Where its pid means something. */
  readonly place: string;
}

/** How the system is asked about a process. The real system is the default; all of it can be another's. */
export interface Asking {
  readonly platform?: NodeJS.Platform | undefined;
  /** Runs a program in a small environment and gives what it prints; rejects if it cannot or fails. */
  readonly run?: RunProgram | undefined;
}

type RunProgram = (
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
) => Promise<string>;

/** The process that calls. */
export async function currentOwner(asking: Asking = {}): Promise<Owner> {
  const { pid } = process;
  return { pid, start: (await startOfProcess(pid, asking)) ?? "", place: await placeOf(asking) };
}

/**
 * Whether an owner has certainly ended. False while it lives, and false when that cannot be known from here: its
 * place is another, or its pid lives and the system tells no start times.
 */
export async function ownerHasEnded(owner: Owner, asking: Asking = {}): Promise<boolean> {
  if (owner.place !== (await placeOf(asking))) return false;
  const start = await startOfProcess(owner.pid, asking);
  if (start === undefined) return true;
  return start !== "" && owner.start !== "" && start !== owner.start;
}

/**
 * When a process started, as a text that is only good for comparing. `undefined` when no such process runs (a zombie
 * does not), empty when the system does not tell. On Linux it is the boot id and field 22 of
 * `/proc/PID/stat`, whose ticks count from boot; on Windows the ticks that PowerShell tells; elsewhere what `ps` prints as
 * `lstart`.
 */
export async function startOfProcess(
  pid: number,
  { platform = process.platform, run = runProgram }: Asking = {},
): Promise<string | undefined> {
  if (!exists(pid)) return undefined;
  try {
    if (platform === "linux") return await startInProc(pid);
    return await (platform === "win32" ? startInPowerShell(pid, run) : startInPs(pid, run));
  } catch {
    // It has ended since, or there is nothing to ask: what cannot be known must not look dead.
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

async function startInPs(pid: number, run: RunProgram): Promise<string | undefined> {
  const env = { PATH: "/bin:/usr/bin", LC_ALL: "C", TZ: "UTC" };
  const printed = await run("ps", ["-o", "stat=,lstart=", "-p", String(pid)], env);
  const [state = "", ...start] = printed.trim().split(/\s+/);
  return state.startsWith("Z") ? undefined : start.join(" ");
}

/** Of a process of somebody else PowerShell tells nothing, and its complaint is no time. */
async function startInPowerShell(pid: number, run: RunProgram): Promise<string> {
  const { SystemRoot = "C:\\Windows" } = process.env;
  const question = `(Get-Process -Id ${pid}).StartTime.ToUniversalTime().Ticks`;
  // By its whole path: Windows looks for a bare name in the working folder first.
  const program = `${SystemRoot}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`;
  const args = ["-NoLogo", "-NoProfile", "-NonInteractive", "-Command", question];
  const printed = (await run(program, args, { SystemRoot })).trim();
  return /^\d+$/.test(printed) ? printed : "";
}

const runProgram: RunProgram = async (file, args, env) => {
  const { stdout } = await promisify(execFile)(file, args, {
    env,
    timeout: ASK_WAIT_MS,
    windowsHide: true,
  });
  return stdout;
};

/**
 * On Linux the host and the pid namespace, which a container and its host do not share though they may share /tmp; on
 * Windows the host, which a container has a name of its own for. Other systems have one namespace.
 */
async function placeOf({ platform = process.platform }: Asking): Promise<string> {
  if (platform === "win32") return `${platform}/${hostname()}`;
  if (platform !== "linux") return platform;
  try {
    return `${hostname()}/${await readlink("/proc/self/ns/pid")}`;
  } catch {
    // A Linux without /proc.
    return hostname();
  }
}
