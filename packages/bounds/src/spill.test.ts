import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LimitError } from "./limit.ts";
import { currentOwner } from "./owner.ts";
import { createSpillStore, type SpillOptions, type SpillStore } from "./spill.ts";
import { SpillError } from "./spill-error.ts";

const isPosix = process.platform !== "win32";
let parent: string;
let stores: SpillStore[];

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "bounds-test-"));
  stores = [];
});

afterEach(async () => {
  for (const store of stores) await store[Symbol.asyncDispose]();
  rmSync(parent, { recursive: true, force: true });
});

function createStore(options: Partial<SpillOptions> = {}): SpillStore {
  const store = createSpillStore({ app: "demo", quotaBytes: 1_000, parent, ...options });
  stores.push(store);
  return store;
}

const modeOf = (path: string) => lstatSync(path).mode & 0o777;

describe("keeping", () => {
  it("[B3] keeps texts as UTF-8 and bytes as they are, under random names", async () => {
    const store = createStore();
    const text = await store.write("h\u00e9llo\r\n\u{1f600}", "txt");
    const bytes = await store.write(Uint8Array.of(0, 255, 10), "bin");
    expect(text.name).toMatch(/^[0-9a-f]{32}\.txt$/);
    expect(bytes.name).toMatch(/^[0-9a-f]{32}\.bin$/);
    expect(text.bytes).toBe(12);
    expect(readFileSync(text.path, "utf8")).toBe("h\u00e9llo\r\n\u{1f600}");
    expect([...readFileSync(bytes.path)]).toEqual([0, 255, 10]);
    expect(store.usedBytes).toBe(15);
  });

  it("[B3] the folder is <parent>/<app>-<random> and tells its owner", async () => {
    const store = createStore();
    const { path, name } = await store.write("x", "txt");
    const [folder] = readdirSync(parent);
    expect(folder).toMatch(/^demo-[0-9a-f]{16}$/);
    expect(path).toBe(join(parent, folder!, name));
    expect(readdirSync(dirname(path)).toSorted()).toEqual([name, "owner.json"].toSorted());
    const record = JSON.parse(readFileSync(join(dirname(path), "owner.json"), "utf8"));
    expect(record).toEqual(await currentOwner());
  });

  it("[B3] a store that keeps nothing leaves no trace", async () => {
    const store = createStore();
    await store[Symbol.asyncDispose]();
    expect(readdirSync(parent)).toEqual([]);
  });

  it("[B3] writes at the same time share one folder", async () => {
    const store = createStore();
    const spills = await Promise.all(["a", "b", "c"].map((text) => store.write(text, "txt")));
    expect(new Set(spills.map(({ path }) => dirname(path))).size).toBe(1);
    expect(spills.map(({ path }) => readFileSync(path, "utf8"))).toEqual(["a", "b", "c"]);
  });

  it.each(["", ".txt", "TXT", "a/b", "..", "x".repeat(17), "t\n"])(
    "[B3] refuses the extension %j",
    async (extension) => {
      await expect(createStore().write("x", extension)).rejects.toThrow(RangeError);
    },
  );

  it.each(["", "Demo", "a/b", "..", "-a", "x".repeat(65)])("[B3] refuses the app %j", (app) => {
    expect(() => createStore({ app })).toThrow(RangeError);
  });

  it.skipIf(!isPosix).each([0o000, 0o022, 0o077, 0o777])(
    "[B3] the folder is 0700 and files are 0600 under umask %o",
    async (umask) => {
      // The mask belongs to the whole process, and tests of a file run one after the other in a process of their own.
      const before = process.umask(umask);
      try {
        const { path } = await createStore().write("secret", "txt");
        expect(modeOf(dirname(path))).toBe(0o700);
        expect(modeOf(path)).toBe(0o600);
        expect(modeOf(join(dirname(path), "owner.json"))).toBe(0o600);
      } finally {
        process.umask(before);
      }
    },
  );

  it("[B3] a file is private before anything is in it", async () => {
    let mode = -1;
    let size = -1;
    const store = createStore({
      async writeFile(file, data) {
        const stats = await file.stat();
        mode = stats.mode & 0o777;
        size = stats.size;
        await file.writeFile(data);
      },
    });
    await store.write("secret", "txt");
    expect(size).toBe(0);
    if (isPosix) expect(mode).toBe(0o600);
  });
});

