import { chmod, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { createTempFolder } from "test-fixtures";
import { expect, it } from "vitest";
import { findCommand } from "./command.ts";

it("finds an executable file by its path or on the PATH, and nothing else", async () => {
  await using folder = createTempFolder();
  const file = join(folder.path, "server");
  await writeFile(file, "#!/bin/sh\n");
  await writeFile(join(folder.path, "plain"), "");
  await mkdir(join(folder.path, "folder"));
  await chmod(file, 0o700);
  const find = (command: string) =>
    findCommand(command, { path: ["", "/nowhere", folder.path].join(delimiter), extensions: "" });
  expect(await find("server")).toBe(file);
  expect(await find(file)).toBe(file);
  for (const other of ["plain", "folder", "missing", "./server", join(folder.path, "plain")])
    expect(await find(other)).toBeUndefined();
});
