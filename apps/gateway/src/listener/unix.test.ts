import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { createTempFolder } from "test-fixtures";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MAX_SOCKET_PATH_BYTES } from "../limits.ts";
import type { Listener } from "./listener.ts";
import { listenUnix } from "./unix.ts";

let folder: ReturnType<typeof createTempFolder>;
const open: Listener[] = [];
beforeEach(() => {
  folder = createTempFolder();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.close()));
  await folder[Symbol.asyncDispose]();
});

const pathOf = (name = "s") => join(folder.path, "run", name);
async function listen(path = pathOf(), says = "hello") {
  const listener = await listenUnix(path, {
    maxConnections: 10,
    refusals: { add() {} },
    handle: (_request, response) => void response.end(says),
  });
  open.push(listener);
  return listener;
}

const ask = (socketPath: string) =>
  new Promise<string>((resolve, reject) => {
    const sent = request({ socketPath }, (response) => {
      response.setEncoding("utf8").on("data", resolve);
    });
    sent.on("error", reject).end();
  });

/** Leaves a socket behind, as a process does that is killed. */
function leaveStale(path: string) {
  mkdirSync(join(folder.path, "run"), { mode: 0o700, recursive: true });
  const script =
    "require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 9))";
  spawnSync(process.execPath, ["-e", script, path]);
  expect(lstatSync(path).isSocket()).toBe(true);
}

describe("listenUnix", () => {
  it("[G7] makes a private folder and a socket of mode 0600, and removes the socket at the end", async () => {
    const mask = process.umask(0);
    try {
      const listener = await listen();
      expect(statSync(pathOf()).mode & 0o777).toBe(0o600);
      expect(statSync(join(folder.path, "run")).mode & 0o777).toBe(0o700);
      expect(process.umask()).toBe(0);
      expect(await ask(pathOf())).toBe("hello");
      await listener.close();
      expect(readdirSync(join(folder.path, "run"))).toEqual([]);
    } finally {
      process.umask(mask);
    }
  });

  it("[G7] refuses a folder that others may enter", async () => {
    mkdirSync(join(folder.path, "run"));
    chmodSync(join(folder.path, "run"), 0o750);
    await expect(listen()).rejects.toMatchObject({
      code: "CANNOT_LISTEN",
      message: expect.stringContaining("its folder must be yours alone"),
    });
  });

  it("[G7] replaces a stale socket", async () => {
    leaveStale(pathOf());
    await listen();
    expect(await ask(pathOf())).toBe("hello");
  });

  it("[G7] leaves a live socket as it is, and to whom it belongs", async () => {
    await listen();
    await expect(listen()).rejects.toMatchObject({ code: "ADDRESS_IN_USE" });
    expect(await ask(pathOf())).toBe("hello");
    expect(readdirSync(join(folder.path, "run"))).toEqual(["s"]);
  });

  it("[G7] gives a path that several want at once to one of them", async () => {
    leaveStale(pathOf());
    const all = await Promise.allSettled(
      ["a", "b", "c", "d"].map((says) => listen(pathOf(), says)),
    );
    const won = all.findIndex(({ status }) => status === "fulfilled");
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await ask(pathOf())).toBe(["a", "b", "c", "d"][won]);
  });

  it.each([
    ["a file", (path: string) => writeFileSync(path, "mine")],
    ["a folder", (path: string) => mkdirSync(path)],
    ["a link to a file", (path: string) => symlinkSync("/etc/hostname", path)],
    ["a dangling link", (path: string) => symlinkSync("/nowhere", path)],
  ])("[G7] leaves %s at the path alone and refuses it", async (_name, make) => {
    mkdirSync(join(folder.path, "run"), { mode: 0o700 });
    make(pathOf());
    const before = lstatSync(pathOf());
    await expect(listen()).rejects.toMatchObject({
      code: "CANNOT_LISTEN",
      message: expect.stringContaining("something that is no socket stands there"),
    });
    expect(lstatSync(pathOf()).ino).toBe(before.ino);
  });

  it("[G7] serves as well where sockets cannot be linked, and still replaces nothing", async () => {
    const options = { maxConnections: 1, refusals: { add() {} } };
    const handle = (_request: unknown, response: { end(text: string): unknown }) =>
      void response.end("hello");
    const noLinks = async (before = () => {}) => {
      before();
      throw Object.assign(new Error("ENOTSUP"), { code: "ENOTSUP" });
    };
    const listener = await listenUnix(pathOf(), { ...options, handle }, () => noLinks());
    expect(await ask(pathOf())).toBe("hello");
    expect(statSync(pathOf()).mode & 0o777).toBe(0o600);
    await listener.close();
    expect(readdirSync(join(folder.path, "run"))).toEqual([]);
    const late = () => noLinks(() => writeFileSync(pathOf(), "theirs"));
    await expect(listenUnix(pathOf(), { ...options, handle }, late)).rejects.toMatchObject({
      code: "ADDRESS_IN_USE",
    });
    expect(readdirSync(join(folder.path, "run"))).toEqual(["s"]);
  });

  it("[G7] leaves a link to a stale socket alone too", async () => {
    leaveStale(pathOf("stale"));
    symlinkSync(pathOf("stale"), pathOf());
    await expect(listen()).rejects.toMatchObject({ code: "CANNOT_LISTEN" });
    expect(lstatSync(pathOf()).isSymbolicLink() && existsSync(pathOf("stale"))).toBe(true);
  });

  it("[G7] removes at the end only what it made itself", async () => {
    const first = await listen();
    renameSync(pathOf(), pathOf("moved"));
    const second = await listen(pathOf(), "second");
    await first.close();
    expect(await ask(pathOf())).toBe("second");
    await second.close();
    expect(existsSync(pathOf())).toBe(false);
  });

  it("refuses a path that is too long for the system", async () => {
    const long = join(folder.path, "x".repeat(MAX_SOCKET_PATH_BYTES));
    await expect(listen(long)).rejects.toMatchObject({ code: "CANNOT_LISTEN" });
  });
});