describe("quota", () => {
  it.each([9, 10])("[B3] %d bytes fit into a quota of 10", async (length) => {
    const store = createStore({ quotaBytes: 10 });
    await store.write("x".repeat(length), "txt");
    expect(store.usedBytes).toBe(length);
  });

  it("[B3] [B4] a byte more is a limit error, and what was kept stays", async () => {
    const store = createStore({ quotaBytes: 10 });
    const kept = await store.write("12345678", "txt");
    await expect(store.write("\u00e9x", "txt")).rejects.toEqual(
      new LimitError("spillBytes", 10, 11),
    );
    expect((await store.read(kept.name)).toString()).toBe("12345678");
    expect(store.usedBytes).toBe(8);
    await store.write("90", "txt");
  });

  it("[B3] writes at the same time do not cross it together", async () => {
    const store = createStore({ quotaBytes: 10 });
    const outcomes = await Promise.allSettled(
      ["12345", "12345", "1"].map((text) => store.write(text, "txt")),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
    expect(store.usedBytes).toBe(10);
  });

  it("[B3] removing an output gives its part back", async () => {
    const store = createStore({ quotaBytes: 10 });
    const { name, path } = await store.write("1234567890", "txt");
    await store.remove(name);
    expect(existsSync(path)).toBe(false);
    expect(store.usedBytes).toBe(0);
    await store.write("1234567890", "txt");
    await expect(store.remove(name)).rejects.toMatchObject({ code: "SPILL_UNKNOWN" });
  });

  it("[B4] refuses an unfit quota", () => {
    expect(() => createStore({ quotaBytes: Number.NaN })).toThrow(RangeError);
  });
});

describe("a failing disk", () => {
  /** Writes part of an output and then fails as the system does. */
  const failAfterPart = (code: string) => async (file: FileHandle, data: string | Uint8Array) => {
    await file.writeFile(data.slice(0, 2));
    throw Object.assign(new Error(`${code}: ${parent}`), { code });
  };

  it.each(["ENOSPC", "EDQUOT"])("[B3] %s is a clear error that loses nothing", async (code) => {
    let isFull = false;
    const store = createStore({
      writeFile: (file, data) => (isFull ? failAfterPart(code)(file, data) : file.writeFile(data)),
    });
    const before = await store.write("kept before", "txt");
    isFull = true;
    const error = await store.write("lost", "txt").catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SpillError);
    expect(error).toMatchObject({
      code: "SPILL_DISK_FULL",
      message: "Cannot keep this output: the disk is full. What was kept before is intact.",
      cause: { code },
    });
    expect((await store.read(before.name)).toString()).toBe("kept before");
    expect(store.usedBytes).toBe(before.bytes);
    expect(readdirSync(dirname(before.path))).toHaveLength(2);
    isFull = false;
    const after = await store.write("kept after", "txt");
    expect((await store.read(after.name)).toString()).toBe("kept after");
  });

  it("[B3] any other failure is told without the path", async () => {
    const store = createStore({ writeFile: failAfterPart("EIO") });
    const error = await store.write("lost", "txt").catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "SPILL_FAILED" });
    expect((error as Error).message).not.toContain(parent);
  });

  it("[B3] a folder that cannot be made fails its write, and the next write tries again", async () => {
    const place = join(parent, "place");
    const store = createStore({ parent: place });
    await expect(store.write("x", "txt")).rejects.toMatchObject({ code: "SPILL_FAILED" });
    symlinkSync(parent, place);
    const { path } = await store.write("x", "txt");
    expect(readFileSync(path, "utf8")).toBe("x");
  });

  it("[B3] a folder whose owner cannot be recorded is not left behind", async () => {
    const owner = async () => {
      return {
        pid: 1,
        place: "",
        get start(): string {
          throw new Error("no start");
        },
      };
    };
    await expect(createStore({ owner }).write("x", "txt")).rejects.toMatchObject({
      code: "SPILL_FAILED",
    });
    expect(readdirSync(parent)).toEqual([]);
  });
});

