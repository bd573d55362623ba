import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { replaceFile, replaceFileSync } from "./replace.ts";

/** A system that refuses so many times, with what was asked of it. */
function createSystem(refusals: number, code = "EPERM") {
  const waits: number[] = [];
  let attempts = 0;
  const rename = () => {
    attempts++;
    if (attempts <= refusals) throw Object.assign(new Error(code), { code });
  };
  const wait = (ms: number) => void waits.push(ms);
  return { waits, attempts: () => attempts, rename, wait };
}

type System = ReturnType<typeof createSystem>;

const doors = {
  replaceFile: ({ rename, wait }: System, platform: NodeJS.Platform) =>
    replaceFile("a", "b", {
      platform,
      rename: async () => rename(),
      wait: async (ms) => wait(ms),
    }),
  replaceFileSync: async ({ rename, wait }: System, platform: NodeJS.Platform) =>
    replaceFileSync("a", "b", { platform, rename, wait }),
};

describe.each(Object.entries(doors))("%s", (_name, replace) => {
  it.each(["EPERM", "EACCES", "EBUSY"])(
    "[B3] waits on Windows for a file that another program holds (%s)",
    async (code) => {
      const system = createSystem(2, code);
      await replace(system, "win32");
      expect(system.waits).toEqual([10, 20]);
    },
  );

  it.each([
    [6, true],
    [7, false],
  ])("[B3] after %i refusals on Windows succeeds: %s", async (refusals, succeeds) => {
    const system = createSystem(refusals);
    const done = replace(system, "win32").then(
      () => true,
      ({ code }) => code !== "EPERM",
    );
    expect(await done).toBe(succeeds);
    expect(system.attempts()).toBe(7);
  });

  it("[B3] does not wait for what waiting does not mend, nor on other systems", async () => {
    const full = createSystem(1, "ENOSPC");
    await expect(replace(full, "win32")).rejects.toMatchObject({ code: "ENOSPC" });
    const elsewhere = createSystem(1);
    await expect(replace(elsewhere, "darwin")).rejects.toMatchObject({ code: "EPERM" });
    expect([full.attempts(), elsewhere.attempts()]).toEqual([1, 1]);
  });
});

it("[B3] replaces a file on the disk, waiting or sleeping", async () => {
  const folder = await mkdtemp(join(tmpdir(), "replace-"));
  const [fresh, file] = [join(folder, "fresh"), join(folder, "file")];
  await writeFile(file, "old");
  await writeFile(fresh, "new");
  await replaceFile(fresh, file);
  expect(await readFile(file, "utf8")).toBe("new");
  await writeFile(fresh, "newer");
  let refusals = 1;
  replaceFileSync(fresh, file, {
    platform: "win32",
    rename() {
      if (refusals-- > 0) throw Object.assign(new Error("EBUSY"), { code: "EBUSY" });
    },
  });
  replaceFileSync(fresh, file);
  expect(await readFile(file, "utf8")).toBe("newer");
  await rm(folder, { recursive: true });
});
