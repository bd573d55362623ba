import { builtBin, createTempFolder, filesIn, run } from "test-fixtures";
import { expect, it } from "vitest";
import { createHome, fixture } from "./session.ts";

/** One call of the built program under a limit of the shell, such as `-n 64`: so many open files. */
async function callUnder(limit: string, request: object) {
  await using home = await createHome({ big: fixture("big") });
  await using temp = createTempFolder();
  const env = { PATH: process.env.PATH, TMPDIR: temp.path, NO_COLOR: "1" };
  const command = [process.execPath, builtBin("travis234-mcp-adapter"), "call"];
  const args = ["-c", `ulimit ${limit} && exec "$@"`, "sh", ...command, JSON.stringify(request)];
  const ran = await run("sh", [...args, "--home", home.path], { env });
  return { ...ran, left: filesIn(temp.path) };
}

const text = (bytes: number) => ({ server: "big", tool: "text", args: { bytes } });

it.skipIf(process.platform === "win32")(
  "[A32] [A30] a disk that takes nothing costs the rest of a long answer, which is said, and no half file (needs sh)",
  async () => {
    const { status, stdout, left } = await callUnder("-f 0", text(60_000));
    expect(status).toBe(0);
    expect(stdout).toContain("All of it is not kept: its file could not be written");
    expect(left).toEqual([]);
  },
);

it.skipIf(process.platform !== "linux")(
  "[A34] a server that cannot start for want of descriptors fails its call with that reason (needs ulimit -n as Linux has it)",
  async () => {
    // How many a program needs for itself differs between releases of Node.
    for (let files = 40; ; files -= 2) {
      const { status, stdout, stderr } = await callUnder(`-n ${files}`, text(10));
      if (status === 0) continue;
      expect(stdout + stderr).toContain("no file left to open for it");
      return;
    }
  },
);