describe("reading", () => {
  it.each([
    { start: 0, maxBytes: 10, text: "0123456789" },
    { start: 0, maxBytes: 11, text: "0123456789" },
    { start: 0, maxBytes: 9, text: "012345678" },
    { start: 4, maxBytes: 3, text: "456" },
    { start: 8, maxBytes: 3, text: "89" },
    { start: 10, maxBytes: 3, text: "" },
    { start: 11, maxBytes: 3, text: "" },
    { start: 3, maxBytes: 0, text: "" },
  ])("[B3] $maxBytes bytes from $start on are $text", async ({ start, maxBytes, text }) => {
    const store = createStore();
    const { name } = await store.write("0123456789", "txt");
    expect((await store.read(name, start, maxBytes)).toString()).toBe(text);
  });

  it("[B3] reads only what it keeps itself", async () => {
    const store = createStore();
    const { path } = await store.write("x", "txt");
    writeFileSync(join(dirname(path), `${"0".repeat(32)}.txt`), "foreign");
    for (const name of ["owner.json", "../secret", `${"0".repeat(32)}.txt`, path, ""])
      await expect(store.read(name)).rejects.toMatchObject({ code: "SPILL_UNKNOWN" });
  });

  it.skipIf(!isPosix)("[B3] follows no symbolic link that took a file's place", async () => {
    const store = createStore();
    const secret = join(parent, "secret");
    writeFileSync(secret, "secret");
    const { name, path } = await store.write("x", "txt");
    unlinkSync(path);
    symlinkSync(secret, path);
    await expect(store.read(name)).rejects.toMatchObject({ code: "SPILL_FAILED" });
  });

  it("[B3] refuses unfit ranges", async () => {
    const store = createStore();
    const { name } = await store.write("x", "txt");
    await expect(store.read(name, -1)).rejects.toThrow(RangeError);
    await expect(store.read(name, 0, Number.NaN)).rejects.toThrow(RangeError);
  });

  it("[B3] [P3] pages of any size add up to what was written", async () => {
    const store = createStore({ quotaBytes: Number.POSITIVE_INFINITY });
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        async (data, page) => {
          const { name } = await store.write(data, "bin");
          const pages: Buffer[] = [];
          for (let start = 0; start < data.length; start += page)
            pages.push(await store.read(name, start, page));
          expect(Buffer.concat(pages)).toEqual(Buffer.from(data));
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe("disposing", () => {
  it("[B3] removes the folder with everything in it, and can be done twice", async () => {
    const store = createStore();
    const { path } = await store.write("x", "txt");
    writeFileSync(join(dirname(path), "foreign"), "left by someone");
    await Promise.all([store[Symbol.asyncDispose](), store[Symbol.asyncDispose]()]);
    await store[Symbol.asyncDispose]();
    expect(readdirSync(parent)).toEqual([]);
    expect(store.usedBytes).toBe(0);
  });

  it("[B3] touches nothing outside of its folder", async () => {
    const outside = join(parent, "outside.txt");
    writeFileSync(outside, "mine");
    const store = createStore();
    const { path } = await store.write("x", "txt");
    if (isPosix) symlinkSync(parent, join(dirname(path), "link"));
    await store[Symbol.asyncDispose]();
    expect(readFileSync(outside, "utf8")).toBe("mine");
  });

  it("[B3] waits for a running write and leaves nothing of it", async () => {
    let proceed = () => {};
    const waiting = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    const store = createStore({
      async writeFile(file, data) {
        await waiting;
        await file.writeFile(data);
      },
    });
    const written = store.write("x", "txt");
    const disposed = store[Symbol.asyncDispose]();
    proceed();
    await Promise.all([written, disposed]);
    expect(readdirSync(parent)).toEqual([]);
  });

  it("[B3] a disposed store keeps, reads and removes nothing", async () => {
    const store = createStore();
    const { name } = await store.write("x", "txt");
    await store[Symbol.asyncDispose]();
    const closed = { code: "SPILL_CLOSED" };
    await expect(store.write("x", "txt")).rejects.toMatchObject(closed);
    await expect(store.read(name)).rejects.toMatchObject(closed);
    await expect(store.remove(name)).rejects.toMatchObject(closed);
    expect(readdirSync(parent)).toEqual([]);
  });

  it("[B3] a folder that cannot be removed is a clear error", async () => {
    const place = join(parent, "place");
    mkdirSync(place);
    const store = createSpillStore({ app: "demo", quotaBytes: 10, parent: place });
    await store.write("x", "txt");
    renameSync(place, join(parent, "moved"));
    writeFileSync(place, "no folder");
    await expect(store[Symbol.asyncDispose]()).rejects.toMatchObject({ code: "SPILL_FAILED" });
  });
});
