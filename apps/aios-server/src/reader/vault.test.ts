import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createTempFolder } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { createAios } from "../../test/folder.ts";
import { openForTest } from "../../test/reading.ts";
import { AiosError } from "../errors.ts";
import { nodeDisk } from "./disk.ts";
import { locateVault } from "./vault.ts";

async function locate(vaultPath: unknown, home = "/nowhere") {
  await using folder = createAios({ "aios.json": JSON.stringify({ vault_path: vaultPath }) });
  return locateIn(folder.path, home);
}

function locateIn(folder: string, home = "/nowhere") {
  try {
    using reader = openForTest(folder);
    return locateVault(reader, { folder, home, disk: nodeDisk });
  } catch (error) {
    if (error instanceof AiosError) return error.code;
    throw error;
  }
}

describe("locateVault", () => {
  it("[S1] is the folder vault unless aios.json says otherwise", async () => {
    for (const path of [undefined, null, ""])
      expect(await locate(path)).toEqual({ kind: "inside", path: "vault" });
    expect(await locate("notes/v")).toEqual({ kind: "inside", path: "notes/v" });
    expect(await locate("./x/../y")).toEqual({ kind: "inside", path: "y" });
    expect(await locate("..x")).toEqual({ kind: "inside", path: "..x" });
  });

  it("[S1] is a root of its own outside, from the home folder or from the AIOS folder", async () => {
    await using home = createTempFolder();
    mkdirSync(join(home.path, "vault"));
    expect(await locate("~/vault", home.path)).toEqual({
      kind: "outside",
      root: join(home.path, "vault"),
    });
    expect(await locate(join(home.path, "vault"))).toMatchObject({ kind: "outside" });
    expect(await locate("~/none", home.path)).toEqual({ kind: "missing" });
    expect(await locate("~/vault", "")).toEqual({ kind: "inside", path: "~/vault" });
  });

  it("[S10] is refused where it is the AIOS folder or one above it, however that is written", async () => {
    await using folder = createAios();
    await using elsewhere = createTempFolder();
    symlinkSync(folder.path, join(elsewhere.path, "link"));
    symlinkSync(dirname(folder.path), join(elsewhere.path, "above"));
    const paths = [
      ".",
      folder.path,
      "..",
      "/",
      join(elsewhere.path, "link"),
      join(elsewhere.path, "above"),
    ];
    const codes = paths.map((path) => {
      writeFileSync(join(folder.path, "aios.json"), JSON.stringify({ vault_path: path }));
      return locateIn(folder.path);
    });
    expect(codes).toEqual(paths.map(() => "VAULT_UNAUTHORISED"));
  });

  it("[S10] fails on a configuration that is none, and on a vault that is a file", async () => {
    for (const text of ["", "{", "[]", "7", '{"vault_path":7}', '{"vault_path":"a\\u0000b"}']) {
      await using folder = createAios({ "aios.json": text });
      expect(locateIn(folder.path)).toBe("CONFIG_INVALID");
    }
    await using place = createTempFolder();
    writeFileSync(join(place.path, "file"), "");
    expect(await locate(join(place.path, "file"))).toBe("SOURCE_NOT_REGULAR");
  });
});
