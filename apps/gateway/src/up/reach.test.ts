import { CommandError } from "@core/terminal";
import { describe, expect, it } from "vitest";
import { findHostAddress, HOST_ADDRESSES, type Runtime } from "./host-address.ts";
import { chooseReach, reachUrl } from "./reach.ts";

type System = "linux" | "darwin" | "win32";
const LOOPBACK = "http://127.0.0.1:8717";
const ALL = "http://0.0.0.0:8717";
const LAN = "http://192.168.1.5:8717";
const SOCKET = "/home/me/.local/state/wraptool/wraptool.sock";
const GATEWAY = ["--add-host", "host.docker.internal:host-gateway"];

function reach(
  runtime: Runtime,
  platform: System,
  listeners: readonly string[],
  withBridge = false,
): string {
  const chosen = chooseReach(listeners, {
    address: findHostAddress(runtime, platform),
    withBridge,
  });
  if (chosen.kind === "socket") return chosen.path;
  return [...chosen.options, chosen.url.href, ...(chosen.isLocal ? ["local"] : [])].join(" ");
}

function refusal(...asked: Parameters<typeof reach>): { code: string; hint: string } {
  try {
    return { code: reach(...asked), hint: "" };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { code: error.code, hint: error.hint ?? "" };
  }
}

describe("the addresses of the host", () => {
  it("[G23] are known for both runtimes on the three systems, and taken for Linux elsewhere", () => {
    const known = HOST_ADDRESSES.map(({ runtime, platform }) => `${runtime} ${platform}`);
    expect(new Set(known).size).toBe(6);
    expect(findHostAddress("podman", "freebsd").platform).toBe("linux");
  });
});

describe("chooseReach", () => {
  it.each<[Runtime, System, string, string]>([
    ["docker", "linux", ALL, `${GATEWAY.join(" ")} http://host.docker.internal:8717/mcp`],
    ["docker", "darwin", ALL, "http://host.docker.internal:8717/mcp"],
    ["docker", "win32", ALL, "http://host.docker.internal:8717/mcp"],
    ["podman", "linux", ALL, "http://host.containers.internal:8717/mcp"],
    ["podman", "darwin", ALL, "http://host.containers.internal:8717/mcp"],
    ["podman", "win32", ALL, "http://host.containers.internal:8717/mcp"],
    ["docker", "darwin", LOOPBACK, "http://host.docker.internal:8717/mcp local"],
    ["docker", "win32", LOOPBACK, "http://host.docker.internal:8717/mcp local"],
    ["podman", "darwin", LOOPBACK, "http://host.containers.internal:8717/mcp local"],
    ["podman", "win32", LOOPBACK, "http://host.containers.internal:8717/mcp local"],
    ["docker", "darwin", "http://localhost:8717", "http://host.docker.internal:8717/mcp local"],
    ["docker", "linux", "http://172.17.0.1:8717", "http://172.17.0.1:8717/mcp"],
    ["podman", "linux", LAN, "http://192.168.1.5:8717/mcp"],
    ["docker", "win32", LAN, "http://192.168.1.5:8717/mcp"],
    ["docker", "linux", "http://[fd00::1]:8717", "http://[fd00::1]:8717/mcp"],
    [
      ...(["docker", "linux", "http://[::]:1"] as const),
      `${GATEWAY.join(" ")} http://host.docker.internal:1/mcp`,
    ],
  ])("[G23] takes %s on %s to %s as %s", (runtime, platform, listener, expected) => {
    expect(reach(runtime, platform, [listener])).toBe(expected);
  });

  it.each<[Runtime, System, string[]]>([
    ["docker", "linux", [LOOPBACK]],
    ["podman", "linux", ["http://localhost:8717", "http://[::1]:8717"]],
    ["docker", "darwin", ["http://[::1]:8717"]],
    ["podman", "win32", ["http://[::1]:8717"]],
  ])("[G23] refuses %s on %s where the daemon listens on loopback only: %j", (...asked) => {
    const { code, hint } = refusal(...asked);
    expect(code).toBe("LOOPBACK_ONLY");
    const { listenOn } = findHostAddress(asked[0], asked[1]);
    expect(hint).toContain(`Add ${listenOn}:8717 to server.listen`);
    expect(hint.includes("--bridge")).toBe(asked[1] === "linux");
  });

  it("[G23] what a refusal advises is reached", () => {
    for (const { runtime, platform, listenOn } of HOST_ADDRESSES)
      expect(reach(runtime, platform, [`http://${listenOn}:8717`])).toContain(":8717/mcp");
  });

  it("[G23] takes the first listener that is reached", () => {
    expect(reach("docker", "linux", [LOOPBACK, SOCKET, LAN, ALL])).toContain("192.168.1.5");
    expect(reach("docker", "darwin", [SOCKET, LOOPBACK, LAN])).toContain("host.docker.internal");
  });

  it("[G23] takes the socket only with a bridge, and only where a mounted one works", () => {
    const both = [LOOPBACK, SOCKET];
    expect(reach("docker", "linux", both, true)).toBe(SOCKET);
    expect(reach("podman", "linux", both, true)).toBe(SOCKET);
    expect(reach("docker", "darwin", both, true)).toContain("http://host.docker.internal");
    expect(reach("docker", "linux", [ALL], true)).toContain("http://host.docker.internal");
    expect(refusal("docker", "linux", both)).toMatchObject({
      code: "LOOPBACK_ONLY",
      hint: expect.stringContaining("; or use --bridge, if the image has node 20 or newer"),
    });
  });

  it("[G23] says what to do where the daemon serves a socket only", () => {
    expect(refusal("docker", "linux", [SOCKET])).toMatchObject({
      code: "SOCKET_ONLY",
      hint: expect.stringMatching(/^Use --bridge, if the image has node 20 or newer; or set /),
    });
    for (const withBridge of [true, false])
      expect(refusal("podman", "darwin", [SOCKET], withBridge)).toMatchObject({
        code: "SOCKET_ONLY",
        hint: expect.stringMatching(/^Set server\.transport: \[sse, unix\]/),
      });
  });
});

describe("reachUrl", () => {
  const address = findHostAddress("docker", "linux");

  it.each([
    ["http://host.docker.internal:1/sse", GATEWAY],
    ["http://gateway.example/mcp", []],
  ])("[G23] keeps %s, with the options %j", (text, options) => {
    const url = new URL(text);
    expect(reachUrl(url, address)).toMatchObject({ kind: "url", url, options });
  });
});
