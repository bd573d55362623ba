import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findCommand } from "./command.ts";

describe("findCommand", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "wire-command-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("finds an executable file by its path or on the PATH, and nothing else", async () => {
    const file = join(folder, "server");
    await writeFile(file, "#!/bin/sh\n");
    await writeFile(join(folder, "plain"), "");
    await mkdir(join(folder, "folder"));
    await chmod(file, 0o700);
    const PATH = ["", "/nowhere", folder].join(delimiter);
    const find = (command: string) => findCommand(command, { environment: { PATH } });
    expect(await find("server")).toBe(file);
    expect(await find(file)).toBe(file);
    for (const other of ["plain", "folder", "missing", "./server", join(folder, "plain")])
      expect(await find(other)).toBeUndefined();
  });
});

describe("findCommand on Windows", () => {
  const NODE = "C:\\Program Files\\nodejs";
  const files = new Set(
    [
      `${NODE}\\node.EXE`,
      `${NODE}\\npx`,
      `${NODE}\\npx.CMD`,
      `D:\\py\\tool.py`,
      `D:\\py\\npx.EXE`,
    ].map((file) => file.toLowerCase()),
  );
  const PATH = `"${NODE}";;D:\\py`;
  const find = (command: string, environment: Record<string, string> = { PATH }) =>
    findCommand(command, {
      environment,
      platform: "win32",
      isRunnable: async (file) => files.has(file.toLowerCase()),
    });

  it.each([
    ["node", `${NODE}\\node.EXE`],
    ["npx", `${NODE}\\npx.CMD`],
    ["npx.cmd", `${NODE}\\npx.cmd`],
    ["npx.exe", "D:\\py\\npx.exe"],
    ["missing", undefined],
    [`${NODE}\\npx`, `${NODE}\\npx.CMD`],
    ["D:/py/tool.py", "D:\\py\\tool.py"],
  ])("[A27] reads %s as %s", async (command, file) => {
    expect(await find(command)).toBe(file);
  });

  it("[A27] goes by PATH and PATHEXT in whatever case they are written", async () => {
    expect(await find("tool", { Path: "D:\\py" })).toBeUndefined();
    expect(await find("tool", { Path: "D:\\py", PathExt: ".EXE;.PY" })).toBe("D:\\py\\tool.PY");
  });

  it("[A27] looks for a name only in the folders of the PATH, and not where it runs", async () => {
    const asked: string[] = [];
    await findCommand("npx", {
      environment: { PATH },
      platform: "win32",
      isRunnable: async (file) => {
        asked.push(file);
        return false;
      },
    });
    expect(asked).toHaveLength(8);
    expect(asked.every((file) => /^(C:\\Program Files|D:\\py)\\/.test(file))).toBe(true);
  });
});
