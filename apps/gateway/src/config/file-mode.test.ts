import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTempFolder } from "test-fixtures";
import { describe, expect, it } from "vitest";
import type { ServerConfig } from "./config.ts";
import { lookAtMode } from "./file-mode.ts";

const holding = (env: Record<string, string>) => ({
  servers: [{ name: "s", env } as unknown as ServerConfig],
});
const SECRET = holding({ API_TOKEN: "hunter22" });

describe("lookAtMode", () => {
  it.each([
    [0o600, SECRET, 0, 0],
    [0o644, SECRET, 0, 1],
    [0o640, SECRET, 0, 1],
    [0o644, holding({ LOG_LEVEL: "info" }), 0, 0],
    [0o664, holding({}), 0, 0],
    [0o602, SECRET, 1, 0],
    [0o666, holding({}), 1, 0],
  ] as const)("[G1] judges mode %o by what the file holds", async (mode, config, ...counts) => {
    await using folder = createTempFolder();
    const file = join(folder.path, "config.yaml");
    writeFileSync(file, "");
    chmodSync(file, mode);
    const { faults, warnings } = lookAtMode(file, config, "linux");
    expect([faults.length, warnings.length]).toEqual(counts);
    const said = [...faults.map(({ message }) => message), ...warnings].join("\n");
    if (said !== "") expect(said).toMatch(/chmod 600/);
    expect(said).not.toContain("hunter22");
    expect(lookAtMode(file, config, "win32")).toEqual({ faults: [], warnings: [] });
  });

  it("[G2] finds nothing in the built-in default, which has no file", () => {
    expect(lookAtMode(undefined, SECRET, "linux").warnings).toEqual([]);
  });
});
