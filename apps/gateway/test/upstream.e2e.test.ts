import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CANARY, createTempFolder, findCanary, fixtureServer, isAlive } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { fixture, script, startGateway, textOf } from "./gateway-process.ts";

describe.concurrent("a server's process", () => {
  it("[G13] has its working folder and the minimal environment, env files and env", async () => {
    await using folder = createTempFolder();
    const envFile = join(folder.path, "env");
    writeFileSync(envFile, "FROM_FILE=file\nBOTH=file\n", { mode: 0o600 });
    await using gateway = await startGateway(
      {
        mcp_servers: {
          echo: fixture("echo", ["environment", "folder"], {
            working_dir: folder.path,
            env_files: [envFile],
            env: { BOTH: "entry" },
          }),
        },
      },
      { OF_THE_DAEMON: "x" },
    );
    const client = await gateway.connect();
    const call = async (name: string, args = {}) =>
      textOf(await client.callTool({ name, arguments: args })) ?? "";
    expect((await call("folder")).split("\n")[0]).toBe(folder.path);
    const names = (await call("environment")).split("\n");
    expect(names).toEqual(expect.arrayContaining(["BOTH", "FROM_FILE", "HOME", "PATH"]));
    expect(names).not.toContain("OF_THE_DAEMON");
    expect(await call("environment", { name: "BOTH" })).toBe("entry");
  });

  it("[G13] is started once for all who need it at the same time, and shared", async () => {
    await using gateway = await startGateway({
      mcp_servers: { echo: fixture("echo", ["folder"]) },
    });
    const clients = await Promise.all(Array.from({ length: 5 }, () => gateway.connect()));
    const pids = await Promise.all(
      clients.map(async (client) => textOf(await client.callTool({ name: "folder" }))),
    );
    expect(new Set(pids).size).toBe(1);
  });

  it("[G13] that dies fails its calls at once with exit code and last words, runs none twice, and starts afresh", async () => {
    await using folder = createTempFolder();
    const log = join(folder.path, "log");
    await using gateway = await startGateway({
      mcp_servers: { dying: fixture("dies-in-call", ["boom", "fine"]) },
    });
    const client = await gateway.connect();
    const boom = client.callTool({ name: "boom", arguments: { file: log } });
    await expect(boom).rejects.toThrow(
      "Server dying ended with exit code 17. Its last words: fatal: out of luck",
    );
    expect(readFileSync(log, "utf8")).toBe("ran\n");
    expect(textOf(await client.callTool({ name: "fine" }))).toBe("fine");
    expect(readFileSync(log, "utf8")).toBe("ran\n");
  });

  it("[G13] that keeps dying is left alone for a while, and its calls fail at once", async () => {
    await using gateway = await startGateway({
      mcp_servers: { broken: fixture("exits-at-start", ["any"]) },
    });
    const client = await gateway.connect();
    const call = () => client.callTool({ name: "any" });
    for (let starts = 0; starts < 5; starts++)
      await expect(call()).rejects.toThrow(/ended with exit code 3 before it was ready/);
    await expect(call()).rejects.toThrow(/keeps ending, so it is not started for another \d+ s/);
  });

  it("[G13] that ignores the end of its input and SIGTERM is gone when the gateway is", async () => {
    const gateway = await startGateway({ mcp_servers: { stubborn: fixture("stubborn", ["pid"]) } });
    let pid = 0;
    try {
      const client = await gateway.connect();
      pid = Number(textOf(await client.callTool({ name: "pid" })));
      expect(isAlive(pid)).toBe(true);
    } finally {
      await gateway[Symbol.asyncDispose]();
    }
    expect(isAlive(pid)).toBe(false);
    expect((await gateway.process.exited).status).toBe(0);
  });

  it("may print noise between its answers", async () => {
    await using gateway = await startGateway({ mcp_servers: { noisy: fixture("noisy", ["say"]) } });
    const client = await gateway.connect();
    expect(textOf(await client.callTool({ name: "say" }))).toBe("said");
  });

  it("[G14] that does not answer in time fails its call, and goes on with others", async () => {
    await using gateway = await startGateway({
      mcp_servers: { silent: fixture("silent", ["wait"], { timeout: "300ms" }) },
    });
    const client = await gateway.connect();
    await expect(client.callTool({ name: "wait" })).rejects.toThrow(
      "Server silent did not answer within 300 ms",
    );
    expect((await client.listTools()).tools).toHaveLength(1);
  });

  it("[G14] that does not start in time fails with that reason", async () => {
    await using gateway = await startGateway({
      mcp_servers: { mute: fixture("mute", ["any"], { init_timeout: "300ms" }) },
    });
    const client = await gateway.connect();
    await expect(client.callTool({ name: "any" })).rejects.toThrow(
      "Server mute did not answer within 300 ms",
    );
  });

  it("[G19] that sends more than max_message fails that call alone", async () => {
    await using gateway = await startGateway({
      mcp: { max_message: "64KiB" },
      mcp_servers: { big: fixture("big", ["text"]) },
    });
    const client = await gateway.connect();
    const call = (bytes: number) => client.callTool({ name: "text", arguments: { bytes } });
    const results = await Promise.allSettled([call(100), call(100_000), call(60_000)]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(String((results[1] as PromiseRejectedResult).reason)).toContain("mcp.max_message");
  });
});

describe.concurrent("a list", () => {
  it("[G14] waits for a slow or broken server no longer than list_wait, and announces the late one", async () => {
    await using gateway = await startGateway({
      mcp: { list_wait: "400ms" },
      mcp_servers: {
        echo: fixture("echo", ["echo"]),
        broken: fixture("exits-at-start", ["any"]),
        missing: { command: "no-such-command-anywhere", allow: [{ tool: "nothing" }] },
        slow: script(fixtureServer("slow-start"), ["late"], {
          args: [fixtureServer("slow-start"), "1500"],
        }),
      },
    });
    const client = await gateway.connect();
    const changed = new Promise((resolve) => {
      client.fallbackNotificationHandler = async ({ method }) => resolve(method);
    });
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    // It runs before the list is timed, however slow the machine is.
    await client.callTool({ name: "echo", arguments: { text: "hi" } });
    expect(await names()).toEqual(["echo"]);
    expect(await changed).toBe("notifications/tools/list_changed");
    expect(await names()).toEqual(["echo", "late"]);
    expect(textOf(await client.callTool({ name: "echo", arguments: { text: "hi" } }))).toBe("hi");
  });
});

describe.concurrent("a secret", () => {
  it("[G18] of env files and credential-named variables comes out nowhere: not in results, errors or logs", async () => {
    await using folder = createTempFolder();
    const envFile = join(folder.path, "env");
    const fromFile = `file-${CANARY}`;
    writeFileSync(envFile, `PLAIN_NAME=${fromFile}\n`, { mode: 0o600 });
    const env = { SERVICE_TOKEN: CANARY };
    await using gateway = await startGateway({
      log: { level: "debug" },
      mcp_servers: {
        echo: fixture("echo", ["environment", "echo"], { env, env_files: [envFile] }),
        broken: fixture("exits-at-start", ["any"], { env }),
      },
    });
    const client = await gateway.connect();
    const value = async (name: string) =>
      textOf(await client.callTool({ name: "environment", arguments: { name } }));
    expect(await value("SERVICE_TOKEN")).toBe("[redacted]");
    expect(await value("PLAIN_NAME")).toBe("[redacted]");
    const error = await client.callTool({ name: "any" }).catch(String);
    expect(error).toContain("cannot open the database for [redacted]");
    await client.listTools();
    expect(findCanary(`${gateway.printed()}${error}`)).toEqual([]);
    expect(gateway.printed()).not.toContain(fromFile);
  });
});
