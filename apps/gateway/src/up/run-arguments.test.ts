import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { baseOfImage, type ContainerBase } from "./container-base.ts";
import { findHostAddress, type Runtime } from "./host-address.ts";
import { bindMount } from "./mount.ts";
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
  { base, ...more }: Partial<Omit<ContainerPlan, "base">> & { base?: Partial<ContainerBase> } = {},
): ContainerPlan {
  const address = findHostAddress(runtime, platform);
  const withBridge = transport === "bridge";
  const { worktree, file, program } = PLACES[platform];
  const around = { worktree, platform, environment: {} };
  return {
    base: { ...baseOfImage("node:22", around), ...base },
    ...{ address, reach: chooseReach(LISTENERS, { address, withBridge }), worktree },
    token: { file, form: withBridge ? "file" : "name" },
    program: withBridge ? program : undefined,
    isInteractive: false,
    ...{ options: [], command: ["bash", "-l"] },
    ...more,
  };
}

const DOCKER = "http://host.docker.internal:8717/mcp?cwd=";
const PODMAN = "http://host.containers.internal:8717/mcp?cwd=";
const HOME = "%2Fhome%2Fme%2Fapp";
const USERS = "%2FUsers%2Fme%2Fapp";
const DRIVE = "C%3A%5CUsers%5Cme%5Capp";
const onLinux = "--mount type=bind,source=/home/me/app,target=/home/me/app";
const onMac = "--mount type=bind,source=/Users/me/app,target=/Users/me/app";
const onWindows = "--mount type=bind,source=C:\\Users\\me\\app,target=/c/Users/me/app";
const workdir = {
  linux: "--workdir /home/me/app",
  darwin: "--workdir /Users/me/app",
  win32: "--workdir /c/Users/me/app",
};
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
  const byName = (url: string) => `-e WRAPTOOL_URL=${url} -e WRAPTOOL_TOKEN`;
  it.each<[Runtime, System, "tcp" | "bridge", string, string]>([
    ["docker", "linux", "tcp", onLinux, byName(DOCKER + HOME)],
    ["docker", "darwin", "tcp", onMac, byName(DOCKER + USERS)],
    ["docker", "win32", "tcp", onWindows, byName(DOCKER + DRIVE)],
    ["podman", "linux", "tcp", onLinux, byName(PODMAN + HOME)],
    ["podman", "darwin", "tcp", onMac, byName(PODMAN + USERS)],
    ["podman", "win32", "tcp", onWindows, byName(PODMAN + DRIVE)],
    [
      ...(["docker", "linux", "bridge"] as const),
      `${onLinux} ${socket} ${program} ${tokenAt("/home/me/token")}`,
      `-e WRAPTOOL_URL=${vscode}${HOME}`,
    ],
    [
      ...(["docker", "darwin", "bridge"] as const),
      `${onMac} ${program} ${tokenAt("/Users/me/token")}`,
      `-e WRAPTOOL_URL=${DOCKER}${USERS}`,
    ],
    [
      ...(["docker", "win32", "bridge"] as const),
      `${onWindows} ${programOnWindows} ${tokenAt("C:\\token")}`,
      `-e WRAPTOOL_URL=${DOCKER}${DRIVE}`,
    ],
    [
      ...(["podman", "linux", "bridge"] as const),
      `${onLinux} ${socket} ${program} ${tokenAt("/home/me/token")}`,
      `-e WRAPTOOL_URL=${vscode}${HOME}`,
    ],
    [
      ...(["podman", "darwin", "bridge"] as const),
      `${onMac} ${program} ${tokenAt("/Users/me/token")}`,
      `-e WRAPTOOL_URL=${PODMAN}${USERS}`,
    ],
    [
      ...(["podman", "win32", "bridge"] as const),
      `${onWindows} ${programOnWindows} ${tokenAt("C:\\token")}`,
      `-e WRAPTOOL_URL=${PODMAN}${DRIVE}`,
    ],
  ])("[G23] for %s on %s by %s", (runtime, platform, transport, mounts, variables) => {
    const asked = plan(runtime, platform, transport);
    const host = asked.reach.kind === "url" && runtime === "docker" && platform === "linux";
    const first = host ? `${addHost} --rm -i` : "--rm -i";
    const init = runtime === "docker" ? " --init" : "";
    expect(buildRunArguments(asked).join(" ")).toBe(
      `run ${first}${init} ${mounts} ${workdir[platform]} ${variables} node:22 bash -l`,
    );
  });

  it("[G23] asks for a terminal only where a person sits in front", () => {
    const args = (isInteractive: boolean) =>
      buildRunArguments(plan("podman", "linux", "tcp", { isInteractive }));
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

  it("[G23] puts what a file says before its own, which come last and so win", () => {
    const options = ["--rm=false", "-e", "WRAPTOOL_URL=http://elsewhere/mcp"];
    const args = buildRunArguments(plan("docker", "linux", "tcp", { base: { options } }));
    // Of lines in /etc/hosts the first one wins.
    expect(args.slice(0, 7)).toEqual(["run", ...addHost.split(" "), ...options, "--rm"]);
    const urls = args.filter((word) => word.startsWith("WRAPTOOL_URL="));
    expect(urls.at(-1)).toBe(`WRAPTOOL_URL=${DOCKER}${HOME}`);
  });

  it("[G23] mounts what a file says, except where its own things are", () => {
    const targets = ["/cache", "/home/me/app", "/run/wraptool/token", "/run/wraptool/dist"];
    const mounts = targets.map((target) => bindMount("/elsewhere", target));
    const mounted = (transport: "tcp" | "bridge") =>
      buildRunArguments(plan("docker", "linux", transport, { base: { mounts } }))
        .filter((word) => word.includes("source=/elsewhere"))
        .map((word) => word.split("target=")[1]);
    expect(mounted("bridge")).toEqual(["/cache"]);
    expect(mounted("tcp")).toEqual(["/cache", "/run/wraptool/token", "/run/wraptool/dist"]);
  });

  it("[G23] works in the folder of the base, and tells the daemon of the whole worktree", () => {
    const asked = plan("docker", "linux", "tcp", { base: { workdir: "/home/me/app/web" } });
    expect(buildRunArguments(asked).join(" ")).toContain(
      `--workdir /home/me/app/web ${byName(DOCKER + HOME)}`,
    );
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
