import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findHostAddress, type Runtime } from "./host-address.ts";
import { chooseReach } from "./reach.ts";
import {
  bridgeCommand,
  buildRunArguments,
  type ContainerPlan,
  gatewayUrl,
} from "./run-arguments.ts";

type System = "linux" | "darwin" | "win32";
const LISTENERS = ["http://0.0.0.0:8717", "/state/wraptool.sock"];
const PLACES = {
  linux: { worktree: "/home/me/app", file: "/home/me/token", program: "/opt/wraptool" },
  darwin: { worktree: "/Users/me/app", file: "/Users/me/token", program: "/opt/wraptool" },
  win32: { worktree: "C:\\Users\\me\\app", file: "C:\\token", program: "D:\\npm\\wraptool" },
};

function plan(
  runtime: Runtime,
  platform: System,
  transport: "tcp" | "bridge" = "tcp",
  more: Partial<ContainerPlan> = {},
): ContainerPlan {
  const address = findHostAddress(runtime, platform);
  const withBridge = transport === "bridge";
  const { worktree, file, program } = PLACES[platform];
  return {
    ...{ address, reach: chooseReach(LISTENERS, { address, withBridge }), worktree },
    token: { file, form: withBridge ? "file" : "name" },
    program: withBridge ? program : undefined,
    isInteractive: false,
    options: [],
    ...{ image: "node:22", command: ["bash", "-l"] },
    ...more,
  };
}

const DOCKER = "http://host.docker.internal:8717/mcp?cwd=";
const PODMAN = "http://host.containers.internal:8717/mcp?cwd=";
const HOME = "%2Fhome%2Fme%2Fapp";
const USERS = "%2FUsers%2Fme%2Fapp";
const DRIVE = "C%3A%5CUsers%5Cme%5Capp";
const onLinux = "--mount type=bind,source=/home/me/app,target=/home/me/app --workdir /home/me/app";
const onMac = "--mount type=bind,source=/Users/me/app,target=/Users/me/app --workdir /Users/me/app";
const onWindows =
  "--mount type=bind,source=C:\\Users\\me\\app,target=/c/Users/me/app --workdir /c/Users/me/app";
const socket = "--mount type=bind,source=/state/wraptool.sock,target=/run/wraptool/wraptool.sock";
const program =
  "--mount type=bind,source=/opt/wraptool/dist,target=/run/wraptool/dist,readonly --mount type=bind,source=/opt/wraptool/package.json,target=/run/wraptool/package.json,readonly";
const programOnWindows = program
  .replaceAll("/opt/wraptool/", "D:\\npm\\wraptool\\")
  .replaceAll("/run\\", "/run/");
const tokenAt = (file: string) =>
  `--mount type=bind,source=${file},target=/run/wraptool/token,readonly`;
const vscode = "unix:///run/wraptool/wraptool.sock#/mcp?cwd=";
const addHost = "--add-host host.docker.internal:host-gateway";

