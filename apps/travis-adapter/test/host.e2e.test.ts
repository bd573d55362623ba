import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  builtBin,
  createTempFolder,
  isAlive,
  type RunningProcess,
  startProcess,
} from "test-fixtures";
import { describe, expect, it, vi } from "vitest";
import { createHome, fixture, type Home } from "./session.ts";

const bin = builtBin("travis234-mcp-adapter");

interface Line {
  readonly id?: unknown;
  readonly method?: string;
  readonly [key: string]: unknown;
}

/** A running `host` over a home folder, as its host sees it. */
interface Hosted extends RunningProcess {
  send(frame: object | string): void;
  execute(id: unknown, request: unknown, env?: object): void;
  /** All lines so far. Each is parsed: anything but the protocol on stdout fails the test. */
  lines(): Line[];
  /** The answers of an id, once there is one. */
  answersTo(id: unknown): Promise<Line[]>;
}

function openHost(home: Home, ...flags: string[]): Hosted {
  const args = [bin, "--home", home.path, "--cwd", home.path, "host", ...flags];
  const started = startProcess(process.execPath, args, { env: { PATH: process.env.PATH } });
  const lines = () =>
    started
      .printed()
      .stdout.split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  const send = (frame: object | string) => {
    const line = typeof frame === "string" ? frame : JSON.stringify(frame);
    started.child.stdin.write(`${line}\n`);
  };
  return {
    ...started,
    send,
    lines,
    execute(id, request, env = {}) {
      const present = { PATH: process.env.PATH, ...env };
      send({ id, method: "execute", params: { request, env: present } });
    },
    async answersTo(id) {
      await vi.waitFor(() => expect(lines().map((line) => line.id)).toContain(id), 10_000);
      return lines().filter((line) => line.id === id);
    },
  };
}

const textOf = (line: Line | undefined) =>
  (line?.result as { content: [{ text: string }] } | undefined)?.content[0].text ?? "";

