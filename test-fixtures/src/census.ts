import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What a running process holds, as Linux tells it. */
export interface Census {
  /** Processes that it has started and not ended. */
  readonly children: readonly number[];
  readonly descriptors: number;
  readonly threads: number;
  readonly residentMb: number;
}

/** Counts what a process holds. Linux only. */
export function takeCensus(pid: number): Census {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const field = (name: string) => Number(status.match(new RegExp(`^${name}:\\s+(\\d+)`, "m"))?.[1]);
  const ofThreads = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" "),
  );
  return {
    children: ofThreads.filter((text) => text.trim() !== "").map(Number),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: field("Threads"),
    residentMb: (field("VmRSS") * 1024) / 1e6,
  };
}

/** The processes, of whatever parent, whose environment holds this variable with this value. Linux only. */
export function processesWith(name: string, value: string): number[] {
  const holds = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "latin1")
        .split("\0")
        .includes(`${name}=${value}`);
    } catch {
      return false; // it has ended meanwhile, or is another user's
    }
  };
  return readdirSync("/proc").map(Number).filter(Number.isSafeInteger).filter(holds);
}

/** The files in a folder and in those below it, as paths from it. */
export function filesIn(folder: string, within = ""): string[] {
  return readdirSync(join(folder, within), { withFileTypes: true }).flatMap((entry) => {
    const path = join(within, entry.name);
    return entry.isDirectory() ? filesIn(folder, path) : [path];
  });
}
