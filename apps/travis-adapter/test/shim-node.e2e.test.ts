import { writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createTempFolder, run } from "test-fixtures";
import { expect, it } from "vitest";
import { realExtension } from "./travis-host/play.ts";

const ASK = `
import importlib.util, os, sys
spec = importlib.util.spec_from_file_location("shim", sys.argv[1])
shim = importlib.util.module_from_spec(spec)
sys.modules["shim"] = shim
spec.loader.exec_module(shim)
os.environ["PATH"] = sys.argv[2]
print(shim._find_node(True))
`;

it("[A27] the extension finds Node on Windows on the PATH alone, and not in the working folder", async () => {
  await using project = createTempFolder();
  await using installed = createTempFolder();
  for (const { path } of [project, installed]) writeFileSync(join(path, "node.exe"), "");
  const find = async (...folders: string[]) => {
    const args = ["-c", ASK, realExtension, folders.join(delimiter)];
    const { stdout } = await run("python3", args, { cwd: project.path });
    return stdout.trim();
  };
  expect(await find("", ".", "/none", installed.path)).toBe(join(installed.path, "node.exe"));
  expect(await find("", ".", "/none")).toBe("None");
});
