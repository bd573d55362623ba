/** A program that starts containers as `RUNTIME run …`. */
export type Runtime = "docker" | "podman";

/** How containers of one runtime on one kind of host find that host. */
export interface HostAddress {
  readonly runtime: Runtime;
  readonly platform: "linux" | "darwin" | "win32";
  /** What a container calls the host. */
  readonly name: string;
  /** The options of `run` without which the name is not known. */
  readonly options: readonly string[];
  /** Where the daemon has to listen to be found under the name. */
  readonly listenOn: string;
  /** Whether the name leads to what listens on 127.0.0.1 of the host. */
  readonly reachesLoopback: boolean;
  /** Whether a socket of the host can be dialled where it is mounted. */
  readonly sharesSockets: boolean;
}

/** On Linux a container is a neighbour behind a bridge: it shares the kernel, and with it sockets, but not the loopback. */
const ON_LINUX = { platform: "linux", reachesLoopback: false, sharesSockets: true } as const;
/** Elsewhere it lives in a virtual machine: its traffic to the host is sent on by a process there, and sockets stay behind. */
const IN_MACHINE = {
  ...{ options: [], listenOn: "127.0.0.1" },
  ...{ reachesLoopback: true, sharesSockets: false },
} as const;

const DOCKER = { runtime: "docker", name: "host.docker.internal" } as const;
const PODMAN = { runtime: "podman", name: "host.containers.internal" } as const;

export const HOST_ADDRESSES: readonly HostAddress[] = [
  {
    ...{ ...DOCKER, ...ON_LINUX },
    options: ["--add-host", "host.docker.internal:host-gateway"],
    listenOn: "172.17.0.1",
  },
  { ...DOCKER, ...IN_MACHINE, platform: "darwin" },
  { ...DOCKER, ...IN_MACHINE, platform: "win32" },
  // Without root the name leads to the address of the machine itself, which differs from network to network.
  { ...PODMAN, ...ON_LINUX, options: [], listenOn: "0.0.0.0" },
  { ...PODMAN, ...IN_MACHINE, platform: "darwin" },
  { ...PODMAN, ...IN_MACHINE, platform: "win32" },
];

/** The row of a runtime on this platform; other systems than these three are taken for Linux. */
export function findHostAddress(runtime: Runtime, platform: NodeJS.Platform): HostAddress {
  const known = platform === "darwin" || platform === "win32" ? platform : "linux";
  return HOST_ADDRESSES.find(
    (row) => row.runtime === runtime && row.platform === known,
  ) as HostAddress;
}