describe.concurrent("travis234-mcp-adapter host", () => {
  it("[A4] greets with version, names and the count of ignored project files, then answers", async () => {
    await using home = await createHome({ echo: fixture("echo"), bad: {} });
    await using host = openHost(home);
    host.execute(1, { server: "echo", tool: "echo", args: { text: "hi" } });
    host.execute("1", {});
    host.execute(2, "no object");
    expect(textOf((await host.answersTo(1))[0])).toBe("hi");
    expect(textOf((await host.answersTo("1"))[0])).toContain("- echo: ");
    expect((await host.answersTo(2))[0]).toMatchObject({ result: { isError: true } });
    expect(host.lines()[0]).toEqual({
      method: "ready",
      params: {
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        servers: ["bad", "echo"],
        ignoredProjectFiles: 0,
      },
    });
  });

  it("[A4] answers a bad frame with an error, and goes on", async () => {
    await using home = await createHome({});
    await using host = openHost(home);
    host.send("not JSON");
    host.send({ id: 5, method: "execute", params: { request: {} } });
    host.send({ id: 6, method: "nonsense" });
    host.execute(7, {});
    await host.answersTo(7);
    expect(host.lines().slice(1, 4)).toMatchObject([
      { id: null, error: { code: "FRAME_INVALID" } },
      { id: 5, error: { code: "FRAME_INVALID", message: expect.stringMatching(/params\.env/) } },
      { id: 6, error: { code: "FRAME_INVALID" } },
    ]);
  });

  it("[A4] answers a cancelled id once", async () => {
    await using home = await createHome({ mute: fixture("mute"), echo: fixture("echo") });
    await using host = openHost(home);
    host.execute(1, { server: "mute" });
    host.send({ method: "cancel", params: { id: 1 } });
    host.send({ method: "cancel", params: { id: 1 } });
    expect(textOf((await host.answersTo(1))[0])).toMatch(/CANCELLED/);
    host.execute(2, { server: "echo" });
    await host.answersTo(2);
    expect(await host.answersTo(1)).toHaveLength(1);
  });

  it("[A4] resolves references in the environment of the latest request", async () => {
    await using home = await createHome({
      echo: fixture("echo", { env: { LEVEL: "$env:LEVEL" } }),
    });
    await using host = openHost(home);
    const ask = { server: "echo", tool: "environment", args: { name: "LEVEL" } };
    host.execute(1, ask);
    expect(textOf((await host.answersTo(1))[0])).toMatch(/REFERENCE_UNRESOLVED.*LEVEL/);
    host.execute(2, ask, { LEVEL: "first" });
    expect(textOf((await host.answersTo(2))[0])).toContain("first");
    host.execute(3, { server: "echo", operation: "reconnect" }, { LEVEL: "second" });
    await host.answersTo(3);
    host.execute(4, ask, { LEVEL: "third" });
    expect(textOf((await host.answersTo(4))[0])).toContain("second");
  });

  it("[A4] answers shutdown last of all, and exits with 0 and without its servers", async () => {
    await using home = await createHome({ echo: fixture("echo"), mute: fixture("mute") });
    await using host = openHost(home);
    host.execute(1, { server: "echo", tool: "folder" });
    const pid = Number(
      textOf((await host.answersTo(1))[0])
        .split("\n")
        .at(-1),
    );
    expect(isAlive(pid)).toBe(true);
    host.execute(2, { server: "mute" });
    host.send({ id: "bye", method: "shutdown" });
    expect(await host.exited).toMatchObject({ status: 0 });
    expect(host.lines().map(({ id }) => id)).toEqual([undefined, 1, 2, "bye"]);
    expect(host.lines().at(-1)).toEqual({ id: "bye", result: {} });
    expect(host.printed().stderr).toBe("");
    expect(isAlive(pid)).toBe(false);
  });

  it("[A4] dies with its stdin, and its servers with it", async () => {
    await using folder = createTempFolder();
    const mark = join(folder.path, "started");
    const script = `require("fs").writeFileSync(${JSON.stringify(mark)}, String(process.pid)); process.stdin.resume()`;
    await using home = await createHome({
      mute: { command: process.execPath, args: ["-e", script] },
    });
    await using host = openHost(home);
    host.execute(1, { server: "mute" });
    const pid = await vi.waitFor(async () => {
      const started = Number(await readFile(mark, "utf8"));
      expect(started).toBeGreaterThan(0);
      return started;
    }, 10_000);
    host.child.stdin.end();
    expect(await host.exited).toMatchObject({ status: 0 });
    expect(isAlive(pid)).toBe(false);
  });

  it("[A4] outlives its broken pipes for as long as it takes to end its servers", async () => {
    await using home = await createHome({
      stubborn: fixture("stubborn"),
      silent: fixture("silent"),
    });
    await using host = openHost(home);
    host.execute(1, { server: "stubborn", tool: "pid" });
    const pid = Number(textOf((await host.answersTo(1))[0]));
    host.execute(2, { server: "silent", tool: "wait" });
    // The answer to the call that still runs has nowhere to go, as when the host was killed.
    host.child.stdout.destroy();
    host.child.stdin.end();
    expect(await host.exited).toMatchObject({ status: 0 });
    expect([host.printed().stderr, isAlive(pid)]).toEqual(["", false]);
  });

  it("[A4] ends on a signal as on the end of stdin, with 128 + the signal", async () => {
    await using home = await createHome({});
    await using host = openHost(home);
    await host.waitFor(/"ready"/);
    host.child.kill("SIGTERM");
    expect(await host.exited).toMatchObject({ status: 143 });
  });

  it("[A9] takes the servers of packages as flags, and status tells what is wrong with one", async () => {
    await using home = await createHome({ node: fixture("echo") });
    const node = { name: "node", root: "/", command: process.execPath };
    const broken = { ...node, name: "broken", env: { SERVICE_TOKEN: "literal" } };
    const flags = [node, broken].flatMap((server) => ["--packaged-server", JSON.stringify(server)]);
    await using host = openHost(home, ...flags);
    host.execute(1, {});
    const status = textOf((await host.answersTo(1))[0]);
    expect(status).toContain("- node of its package replaces that of ~/.config/mcp/mcp.json");
    expect(status).toMatch(/- broken: misconfigured.*\n.*env\.SERVICE_TOKEN/);
    await using refused = openHost(home, "--packaged-server", '{"name":"node"}');
    expect(await refused.exited).toMatchObject({ status: 2 });
  });
});
