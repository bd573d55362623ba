import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createTempFolder } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { writeStateFile } from "./state-file.ts";

describe("writeStateFile", () => {
  it("[G26] makes a private file and its folder, and replaces it whole", async () => {
    await using folder = createTempFolder();
    const path = join(folder.path, "state", "file.json");
    writeStateFile(path, "one");
    writeStateFile(path, "two");
    expect(readFileSync(path, "utf8")).toBe("two");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder.path, "state"))).toEqual(["file.json"]);
  });

  it("[G26] leaves nothing behind where it cannot replace what stands there", async () => {
    await using folder = createTempFolder();
    const path = join(folder.path, "file.json");
    mkdirSync(path);
    expect(() => writeStateFile(path, "one")).toThrow("EISDIR");
    expect(readdirSync(folder.path)).toEqual(["file.json"]);
  });
});
