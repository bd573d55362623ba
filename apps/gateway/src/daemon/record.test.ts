import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { currentOwner } from "@core/bounds";
import { createTempFolder } from "test-fixtures";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isRunning, keepRecord, readRecord, statePath } from "./record.ts";

let folder: ReturnType<typeof createTempFolder>;
let path: string;
beforeEach(() => {
  folder = createTempFolder();
  path = statePath(join(folder.path, "state"), "daemon", "/etc/gateway.yaml");
});
afterEach(() => folder[Symbol.asyncDispose]());

const RECORD = {
  pid: 7,
  start: "then",
  program: "1.0.0",
  listeners: ["http://127.0.0.1:1"],
  tokenFile: "/t",
};
const keep = (more: object = {}, onFault: (reason: string) => void = vi.fn()) =>
  keepRecord(path, { ...RECORD, ...more }, onFault);

describe("keepRecord", () => {
  it("[G28] writes one private file for each configuration, and removes it", () => {
    expect(statePath("/s", "daemon", "/a")).not.toBe(statePath("/s", "daemon", "/b"));
    const record = keep();
    expect(readRecord(path)).toMatchObject({ version: 1, ...RECORD });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    record.remove();
    expect(readdirSync(dirname(path))).toEqual([]);
    expect(readRecord(path)).toBeUndefined();
  });

  it("[G28] is the same on Windows for a path in letters of either case, and nowhere else", () => {
    const same = (platform: NodeJS.Platform) =>
      statePath("/s", "daemon", "C:\\A", platform) === statePath("/s", "daemon", "c:\\a", platform);
    expect([same("win32"), same("linux"), same("darwin")]).toEqual([true, false, false]);
  });

  it("[G28] notes how each reload ended", () => {
    const record = keep();
    record.noteReload({ error: "faulty" });
    expect(readRecord(path)).toMatchObject({ tokenFile: "/t", lastReload: { error: "faulty" } });
    record.noteReload({ listeners: RECORD.listeners, tokenFile: undefined });
    expect(readRecord(path)?.lastReload?.error).toBeUndefined();
    expect(readRecord(path)?.tokenFile).toBeUndefined();
  });

  it("[G28] leaves the record of another daemon", () => {
    const record = keep();
    keep({ pid: 8 });
    record.remove();
    expect(readRecord(path)?.pid).toBe(8);
  });

  it("says so if the file cannot be written, and goes on", () => {
    writeFileSync(join(folder.path, "state"), "");
    const onFault = vi.fn();
    const record = keep({}, onFault);
    expect(onFault).toHaveBeenCalledWith(expect.stringContaining("cannot write"));
    writeFileSync(join(folder.path, "other"), "");
    record.noteReload({ error: "x" });
    expect(onFault).toHaveBeenCalledTimes(2);
  });
});

describe("isRunning", () => {
  it("[G28] tells a daemon from a later process with its id, and from none", async () => {
    const { pid, start } = await currentOwner();
    expect(await isRunning({ ...RECORD, pid, start })).toBe(true);
    expect(await isRunning({ ...RECORD, pid, start: "" })).toBe(true);
    expect(await isRunning({ ...RECORD, pid })).toBe(false);
    expect(await isRunning({ ...RECORD, pid: 2 ** 22 + 1, start })).toBe(false);
  });
});

describe("readRecord", () => {
  it.each([
    ["{", /damaged/],
    ["7", /damaged/],
    ['{"version":1}', /damaged/],
    [JSON.stringify({ ...RECORD, version: 2 }), /a newer wraptool wrote it/],
  ])("[G26] refuses %s", (text, reason) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    expect(() => readRecord(path)).toThrow(reason);
    expect(readFileSync(path, "utf8")).toBe(text);
  });
});
