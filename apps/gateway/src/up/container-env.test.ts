import { describe, expect, it } from "vitest";
import { passVariables } from "./container-env.ts";

const environment = { HOME: "/home/me", PATH: "/bin", GITHUB_TOKEN: "hush", SAME: "s" };
const values = { local: "/home/me/app", container: "/home/me/app", environment };

function pass(containerEnv: Record<string, string>) {
  const dev = { file: "f", image: "i", containerEnv, runArgs: [], mounts: [], leftOut: [] };
  return passVariables(dev, values);
}

describe("passVariables", () => {
  it("[G23] writes out what the file says, and passes values of this environment by name", () => {
    const passed = pass({
      ...{ A: "1=2", EMPTY: "", FOLDER: "${localWorkspaceFolder}" },
      ...{ GH_TOKEN: "${localEnv:GITHUB_TOKEN}", SAME: "${localEnv:SAME}", X: "${localEnv:NONE}" },
    });
    expect(passed).toEqual({
      options: ["A=1=2", "EMPTY=", "FOLDER=/home/me/app", "GH_TOKEN", "SAME", "X"].flatMap(
        (word) => ["-e", word],
      ),
      environment: { GH_TOKEN: "hush", SAME: "s", X: "" },
    });
    expect(passed.options.join(" ")).not.toContain("hush");
  });

  it("[G23] leaves the gateway's own variables to up", () => {
    const file = {
      WRAPTOOL_URL: "http://elsewhere/mcp",
      WRAPTOOL_TOKEN: "${localEnv:GITHUB_TOKEN}",
    };
    expect(pass(file)).toEqual({ options: [], environment: {} });
  });

  it.each(["PATH", "HOME", "DOCKER_HOST", "CONTAINER_HOST", "LD_PRELOAD", "XDG_RUNTIME_DIR"])(
    "[G23] gives the runtime no other %s than it has",
    (name) => {
      const fault = () => pass({ [name]: "${localEnv:GITHUB_TOKEN}" });
      expect(fault).toThrow(new RegExp(`^f containerEnv\\.${name}: .* the runtime itself may go`));
      expect(fault).not.toThrow("hush");
      expect(pass({ [name]: "written" }).options).toEqual(["-e", `${name}=written`]);
    },
  );

  it("[G23] passes on what the runtime has anyway", () => {
    expect(pass({ PATH: "${localEnv:PATH}" }).environment).toEqual({ PATH: "/bin" });
  });
});
