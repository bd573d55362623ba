import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { currentOwner, startOfProcess } from "./owner.ts";
import { createSpillStore } from "./spill.ts";
import { sweepSpills } from "./sweep.ts";

const isPosix = process.platform !== "win32";
const app = "demo";
let parent: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "bounds-test-"));
});

afterEach(() => {
  rmSync(parent, { recursive: true, force: true });
});

const ended = async () => true;

/** A folder as a store leaves it when its process is killed. */
async function leaveFolder(name = app): Promise<string> {
  const store = createSpillStore({ app: name, quotaBytes: 1_000, parent });
  await store.write("one", "txt");
  const { path } = await store.write("two", "bin");
  return dirname(path);
}

describe("whose folders go", () => {
  it("[B3] a killed process's folder goes; a living one's stays", async () => {
    const child = spawn(process.execPath, ["-e", "console.log(1); setInterval(() => {}, 60_000)"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    await once(child.stdout, "data");
    const pid = child.pid!;
    const owner = { ...(await currentOwner()), pid, start: (await startOfProcess(pid))! };
    const store = createSpillStore({ app, quotaBytes: 10, parent, owner: async () => owner });
    const { path } = await store.write("x", "txt");

    expect(await sweepSpills({ app, parent })).toEqual([]);
    expect(existsSync(path)).toBe(true);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(await sweepSpills({ app, parent })).toEqual([basename(dirname(path))]);
    expect(readdirSync(parent)).toEqual([]);
  });

  it("[B3] a folder whose pid now belongs to a younger process goes", async () => {
    const owner = async () => ({ ...(await currentOwner()), start: "before" });
    const store = createSpillStore({ app, quotaBytes: 10, parent, owner });
    await store.write("x", "txt");
    expect(await sweepSpills({ app, parent })).toHaveLength(1);
  });

  it("[B3] our own folders stay", async () => {
    const folder = await leaveFolder();
    expect(await sweepSpills({ app, parent })).toEqual([]);
    expect(readdirSync(folder)).toHaveLength(3);
  });

  it("[B3] only folders of the app that asks go", async () => {
    const folders = [
      await leaveFolder("demo"),
      await leaveFolder("demo-two"),
      await leaveFolder("other"),
    ];
    expect(await sweepSpills({ app, parent, hasEnded: ended })).toEqual([basename(folders[0]!)]);
    expect(folders.map((folder) => existsSync(folder))).toEqual([false, true, true]);
  });

  it("[B3] a parent that is missing holds nothing to sweep", async () => {
    expect(await sweepSpills({ app, parent: join(parent, "missing") })).toEqual([]);
  });

  it("[B3] refuses an unfit app", async () => {
    await expect(sweepSpills({ app: "../x", parent })).rejects.toThrow(RangeError);
  });
});

describe("what is never touched", () => {
  const spare = "0123456789abcdef";

  async function expectUntouched(folder: string): Promise<void> {
    const before = readdirSync(folder);
    expect(await sweepSpills({ app, parent, hasEnded: ended })).toEqual([]);
    expect(readdirSync(folder)).toEqual(before);
  }

  it.each([`${app}-`, `${app}-${spare}0`, `${app}-${spare.toUpperCase()}`, `x${app}-${spare}`])(
    "[B3] a folder called %s",
    async (name) => {
      const folder = join(parent, name);
      renameSync(await leaveFolder(), folder);
      await expectUntouched(folder);
    },
  );

  it.skipIf(!isPosix)("[B3] a symbolic link to a folder, and the folder", async () => {
    const target = join(parent, "target");
    renameSync(await leaveFolder(), target);
    symlinkSync(target, join(parent, `${app}-${spare}`));
    await expectUntouched(target);
    expect(readdirSync(parent)).toHaveLength(2);
  });

  it("[B3] a file of a folder's name", async () => {
    const file = join(parent, `${app}-${spare}`);
    writeFileSync(file, "{}");
    expect(await sweepSpills({ app, parent, hasEnded: ended })).toEqual([]);
    expect(existsSync(file)).toBe(true);
  });

  it.each(["notes.txt", ".hidden", `${"0".repeat(31)}.txt`, `${"0".repeat(32)}`])(
    "[B3] a folder that holds %s",
    async (name) => {
      const folder = await leaveFolder();
      writeFileSync(join(folder, name), "mine");
      await expectUntouched(folder);
    },
  );

  it("[B3] a folder that holds a folder", async () => {
    const folder = await leaveFolder();
    mkdirSync(join(folder, `${"0".repeat(32)}.txt`));
    await expectUntouched(folder);
  });

  it.skipIf(!isPosix)(
    "[B3] a folder that holds a symbolic link, and what it leads to",
    async () => {
      const folder = await leaveFolder();
      const outside = join(parent, "outside");
      writeFileSync(outside, "mine");
      symlinkSync(outside, join(folder, `${"0".repeat(32)}.txt`));
      await expectUntouched(folder);
      expect(existsSync(outside)).toBe(true);
    },
  );

  it.skipIf(!isPosix)("[B3] a folder whose record is a symbolic link", async () => {
    const folder = await leaveFolder();
    const record = join(folder, "owner.json");
    renameSync(record, join(parent, "owner.json"));
    symlinkSync(join(parent, "owner.json"), record);
    await expectUntouched(folder);
  });

  it.skipIf(!isPosix)("[B3] a folder that others may enter", async () => {
    const folder = await leaveFolder();
    chmodSync(folder, 0o755);
    await expectUntouched(folder);
  });

  it.skipIf(!isPosix)("[B3] a folder of another user", async () => {
    const folder = await leaveFolder();
    const uid = process.getuid!() + 1;
    expect(await sweepSpills({ app, parent, hasEnded: ended, uid })).toEqual([]);
    expect(readdirSync(folder)).toHaveLength(3);
  });

  it.each([
    "",
    "{",
    "null",
    "[]",
    '{"pid":1}',
    '{"pid":"1","start":"","place":""}',
    '{"pid":0,"start":"","place":""}',
    '{"pid":1.5,"start":"","place":""}',
    `{"pid":1,"start":"","place":"${"x".repeat(5_000)}"}`,
  ])("[B3] a folder whose record is %s", async (record) => {
    const folder = await leaveFolder();
    writeFileSync(join(folder, "owner.json"), record);
    await expectUntouched(folder);
  });

  it("[B3] a folder without a record, which its owner may be about to write", async () => {
    const folder = await leaveFolder();
    unlinkSync(join(folder, "owner.json"));
    await expectUntouched(folder);
  });
});

describe("races", () => {
  it("[B3] sweeps at the same time remove a folder once and fail never", async () => {
    for (let folders = 0; folders < 5; folders++) await leaveFolder();
    const sweeps = Array.from({ length: 8 }, () => sweepSpills({ app, parent, hasEnded: ended }));
    const removed = (await Promise.all(sweeps)).flat();
    expect(readdirSync(parent)).toEqual([]);
    expect(new Set(removed).size).toBe(removed.length);
  });

  it("[B3] a folder that vanishes while its owner is looked up is no error", async () => {
    const folder = await leaveFolder();
    const hasEnded = async () => {
      rmSync(folder, { recursive: true });
      return true;
    };
    expect(await sweepSpills({ app, parent, hasEnded })).toEqual([]);
  });

  it("[B3] a sweep that was interrupted is taken up by the next", async () => {
    const folder = await leaveFolder();
    for (const name of readdirSync(folder))
      if (name !== "owner.json") unlinkSync(join(folder, name));
    expect(await sweepSpills({ app, parent, hasEnded: ended })).toEqual([basename(folder)]);
  });
});
