import { describe, expect, it } from "vitest";
import { baseOfDevContainer, baseOfImage } from "./container-base.ts";
import type { DevContainer } from "./dev-container.ts";

const environment = { HOME: "/home/me", SECRET: "hush" };
const onLinux = { worktree: "/home/me/app", platform: "linux", environment } as const;
const onWindows = { worktree: "C:\\code\\app", platform: "win32", environment } as const;

function base(fields: Partial<DevContainer>, around: typeof onLinux | typeof onWindows = onLinux) {
  const empty = { file: "f", image: "i", containerEnv: {}, runArgs: [], mounts: [], leftOut: [] };
  return baseOfDevContainer({ ...empty, ...fields }, around);
}

describe("baseOfImage", () => {
  it("[G23] is the image in the worktree's folder, and nothing more", () => {
    const nothing = { options: [], mounts: [], environment: {}, warnings: [] };
    const image = "node:22";
    expect(baseOfImage(image, onLinux)).toEqual({ image, workdir: "/home/me/app", ...nothing });
    expect(baseOfImage(image, onWindows)).toEqual({ image, workdir: "/c/code/app", ...nothing });
  });

  it.each(["", "-v", "--privileged"])("[G23] refuses %j, which would be an option", (image) => {
    expect(() => baseOfImage(image, onLinux)).toThrow("--image must be the name of an image");
  });
});

describe("baseOfDevContainer", () => {
  it("[G23] takes options, variables, user and mounts, with the variables of the file replaced", () => {
    const made = base({
      image: "i-${localWorkspaceFolderBasename}",
      runArgs: ["--name", "${localWorkspaceFolderBasename}-dev"],
      containerEnv: { A: "${containerWorkspaceFolder}", S: "${localEnv:SECRET}" },
      containerUser: "root",
      mounts: ["type=bind,source=${localEnv:HOME}/.cache,target=/cache"],
    });
    expect(made).toEqual({
      image: "i-app",
      options: [...["--name", "app-dev", "-e", "A=/home/me/app", "-e", "S"], ...["--user", "root"]],
      environment: { S: "hush" },
      mounts: [{ target: "/cache", text: "type=bind,source=/home/me/.cache,target=/cache" }],
      workdir: "/home/me/app",
      warnings: [],
    });
  });

  it("[G23] runs the command as the remote user, where there is one", () => {
    const { options } = base({ containerUser: "root", remoteUser: "node" });
    expect(options).toEqual(["--user", "node"]);
  });

  it.each([
    [{ workspaceFolder: "${localWorkspaceFolder}" }, "/home/me/app"],
    [{ workspaceFolder: "${localWorkspaceFolder}/web/" }, "/home/me/app/web"],
    [{}, "/home/me/app"],
  ])("[G23] works in the folder that is asked for by %j", (fields, workdir) => {
    expect(base(fields)).toMatchObject({ workdir, warnings: [] });
  });

  it("[G23] finds a folder of the worktree on Windows", () => {
    const workspaceFolder = "${localWorkspaceFolder}\\web";
    const containerEnv = { A: "${containerWorkspaceFolder}" };
    const { workdir, options } = base({ workspaceFolder, containerEnv }, onWindows);
    expect([workdir, options]).toEqual(["/c/code/app/web", ["-e", "A=/c/code/app/web"]]);
  });

  it.each(["/workspaces/app", "${localWorkspaceFolder}-other", "${localWorkspaceFolder}/.."])(
    "[G23] works in the worktree where %s is asked for, and says so",
    (workspaceFolder) => {
      const { workdir, warnings } = base({ workspaceFolder });
      expect(workdir).toBe("/home/me/app");
      expect(warnings).toEqual([expect.stringMatching(/^f workspaceFolder: not used, because/)]);
    },
  );

  it("[G23] says what the container does without, and what to do about it", () => {
    const { warnings } = base({ leftOut: ["features", "postCreateCommand", "remoteEnv"] });
    expect(warnings).toEqual([
      "f features: not installed, because up runs the image as it is. Build one: devcontainer build --workspace-folder /home/me/app --image-name NAME, then run it: wraptool up --image NAME",
      "f postCreateCommand, remoteEnv: left to editors; give what is needed with --run-arg, or do it in the command",
    ]);
  });

  const SECRET = "${localEnv:SECRET}";
  it.each<[string, Partial<DevContainer>]>([
    ["image", { image: SECRET }],
    ["runArgs[1]", { runArgs: ["-e", `A=${SECRET}`] }],
    ["mounts[0]", { mounts: [`type=bind,source=${SECRET},target=/a`] }],
    ["containerUser", { containerUser: SECRET }],
    ["remoteUser", { remoteUser: SECRET }],
    ["workspaceFolder", { workspaceFolder: SECRET }],
  ])("[G23] puts no value of this environment on the command line by %s", (field, fields) => {
    const fault = () => base(fields);
    expect(fault).toThrow(`f ${field}: takes the value of SECRET`);
    expect(fault).not.toThrow("hush");
  });

  it("[G23] refuses a mount without a target", () => {
    expect(() => base({ mounts: ["/a:/b"] })).toThrow(
      "f mounts[0]: must be fields with an absolute",
    );
  });
});
