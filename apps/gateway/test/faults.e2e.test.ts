import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import {
  createTempFolder,
  type Daemon,
  type DaemonConfig,
  type DaemonOptions,
  filesIn,
  isAlive,
  openSession,
  repository,
  rpc,
  run,
  send,
  startDaemon,
  startProcess,
} from "test-fixtures";
import { describe, expect, it, vi } from "vitest";
import { bin, fixture } from "./gateway-process.ts";

const isLinux = process.platform === "linux";
const isWindows = process.platform === "win32";
/** Runs a command under a limit of the shell, such as `-n 64`: so many open files. */
const limited = (limit: string) => ["sh", "-c", `ulimit ${limit} && exec "$@"`, "sh"];
const NO_FILES = limited("-f 0");

/** A gateway in a folder of its own, on its socket alone unless the configuration says otherwise. */
async function serve(config: DaemonConfig, options: Partial<DaemonOptions> = {}) {
  const folder = createTempFolder();
  const server = { transport: "unix", ...config.server };
  const daemon = await startDaemon({ ...config, server }, { folder: folder.path, ...options });
  return {
    daemon,
    folder: folder.path,
    [Symbol.asyncDispose]: async () => {
      await daemon.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function openClient({ socket }: Daemon) {
  const headers = await openSession(socket);
  return async (name: string, args = {}) => {
    const body = rpc(1, "tools/call", { name, arguments: args });
    const { result, error } = (await send(socket, { headers, body })).json as {
      result?: { content: { text: string }[] };
      error?: { message: string };
    };
    return error?.message ?? result?.content.map(({ text }) => text).join("\n") ?? "";
  };
}

const sessionsOf = async ({ socket }: Daemon) =>
  ((await send(socket, { path: "/status" })).json as { sessions: number }).sessions;

describe.skipIf(isWindows).concurrent("a disk that takes nothing (needs sh)", () => {
  it("[G19] [G9] [G28] costs what cannot be kept, which is said, and leaves no half file", async () => {
    await using gateway = await serve(
      {
        mcp: { max_output: { bytes: 100, lines: 0 } },
        mcp_servers: { big: fixture("big", ["text"]) },
      },
      { under: NO_FILES },
    );
    const { daemon, folder } = gateway;
    const call = await openClient(daemon);
    expect(await call("text", { bytes: 50 })).toBe("x".repeat(50));
    expect(await call("text", { bytes: 500 })).toContain("could not be kept: Cannot keep");
    const { stderr } = daemon.process.printed();
    expect(stderr).toContain("sessions will not outlive this start");
    expect(stderr).toMatch(/cannot write \S+daemon-\S+ \(EFBIG\)/);
    expect(filesIn(join(folder, ".local"))).toEqual([]);
    expect(filesIn(daemon.temporary)).toEqual([]);
  });

  it("[G28] fails token new with the reason, and does not stand in the way of the next one", async () => {
    await using folder = createTempFolder();
    const env = { PATH: process.env.PATH, HOME: folder.path, NO_COLOR: "1" };
    const [command = "", ...before] = [...NO_FILES, process.execPath, bin, "token", "new"];
    const refused = await run(command, before, { env });
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringContaining("The system refused it: EFBIG"),
    ]);
    expect((await run(process.execPath, [bin, "token", "new"], { env })).status).toBe(0);
  });

  it.skipIf(!isLinux)("[G20] keeps the audit waiting, and no call (needs /dev/full)", async () => {
    await using folder = createTempFolder();
    const file = join(folder.path, "audit.jsonl");
    symlinkSync("/dev/full", file);
    {
      await using gateway = await serve({
        audit: { file },
        mcp_servers: { echo: fixture("echo", ["echo"]) },
      });
      const { process: running } = gateway.daemon;
      const call = await openClient(gateway.daemon);
      expect(await call("echo", { text: "one" })).toBe("one");
      await running.waitFor(/cannot write the audit file \(ENOSPC\)/, "stderr");
      rmSync(file);
      expect(await call("echo", { text: "two" })).toBe("two");
      await running.waitFor(/could not be written for a while; no line is lost/, "stderr");
    }
    expect(readFileSync(file, "utf8").trimEnd().split("\n")).toHaveLength(2);
  });

  it.skipIf(!isLinux)("[G26] ends no gateway that logs to it (needs /dev/full)", async () => {
    await using folder = createTempFolder();
    const socket = join(folder.path, "run", "s");
    const file = join(folder.path, "gateway.yaml");
    writeFileSync(file, JSON.stringify({ server: { transport: "unix", socket } }));
    const env = { PATH: process.env.PATH, HOME: folder.path };
    const args = ["-c", 'exec "$@" 2>/dev/full', "sh", process.execPath, bin, "serve"];
    await using running = startProcess("sh", [...args, "--config", file], { env });
    const healthy = async () => (await send(socket, { path: "/healthz" })).status;
    await vi.waitFor(async () => expect(await healthy()).toBe(200), { timeout: 10_000 });
    // It logs to a disk that is full, and again.
    running.child.kill("SIGHUP");
    expect(await healthy()).toBe(200);
    running.child.kill("SIGTERM");
    expect(await running.exited).toEqual({ status: 0, signal: null });
  });
});

describe.concurrent("few descriptors", () => {
  it.skipIf(!isLinux)(
    "[G9] cost connections, which is said, and neither servers nor answers (needs /proc)",
    async () => {
      await using gateway = await serve(
        {
          server: { transport: ["sse", "unix"] },
          mcp_servers: { echo: fixture("echo", ["echo"]) },
        },
        { under: limited("-n 80") },
      );
      const { daemon } = gateway;
      const { port } = daemon.url;
      const flood = Array.from({ length: 60 }, () => connect(Number(port), "127.0.0.1"));
      const closed = flood.map((socket) => {
        socket.on("error", () => {}); // being refused is the point
        return new Promise((resolve) => socket.once("close", resolve));
      });
      await daemon.process.waitFor(/a connection was refused: \d+ are open/, "stderr");
      expect(daemon.process.printed().stderr).toContain("the system allows 80 open files");
      const call = await openClient(daemon);
      expect(await call("echo", { text: "in the flood" })).toBe("in the flood");
      for (const socket of flood) socket.destroy();
      await Promise.all(closed);
      const healthy = async () => (await send(daemon.url, { path: "/healthz" })).status;
      await vi.waitFor(async () => expect(await healthy()).toBe(200));
    },
  );
});

describe.concurrent("a wall clock that jumps", () => {
  it("[G9] neither ends a session nor lets an idle one live for ever", async () => {
    const inside = join(repository, "test-fixtures", "soak", "inside.mjs");
    await using gateway = await serve(
      {
        mcp: { idle_timeout: "2s" },
        mcp_servers: { echo: fixture("echo", ["echo"]) },
      },
      { nodeFlags: ["--import", inside], channel: true },
    );
    const { daemon } = gateway;
    const { child } = daemon.process;
    const jump = (years: number) =>
      new Promise((resolve) => {
        child.once("message", resolve);
        child.send?.({ ask: "shift", value: years * 365 * 86_400_000 });
      });
    const call = await openClient(daemon);
    await jump(10);
    expect(await call("echo", { text: "later" })).toBe("later");
    await jump(-10);
    expect(await call("echo", { text: "earlier" })).toBe("earlier");
    await vi.waitFor(async () => expect(await sessionsOf(daemon)).toBe(0), { timeout: 10_000 });
  });
});

describe.skipIf(isWindows).concurrent("a process that is killed (needs signals)", () => {
  it("[G13] ends its calls at once with the signal, and is started again", async () => {
    await using gateway = await serve({
      mcp_servers: { slow: fixture("dawdles", ["steps", "pid", "calls"]) },
    });
    const call = await openClient(gateway.daemon);
    const pid = Number(await call("pid"));
    const running = call("steps", { count: 1000, ms: 10 });
    await vi.waitFor(async () => expect(await call("calls")).toBe("1"));
    process.kill(pid, "SIGKILL");
    expect(await running).toContain("Server slow was ended by SIGKILL");
    expect(Number(await call("pid"))).not.toBe(pid);
  });

  it("[G13] [B3] leaves nothing of the gateway after its next start: no server, and no kept answer", async () => {
    await using gateway = await serve({
      mcp: { max_output: { bytes: 100, lines: 0 } },
      mcp_servers: {
        echo: fixture("echo", ["folder"]),
        big: fixture("big", ["text"]),
        stubborn: fixture("stubborn", ["pid"]),
      },
    });
    const { daemon } = gateway;
    const call = await openClient(daemon);
    const [, pid] = (await call("folder")).split("\n");
    const stubborn = Number(await call("pid"));
    await call("text", { bytes: 500 });
    await vi.waitFor(() => expect(filesIn(daemon.temporary)).toHaveLength(3));
    await daemon.stop("SIGKILL");
    await vi.waitFor(() => expect(isAlive(Number(pid))).toBe(false));
    // It ignores the end of its input, and nobody is left to end it.
    expect(isAlive(stubborn)).toBe(true);
    await using next = await daemon.restart();
    await vi.waitFor(() => expect(isAlive(stubborn)).toBe(false), { timeout: 10_000 });
    await vi.waitFor(() => expect(filesIn(daemon.temporary)).toEqual([]));
    await next.stop();
  });
});
