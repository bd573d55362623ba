import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createTempFolder, type TempFolder } from "test-fixtures";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findRuntime } from "./runtime.ts";

let folder: TempFolder;
beforeAll(() => {
  folder = createTempFolder();
  for (const name of ["docker", "podman"]) {
    mkdirSync(join(folder.path, name));
    writeFileSync(join(folder.path, name, name), "", { mode: 0o755 });
  }
});
afterAll(() => folder[Symbol.asyncDispose]());

const path = (...names: string[]) => ({
  PATH: names.map((name) => join(folder.path, name)).join(delimiter),
});

describe("findRuntime", () => {
  it("[G23] prefers docker, takes what is there, and heeds what was asked for", async () => {
    expect(await findRuntime(undefined, path("podman", "docker"))).toBe("docker");
    expect(await findRuntime(undefined, path("podman"))).toBe("podman");
    expect(await findRuntime("podman", path("docker", "podman"))).toBe("podman");
  });

  it.each([
    [undefined, [], "NO_RUNTIME", "Neither docker nor podman is on the PATH"],
    ["podman", ["docker"], "NO_RUNTIME", "podman is not on the PATH"],
    ["nerdctl", ["docker"], "UNKNOWN_RUNTIME", "--runtime must be docker or podman"],
  ])("[G23] refuses %j with %j on the PATH", async (named, names, code, message) => {
    await expect(findRuntime(named, path(...names))).rejects.toMatchObject({ code, message });
    await expect(findRuntime(named, {})).rejects.toMatchObject({ code });
  });
});
