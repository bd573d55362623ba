import { randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { createTempFolder } from "test-fixtures";
import { expect, it, vi } from "vitest";
import { windowsPipe } from "../config/socket.ts";
import { knock, openReloadDoor, type ReloadDoor } from "./reload-door.ts";

const kill = vi.fn();

/** A door of Windows' kind, over a socket of this system. */
async function withPipe(
  act: (door: ReloadDoor, asks: () => number, faults: string[]) => Promise<void>,
  place?: string,
) {
  await using folder = createTempFolder();
  const onAsk = vi.fn();
  const faults: string[] = [];
  const signals = new EventEmitter();
  const door = await openReloadDoor({
    platform: "win32",
    signals: signals as never,
    pipePath: (name) => join(place ?? folder.path, name.slice(0, 20)),
    randomBytes,
    onAsk,
    onFault: (reason) => faults.push(reason),
  });
  try {
    expect(signals.eventNames()).toEqual([]);
    await act(door, () => onAsk.mock.calls.length, faults);
  } finally {
    door.close();
  }
}

it("[G1] asks by SIGHUP where there are signals", async () => {
  const signals = new EventEmitter();
  const onAsk = vi.fn();
  const unused = () => expect.unreachable("no pipe is opened");
  const door = await openReloadDoor({
    platform: "linux",
    signals: signals as never,
    pipePath: unused,
    randomBytes: unused,
    onAsk,
    onFault: unused,
  });
  expect(door.pipe).toBeUndefined();
  await knock({ pid: 7 }, { platform: "linux", kill: (pid, name) => signals.emit(name, pid) });
  expect(onAsk).toHaveBeenCalledTimes(1);
  door.close();
  signals.emit("SIGHUP");
  expect(onAsk).toHaveBeenCalledTimes(1);
});

it("[G1] asks by a pipe on Windows, and sends no signal there", async () => {
  await withPipe(async ({ pipe }, asks) => {
    await knock({ pid: 7, pipe }, { platform: "win32", kill });
    expect([asks(), kill.mock.calls]).toEqual([1, []]);
    await knock({ pid: 7, pipe }, { platform: "win32", kill });
    expect(asks()).toBe(2);
  });
});

it("[G1] opens the pipe only to who can read the record", async () => {
  await withPipe(async ({ pipe }, asks) => {
    const path = pipe?.path ?? "";
    const key = pipe?.key ?? "";
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    const wrong = ["", key.slice(1), `${key}0`, key.replace(/./g, "0"), "x".repeat(100_000)];
    for (const said of wrong)
      await new Promise<void>((resolve) => {
        const socket = connect(path);
        socket.on("error", () => {});
        socket.on("close", () => resolve());
        socket.end(said);
        socket.resume();
      });
    expect(asks()).toBe(0);
  });
});

it("[G1] says so if there can be no pipe, and fails who asks all the same", async () => {
  await withPipe(async ({ pipe }, asks, faults) => {
    expect([pipe, faults]).toEqual([
      undefined,
      [expect.stringMatching(/will not reach this daemon \(E\w+\)/)],
    ]);
    const asking = knock({ pid: 7, pipe }, { platform: "win32", kill });
    await expect(asking).rejects.toThrow("no pipe");
    expect(asks()).toBe(0);
  }, "/no/such/folder");
  await expect(
    knock({ pid: 7, pipe: { path: "/no/such/pipe", key: "" } }, { platform: "win32", kill }),
  ).rejects.toThrow("ENOENT");
});

it("[G1] names pipes as Windows does", () => {
  expect(windowsPipe("wraptool-1")).toBe("\\\\.\\pipe\\wraptool-1");
});
