import { createHook } from "node:async_hooks";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createTempFolder } from "test-fixtures";
import { expect, it } from "vitest";
import { startHttpServer } from "./http-server.ts";
import { createHome, fixture, loadLibrary, openSession } from "./session.ts";

/** What Node makes for each process that starts, each name that is looked up and each connection that is opened. */
const REACHING = /^(PROCESSWRAP|GETADDRINFOREQWRAP|QUERYWRAP|TCPWRAP|TCPCONNECTWRAP|PIPEWRAP)$/;

/** Does the work and gives the kinds of handles that were made meanwhile for what lies outside of this process. */
async function reachedDuring(work: () => Promise<unknown>): Promise<string[]> {
  const made: string[] = [];
  const hook = createHook({
    init(_id, type) {
      if (REACHING.test(type)) made.push(type);
    },
  });
  hook.enable();
  await work();
  hook.disable();
  return made;
}

/** Variables that tell which of them was looked at. */
function watchedEnvironment() {
  const seen: string[] = [];
  const note = (_target: object, name: string | symbol) => void seen.push(String(name));
  const env = new Proxy<Record<string, string>>(
    {},
    {
      get: note,
      has: (target, name) => note(target, name) ?? false,
      ownKeys: (target) => note(target, "all names") ?? [],
    },
  );
  return { env, seen };
}

it("[A12] the empty request starts no process, looks up no name, opens no connection and no file, and reads no variable", async () => {
  await using folder = createTempFolder();
  await using server = await startHttpServer();
  const mark = join(folder.path, "started");
  const script = `require("fs").writeFileSync(${JSON.stringify(mark)}, "")`;
  await using home = await createHome({
    process: { command: process.execPath, args: ["-e", script] },
    variable: { command: process.execPath, env: { SERVICE_TOKEN: "$env:MISSING_TOKEN" } },
    connection: { url: server.url, headers: { Authorization: "Bearer $env:MISSING_TOKEN" } },
    name: { url: "http://status.invalid/mcp" },
  });
  const { env, seen } = watchedEnvironment();
  const { createAdapter } = await loadLibrary();
  await using adapter = await createAdapter({ cwd: home.path, home: home.path, env });
  // Configuration is read when the session starts, so status works without its files.
  rmSync(home.path, { recursive: true });
  const reached = await reachedDuring(async () => {
    const { content, isError } = await adapter.execute({});
    expect([content, isError]).toEqual([
      [
        {
          type: "text",
          text: [
            "MCP adapter status",
            ...["connection", "name", "process", "variable"].map(
              (name) => `- ${name}: disconnected; automaticReconnect=off`,
            ),
          ].join("\n"),
        },
      ],
      false,
    ]);
  });
  expect([reached, seen, server.requests, existsSync(mark)]).toEqual([[], [], [], false]);
});

it("[A12] what tells of reaching out would have told of it", async () => {
  await using server = await startHttpServer();
  const { env, seen } = watchedEnvironment();
  const servers = { process: fixture("exits-at-start"), web: { url: server.url } };
  await using session = await openSession(servers, { env });
  const reached = await reachedDuring(async () => {
    await session.ask({ server: "process" });
    await session.ask({ server: "web" });
  });
  expect(new Set(reached)).toEqual(
    new Set(["PROCESSWRAP", "PIPEWRAP", "TCPWRAP", "TCPCONNECTWRAP"]),
  );
  expect(seen).not.toEqual([]);
});

it("[A12] the empty request asks nothing of a server that is connected", async () => {
  await using server = await startHttpServer();
  await using session = await openSession({ web: { url: server.url } });
  await session.ask({ server: "web" });
  const posts = () => server.requests.filter(({ method }) => method === "POST").length;
  const before = posts();
  expect((await session.ask({})).text).toContain("- web: connected;");
  expect(posts()).toBe(before);
});
