import { mkdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTempFolder } from "test-fixtures";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MAX_CWD_CHARACTERS } from "../limits.ts";
import { createCwdCheck } from "./cwd.ts";

const folder = createTempFolder();
const base = realpathSync(folder.path);
const at = (...parts: string[]) => join(base, ...parts);
afterAll(() => folder[Symbol.asyncDispose]());
beforeAll(() => {
  for (const path of ["code/app", "code-evil", "secret", "empty"])
    mkdirSync(at(path), { recursive: true });
  writeFileSync(at("code/file"), "");
  symlinkSync(at("secret"), at("code/out"));
  symlinkSync(at("code/app"), at("in"));
  symlinkSync(at("code"), at("link-to-code"));
  symlinkSync(at("code/loop"), at("code/loop"));
});

describe("createCwdCheck", () => {
  it.each([
    ["the root itself", "code", "code"],
    ["a folder in it", "code/app", "code/app"],
    ["a folder that is reached by a link from outside", "in", "code/app"],
    ["a way with dots that stays within", "code/app/../app/.", "code/app"],
  ])("[G8] admits %s, by its real path", async (_name, asked, real) => {
    const { admit } = createCwdCheck([at("link-to-code")]);
    expect((await admit(`${base}/${asked}`, false))?.path).toBe(at(real));
  });

  it.each([
    ["a sibling whose name begins alike", "code-evil"],
    ["a way out by dots", "code/../secret"],
    ["a link that leads out", "code/out"],
    ["a loop of links", "code/loop"],
    ["a file", "code/file"],
    ["what is not there", "code/none"],
    ["what holds NUL", "code\0"],
    ["what is too long", `code${"/".repeat(MAX_CWD_CHARACTERS)}`],
  ])("[G8] refuses %s", async (_name, asked) => {
    const { admit } = createCwdCheck([at("code"), at("not-there")]);
    expect(await admit(`${base}/${asked}`, true)).toBeUndefined();
  });

  it("[G8] on Windows looks at another host only where a root names it", async () => {
    // Elsewhere two slashes are one, so here the folder is there either way.
    const asked = `/${at("code/app")}`;
    const admit = (roots: readonly string[], platform: NodeJS.Platform) =>
      createCwdCheck(roots, platform).admit(asked, true);
    expect(await admit([], "win32")).toBeUndefined();
    expect(await admit([at("code")], "win32")).toBeUndefined();
    expect(await admit([`/${at("CODE")}`, at("code")], "win32")).toBeDefined();
    expect(await admit([`/${at("cod")}`, at("code")], "win32")).toBeUndefined();
    expect(await admit([], "linux")).toBeDefined();
    expect(await createCwdCheck([], "win32").admit(at("code"), true)).toBeDefined();
  });

  it("[G8] refuses a path that is not absolute, whatever it would be from here", async () => {
    const { admit } = createCwdCheck([process.cwd()]);
    for (const asked of ["", ".", "src", "~", `file://${process.cwd()}`])
      expect(await admit(asked, true)).toBeUndefined();
  });

  it("[G8] without roots admits any existing folder of local clients, and none of others", async () => {
    const { admit } = createCwdCheck([]);
    expect((await admit(at("secret"), true))?.path).toBe(at("secret"));
    expect(await admit(at("none"), true)).toBeUndefined();
    expect(await admit(at("secret"), false)).toBeUndefined();
  });

  it("[G8] tells at use whether a folder still is what was admitted", async () => {
    const cwd = await createCwdCheck([at("code")]).admit(at("code/app"), true);
    expect(await cwd?.isStillAllowed()).toBe(true);
    renameSync(at("code/app"), at("code/moved"));
    expect(await cwd?.isStillAllowed()).toBe(false);
    symlinkSync(at("secret"), at("code/app"));
    expect(await cwd?.isStillAllowed()).toBe(false);
  });
});
