import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readClientFile } from "./file.ts";
import { removeClientFile, writeClientFile } from "./write.ts";

const isPosix = process.platform !== "win32";
const isRoot = process.getuid?.() === 0;

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "clients-"));
  path = join(folder, "mcp.json");
});
afterEach(() => rm(folder, { recursive: true }));

const modeOf = async (file: string) => (await stat(file)).mode & 0o7777;
const refusal = (code: string) => expect.objectContaining({ code, place: { file: path } });

async function write(text: string, options?: { holdsSecret?: boolean }) {
  return writeClientFile(await readClientFile(path), text, options);
}

describe("a file that is there", () => {
  beforeEach(() => writeFile(path, "old", { mode: 0o644 }));

  it("[G22] is replaced whole, and nothing is left beside it", async () => {
    const { ino } = await stat(path);
    expect(await write("new")).toEqual({ isWritten: true, madeFile: false, madeFolder: undefined });
    expect(await readFile(path, "utf8")).toBe("new");
    expect((await stat(path)).ino).not.toBe(ino);
    expect(await readdir(folder)).toEqual(["mcp.json"]);
  });

  it("[G22] is replaced on Windows once the program that holds it lets go", async () => {
    const waits: number[] = [];
    const replacing = {
      platform: "win32",
      wait: async (ms: number) => void waits.push(ms),
      async rename(from: string, to: string) {
        if (waits.length < 2) throw Object.assign(new Error("EBUSY"), { code: "EBUSY" });
        await rename(from, to);
      },
    } as const;
    await writeClientFile(await readClientFile(path), "new", { replacing });
    expect(await readFile(path, "utf8")).toBe("new");
    expect(waits).toHaveLength(2);
  });

  it("[G22] is left alone on Windows if it changes while it is waited for", async () => {
    const replacing = {
      platform: "win32",
      wait: () => writeFile(path, "theirs"),
      async rename() {
        throw Object.assign(new Error("EPERM"), { code: "EPERM" });
      },
    } as const;
    const writing = writeClientFile(await readClientFile(path), "new", { replacing });
    await expect(writing).rejects.toEqual(refusal("CHANGED"));
    expect(await readFile(path, "utf8")).toBe("theirs");
    expect(await readdir(folder)).toEqual(["mcp.json"]);
  });

  it.runIf(isPosix)("[G22] keeps its mode, also when the text holds a secret", async () => {
    for (const mode of [0o640, 0o600, 0o664]) {
      await chmod(path, mode);
      await write(`new ${mode}`, { holdsSecret: true });
      expect(await modeOf(path)).toBe(mode);
    }
  });

  it.runIf(isPosix)("[G22] keeps its owner, also when root writes another's file", async () => {
    if (isRoot) await chown(path, 4321, 4322);
    await chmod(path, 0o660);
    const before = await stat(path);
    await write("new");
    const after = await stat(path);
    expect([after.uid, after.gid, after.mode]).toEqual([before.uid, before.gid, before.mode]);
  });

  it("[G22] is not touched, bytes or times, where the text is the same", async () => {
    await utimes(path, 1, 2);
    const before = await stat(path, { bigint: true });
    expect(await write("old")).toEqual({
      isWritten: false,
      madeFile: false,
      madeFolder: undefined,
    });
    const after = await stat(path, { bigint: true });
    expect([after.mtimeNs, after.ctimeNs, after.ino]).toEqual([
      before.mtimeNs,
      before.ctimeNs,
      before.ino,
    ]);
  });

  it("[G22] behind a link is written there, and the link stays", async () => {
    await mkdir(join(folder, "dotfiles"));
    await rename(path, join(folder, "dotfiles/real.json"));
    await symlink(join("dotfiles", "real.json"), path);
    await write("new");
    expect(await readlink(path)).toBe(join("dotfiles", "real.json"));
    expect(await readFile(join(folder, "dotfiles/real.json"), "utf8")).toBe("new");
  });

  it("[G22] is refused when it is read-only, also to root", async () => {
    await chmod(path, 0o444);
    await expect(write("new")).rejects.toThrow(refusal("READ_ONLY"));
    expect(await readFile(path, "utf8")).toBe("old");
  });

  it.runIf(isPosix)(
    "[G22] is refused in a folder that may not be written, unless to root",
    async () => {
      await chmod(folder, 0o555);
      const attempt = await write("new").catch((error: unknown) => error);
      await chmod(folder, 0o755);
      expect(attempt).toMatchObject(isRoot ? { isWritten: true } : { code: "READ_ONLY" });
    },
  );

  it.each([
    ["written in place", () => writeFile(path, "else")],
    ["written in place with the same size", () => writeFile(path, "OLD")],
    ["written with the same bytes", () => writeFile(path, "old")],
    ["removed", () => rm(path)],
    ["given another mode", () => chmod(path, 0o600)],
    [
      "replaced by a rename",
      async () => {
        await writeFile(join(folder, "new.json"), "else");
        await rename(join(folder, "new.json"), path);
      },
    ],
    [
      "replaced by a link",
      async () => {
        await rename(path, join(folder, "moved.json"));
        await symlink("moved.json", path);
      },
    ],
    [
      "replaced by a folder",
      async () => {
        await rm(path);
        await mkdir(path);
      },
    ],
  ])(
    "[G22] is refused when it was %s since it was read, and nothing is lost",
    async (_, change) => {
      const state = await readClientFile(path);
      await change();
      const others = await readdir(folder);
      const before = await lstat(path).catch(() => undefined);
      await expect(writeClientFile(state, "new")).rejects.toThrow(refusal("CHANGED"));
      await expect(removeClientFile(state)).rejects.toThrow();
      expect(await readdir(folder)).toEqual(others);
      expect((await lstat(path).catch(() => undefined))?.ino).toBe(before?.ino);
    },
  );

  it("[G22] is removed when it is as it was read", async () => {
    await removeClientFile(await readClientFile(path));
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("a new file", () => {
  it.runIf(isPosix)(
    "[G22] has mode 0600 if it holds a secret, and so have its folders 0700",
    async () => {
      path = join(folder, "a/b/mcp.json");
      const written = await write("new", { holdsSecret: true });
      expect(written).toEqual({ isWritten: true, madeFile: true, madeFolder: join(folder, "a") });
      const modes = [path, join(folder, "a"), join(folder, "a/b")].map(modeOf);
      expect(await Promise.all(modes)).toEqual([0o600, 0o700, 0o700]);
    },
  );

  it.runIf(isPosix)("[G22] has the mode that the umask leaves if it holds none", async () => {
    await write("new");
    await writeFile(join(folder, "plain"), "");
    expect(await modeOf(path)).toBe(await modeOf(join(folder, "plain")));
  });

  it("[G22] may be empty of text, and is a file all the same", async () => {
    expect(await write("")).toMatchObject({ isWritten: true, madeFile: true });
    expect(await readdir(folder)).toEqual(["mcp.json"]);
  });

  it("[G22] behind a link that led nowhere is made there, and the link stays", async () => {
    await symlink(join("sub", "real.json"), path);
    await write("new");
    expect(await readlink(path)).toBe(join("sub", "real.json"));
    expect(await readFile(join(folder, "sub/real.json"), "utf8")).toBe("new");
  });

  it("[G22] that cannot be made leaves no folder behind that was made for it", async () => {
    path = join(folder, "a/b", "n".repeat(250));
    await expect(write("new")).rejects.toThrow(refusal("WRITE_FAILED"));
    expect(await readdir(folder)).toEqual([]);
  });

  it("[G22] is refused when another program made it in the meantime", async () => {
    const state = await readClientFile(path);
    await writeFile(path, "else");
    await expect(writeClientFile(state, "new")).rejects.toThrow(refusal("CHANGED"));
    expect(await readFile(path, "utf8")).toBe("else");
    expect(await readdir(folder)).toEqual(["mcp.json"]);
  });

  it("[G22] where a file stands in the place of a folder is a failed write", async () => {
    await writeFile(path, "file");
    const below = {
      path: join(path, "x"),
      target: join(path, "x"),
      text: undefined,
      stamp: undefined,
    };
    await expect(writeClientFile(below, "new")).rejects.toThrow(
      expect.objectContaining({ code: "WRITE_FAILED" }),
    );
  });

  it("[G22] goes with the folders that were made for it, but not with one that others use", async () => {
    for (const isUsed of [false, true]) {
      path = join(folder, "a/b/mcp.json");
      const { madeFolder } = await write("new");
      if (isUsed) await writeFile(join(folder, "a/other"), "");
      await removeClientFile(await readClientFile(path), { madeFolder });
      expect(await readdir(folder)).toEqual(isUsed ? ["a"] : []);
    }
    expect(await readdir(join(folder, "a"))).toEqual(["other"]);
  });
});

it("[G22] of many writers that read the same file one succeeds, and the others are told", async () => {
  await writeFile(path, "0");
  const state = await readClientFile(path);
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, (_, index) => writeClientFile(state, `${index + 1}`)),
  );
  const winners = results.filter(({ status }) => status === "fulfilled");
  expect(winners.length).toBeGreaterThan(0);
  for (const result of results)
    if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "CHANGED" });
  expect(await readdir(folder)).toEqual(["mcp.json"]);
});
