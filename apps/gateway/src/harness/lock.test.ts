import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTempFolder } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { LOCK_STALE_MS } from "../limits.ts";
import { withLock } from "./lock.ts";

describe("withLock", () => {
  it("[G22] lets runs read and write one after another", async () => {
    await using place = createTempFolder();
    const file = join(place.path, "state", "count");
    const add = () =>
      withLock(file, async () => {
        const count = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
        await new Promise((resolve) => setImmediate(resolve));
        writeFileSync(file, String(count + 1));
      });
    await Promise.all(Array.from({ length: 20 }, add));
    expect(readFileSync(file, "utf8")).toBe("20");
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  it("[G22] gives the lock back when the work fails", async () => {
    await using place = createTempFolder();
    const file = join(place.path, "ledger");
    const failing = withLock(file, async () => {
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await withLock(file, async () => "done")).toBe("done");
  });

  it("[G22] breaks the lock of a run that died", async () => {
    await using place = createTempFolder();
    const file = join(place.path, "ledger");
    mkdirSync(`${file}.lock`);
    const then = Date.now() / 1000 - LOCK_STALE_MS / 1000 - 1;
    utimesSync(`${file}.lock`, then, then);
    expect(await withLock(file, async () => "done")).toBe("done");
  });
});
