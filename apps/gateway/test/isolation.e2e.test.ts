import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createTempFolder, isAlive } from "test-fixtures";
import { describe, expect, it, vi } from "vitest";
import { script, startGateway, textOf } from "./gateway-process.ts";

const full = fileURLToPath(new URL("servers/full.mjs", import.meta.url));
const docker = fileURLToPath(new URL("servers/docker.mjs", import.meta.url));

describe.concurrent("isolation: session", () => {
  it("[G13] gives each session a process of its own, ended with it, and lists once for all", async () => {
    await using folder = createTempFolder();
    const starts = join(folder.path, "starts");
    await using gateway = await startGateway({
      mcp_servers: {
        full: script(full, ["where"], {
          args: [full, starts],
          isolation: "session",
          max_children: 2,
        }),
      },
    });
    const [first, second, third] = [
      await gateway.connect(),
      await gateway.connect(),
      await gateway.connect(),
    ];
    const pidOf = async (client: typeof first) =>
      Number(textOf(await client.callTool({ name: "where", arguments: {} }))?.split(" ")[1]);
    await first.listTools();
    await second.listTools();
    expect(readFileSync(starts, "utf8").trim().split("\n")).toHaveLength(1);
    const pids = [await pidOf(first), await pidOf(second), await pidOf(first)];
    expect(pids[0]).toBe(pids[2]);
    expect(pids[0]).not.toBe(pids[1]);
    await expect(pidOf(third)).rejects.toThrow(
      "Server full is busy: it already runs for 2 sessions",
    );
    await (first.transport as unknown as { terminateSession(): Promise<void> }).terminateSession();
    await vi.waitFor(() => expect(isAlive(pids[0] as number)).toBe(false));
    await vi.waitFor(async () => expect(pids).not.toContain(await pidOf(third)));
    expect(await pidOf(second)).toBe(pids[1]);
  });

  it("[G8] [G13] runs in the session's folder, and tells it as the root, where the entry says so", async () => {
    await using folder = createTempFolder();
    const root = join(folder.path, "code");
    for (const name of ["a", "b"]) mkdirSync(join(root, name), { recursive: true });
    await using gateway = await startGateway({
      mcp: { allowed_cwd_roots: [root] },
      mcp_servers: {
        full: script(full, ["where", "roots", "declared"], {
          isolation: "session",
          working_dir: "session",
          roots: "session",
        }),
        plain: script(full, ["declared"], { name_prefix: "plain", isolation: "session" }),
      },
    });
    const call = async (client: Awaited<ReturnType<typeof gateway.connect>>, name: string) =>
      textOf(await client.callTool({ name, arguments: {} })) ?? "";
    for (const name of ["a", "b"]) {
      const client = await gateway.connect({}, { cwd: join(root, name) });
      expect((await call(client, "where")).split(" ")[0]).toBe(join(root, name));
      expect(await call(client, "roots")).toContain(`"uri":"file://${join(root, name)}"`);
      expect(await call(client, "declared")).toBe("roots");
      expect(await call(client, "plain_declared")).toBe("");
    }
    const nowhere = await gateway.connect();
    for (let calls = 0; calls < 6; calls++)
      await expect(call(nowhere, "where")).rejects.toThrow("connect with ?cwd= in the URL");
    const other = await gateway.connect({}, { cwd: join(root, "a") });
    expect((await call(other, "where")).split(" ")[0]).toBe(join(root, "a"));

    const moved = await gateway.connect({}, { cwd: join(root, "b") });
    rmSync(join(root, "b"), { recursive: true });
    symlinkSync("/", join(root, "b"));
    await expect(call(moved, "where")).rejects.toThrow("not allowed");
  });
});

describe.concurrent("a server's process", () => {
  it("[G26] has the umask of the gateway, whatever the gateway was started with", async () => {
    await using gateway = await startGateway({ mcp_servers: { full: script(full, ["umask"]) } });
    const client = await gateway.connect();
    expect(textOf(await client.callTool({ name: "umask", arguments: {} }))).toBe("77");
  });
});

describe.concurrent("a session whose process keeps ending", () => {
  it("[G13] is left alone for a while, and no other session is", async () => {
    await using gateway = await startGateway({
      mcp_servers: { full: script(full, ["where", "crash"], { isolation: "session" }) },
    });
    const [unlucky, other] = [await gateway.connect(), await gateway.connect()];
    const call = (client: typeof other, name: string) => client.callTool({ name, arguments: {} });
    for (let ends = 0; ends < 5; ends++)
      await expect(call(unlucky, "crash")).rejects.toThrow("ended with exit code 9");
    await expect(call(unlucky, "where")).rejects.toThrow("keeps ending");
    expect(textOf(await call(other, "where"))).toBeDefined();
  });
});

describe.concurrent("a docker run server", () => {
  it("[G13] is stopped by its container's id, when the gateway stops and when its client is killed", async () => {
    await using folder = createTempFolder();
    const log = join(folder.path, "log");
    const command = join(folder.path, "docker");
    writeFileSync(log, "");
    writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${docker}" "$@"\n`, {
      mode: 0o755,
    });
    const path = `${folder.path}:${process.env.PATH}`;
    const entry = { command: "docker", env: { PATH: path, DOCKER_LOG: log } };
    const gateway = await startGateway({
      mcp_servers: {
        box: script("", ["args", "die"], {
          ...entry,
          args: ["--context", "c", "run", "-i", "--rm", "image"],
        }),
      },
    });
    const stops = () =>
      readFileSync(log, "utf8")
        .trim()
        .split("\n")
        .filter((line) => line !== "");
    try {
      const client = await gateway.connect();
      const args = textOf(await client.callTool({ name: "args", arguments: {} }));
      expect(args).toMatch(/^--context c run --cidfile \S+ -i --rm image$/);
      await client.callTool({ name: "die", arguments: {} }).catch(() => {});
      await vi.waitFor(() => expect(stops()).toHaveLength(1));
      await client.callTool({ name: "args", arguments: {} });
    } finally {
      await gateway[Symbol.asyncDispose]();
    }
    const stop = `--context c stop --time 1 ${"0123456789abcdef".repeat(4)}`;
    expect(stops()).toEqual([stop, stop]);
  });
});

describe.concurrent("a call that shows progress", () => {
  it("[G14] is given ten times its timeout in all, and no more", async () => {
    await using gateway = await startGateway({
      mcp_servers: { full: script(full, ["slow_progress"], { timeout: "150ms" }) },
    });
    const client = await gateway.connect();
    await client.listTools();
    const progress: number[] = [];
    const call = client.callTool({ name: "slow_progress", arguments: {} }, undefined, {
      onprogress: (note) => progress.push(note.progress),
    });
    await expect(call).rejects.toThrow("Server full did not answer within 150 ms");
    expect(progress.length).toBeGreaterThan(5);
    expect(progress.length).toBeLessThanOrEqual(30);
  });
});
