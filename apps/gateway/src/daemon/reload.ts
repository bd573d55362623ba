import { setTimeout as after } from "node:timers/promises";
import { CommandError } from "@core/terminal";
import { RELOAD_POLL_MS, RELOAD_WAIT_MS } from "../limits.ts";
import { type DaemonRecord, isRunning, readRecord } from "./record.ts";
import { type Knocking, knock } from "./reload-door.ts";

/** Has the daemon of this record reload, and waits for the outcome. Rejects with CommandError if it fails. */
export async function askReload(
  path: string,
  by: Knocking = { platform: process.platform, kill: process.kill },
): Promise<DaemonRecord> {
  const before = readRecord(path);
  // A signal to another process that has got the number since would end it.
  if (before === undefined || !(await isRunning(before)))
    throw new CommandError("NOT_RUNNING", "no daemon runs with this configuration", {
      hint: "Start one: wraptool serve",
    });
  await knock(before, by).catch((cause: unknown) => {
    throw new CommandError("NO_ANSWER", `Process ${before.pid} cannot be asked to reload`, {
      hint: "Stop it and start it again",
      cause,
    });
  });
  const deadline = performance.now() + RELOAD_WAIT_MS;
  while (performance.now() < deadline) {
    await after(RELOAD_POLL_MS);
    const record = readRecord(path);
    if (record === undefined) break;
    if (isSame(record.lastReload, before.lastReload)) continue;
    const error = record.lastReload?.error;
    if (error === undefined) return record;
    throw new CommandError("RELOAD_FAILED", error, {
      hint: "The daemon goes on with the configuration that it had",
    });
  }
  throw new CommandError("RELOAD_UNKNOWN", "the daemon has not told how the reload ended", {
    hint: "Its log says more: the lines that wraptool serve prints",
  });
}

type Outcome = DaemonRecord["lastReload"];

function isSame(a: Outcome, b: Outcome): boolean {
  return a?.at === b?.at;
}
