import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTempFolder } from "test-fixtures";
import { describe, expect, it, vi } from "vitest";
import { readSessionKey } from "./session-key.ts";

describe("readSessionKey", () => {
  it("[G9] makes a private key at the first start, and finds it at the next", async () => {
    await using folder = createTempFolder();
    const path = join(folder.path, "state", "key.json");
    const onFault = vi.fn();
    const key = readSessionKey(path, onFault);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readSessionKey(path, onFault)).toEqual(key);
    expect(onFault).not.toHaveBeenCalled();
  });

  it.each(["{", '{"version":2,"key":"x"}', '{"version":1,"key":"short"}', ""])(
    "[G26] leaves %j as it is, and goes on with a key of this start",
    async (text) => {
      await using folder = createTempFolder();
      const path = join(folder.path, "key.json");
      writeFileSync(path, text, { mode: 0o600 });
      const onFault = vi.fn();
      expect(readSessionKey(path, onFault)).not.toEqual(readSessionKey(path, onFault));
      expect(onFault).toHaveBeenCalledWith(
        expect.stringContaining("no session key of this version"),
      );
      expect(readFileSync(path, "utf8")).toBe(text);
    },
  );

  it("[G9] does not trust a key that others can read", async () => {
    await using folder = createTempFolder();
    const path = join(folder.path, "key.json");
    const key = readSessionKey(path, vi.fn());
    chmodSync(path, 0o644);
    const onFault = vi.fn();
    expect(readSessionKey(path, onFault)).not.toEqual(key);
    expect(onFault).toHaveBeenCalledTimes(1);
  });
});
