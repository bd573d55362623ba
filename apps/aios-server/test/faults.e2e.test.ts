import { builtBin, run, sampleAios } from "test-fixtures";
import { expect, it } from "vitest";

it.skipIf(process.platform !== "linux")(
  "[W9] a search that the system gives no descriptors fails with that reason, and not with half of what there is (needs ulimit -n as Linux has it)",
  async () => {
    const bin = builtBin("dotaios-mcp");
    // How many a program needs for itself differs between releases of Node.
    for (let files = 64; ; files -= 4) {
      const search = [process.execPath, bin, "search", "tide", "--path", sampleAios];
      const args = ["-c", `ulimit -n ${files} && exec "$@"`, "sh", ...search];
      const { status, stdout, stderr } = await run("sh", args);
      if (status === 0) continue;
      expect({ stdout, stderr }).toEqual({
        stdout: "",
        stderr: expect.stringContaining("check its permissions and the limit of open files"),
      });
      return;
    }
  },
);