describe("buildRunArguments", () => {
  it.each<[Runtime, System, "tcp" | "bridge", string]>([
    [
      "docker",
      "linux",
      "tcp",
      `--init ${addHost} ${onLinux} -e WRAPTOOL_URL=${DOCKER}${HOME} -e WRAPTOOL_TOKEN`,
    ],
    [
      "docker",
      "darwin",
      "tcp",
      `--init ${onMac} -e WRAPTOOL_URL=${DOCKER}${USERS} -e WRAPTOOL_TOKEN`,
    ],
    [
      "docker",
      "win32",
      "tcp",
      `--init ${onWindows} -e WRAPTOOL_URL=${DOCKER}${DRIVE} -e WRAPTOOL_TOKEN`,
    ],
    ["podman", "linux", "tcp", `${onLinux} -e WRAPTOOL_URL=${PODMAN}${HOME} -e WRAPTOOL_TOKEN`],
    ["podman", "darwin", "tcp", `${onMac} -e WRAPTOOL_URL=${PODMAN}${USERS} -e WRAPTOOL_TOKEN`],
    ["podman", "win32", "tcp", `${onWindows} -e WRAPTOOL_URL=${PODMAN}${DRIVE} -e WRAPTOOL_TOKEN`],
    [
      "docker",
      "linux",
      "bridge",
      `--init ${onLinux} ${socket} ${program} -e WRAPTOOL_URL=${vscode}${HOME} ${tokenAt("/home/me/token")}`,
    ],
    [
      "docker",
      "darwin",
      "bridge",
      `--init ${onMac} ${program} -e WRAPTOOL_URL=${DOCKER}${USERS} ${tokenAt("/Users/me/token")}`,
    ],
    [
      "docker",
      "win32",
      "bridge",
      `--init ${onWindows} ${programOnWindows} -e WRAPTOOL_URL=${DOCKER}${DRIVE} ${tokenAt("C:\\token")}`,
    ],
    [
      "podman",
      "linux",
      "bridge",
      `${onLinux} ${socket} ${program} -e WRAPTOOL_URL=${vscode}${HOME} ${tokenAt("/home/me/token")}`,
    ],
    [
      "podman",
      "darwin",
      "bridge",
      `${onMac} ${program} -e WRAPTOOL_URL=${PODMAN}${USERS} ${tokenAt("/Users/me/token")}`,
    ],
    [
      "podman",
      "win32",
      "bridge",
      `${onWindows} ${programOnWindows} -e WRAPTOOL_URL=${PODMAN}${DRIVE} ${tokenAt("C:\\token")}`,
    ],
  ])("[G23] for %s on %s by %s", (runtime, platform, transport, expected) => {
    expect(buildRunArguments(plan(runtime, platform, transport)).join(" ")).toBe(
      `run --rm -i ${expected} node:22 bash -l`,
    );
  });

  it("[G23] asks for a terminal only where a person sits in front", () => {
    const args = (isInteractive: boolean) =>
      buildRunArguments(plan("docker", "linux", "tcp", { isInteractive }));
    expect(args(true)[2]).toBe("-it");
    expect(args(false)[2]).toBe("-i");
  });

  it("[G23] passes no token where the daemon asks for none", () => {
    const open = plan("docker", "linux", "bridge", { token: undefined });
    expect(buildRunArguments(open).join(" ")).not.toContain("oken");
    expect(bridgeCommand(open)).not.toContain("--token-file");
  });

  it("[G23] puts the caller's options before the image, where they come last and so win", () => {
    const options = ["--init=false", "--user", "1000"];
    const args = buildRunArguments(plan("podman", "linux", "tcp", { options, command: [] }));
    expect(args.slice(-4)).toEqual([...options, "node:22"]);
  });

  it.each([
    ["/a b/c:d", "type=bind,source=/a b/c:d,target=/a b/c:d"],
    ["/a,b", 'type=bind,"source=/a,b","target=/a,b"'],
    ['/a"b', 'type=bind,"source=/a""b","target=/a""b"'],
  ])("[G23] mounts a folder called %s", (worktree, expected) => {
    expect(buildRunArguments(plan("docker", "linux", "tcp", { worktree }))).toContain(expected);
  });
});

describe("gatewayUrl", () => {
  it("[G23] names any folder so that the daemon reads back the same", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (name) => {
        const url = gatewayUrl(plan("docker", "linux", "tcp", { worktree: `/${name}` }));
        expect(new URL(url).searchParams.getAll("cwd")).toEqual([`/${name}`]);
      }),
    );
  });
});

describe("bridgeCommand", () => {
  it("[G23] dials the mounted socket, or the same URL as the variable names, and is none without a bridge", () => {
    expect(bridgeCommand(plan("docker", "linux", "bridge"))?.join(" ")).toBe(
      "node /run/wraptool/dist/cli.js bridge --socket /run/wraptool/wraptool.sock --cwd /home/me/app --token-file /run/wraptool/token",
    );
    expect(bridgeCommand(plan("docker", "win32", "bridge"))?.join(" ")).toBe(
      `node /run/wraptool/dist/cli.js bridge --url ${DOCKER}${DRIVE} --token-file /run/wraptool/token`,
    );
    expect(bridgeCommand(plan("docker", "linux"))).toBeUndefined();
  });
});
