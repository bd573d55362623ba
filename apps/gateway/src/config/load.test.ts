import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CANARY, createTempFolder, findCanary } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { formatAddress } from "./address.ts";
import { builtInConfig, loadConfig } from "./load.ts";
import { maskConfig } from "./masked.ts";
import { findPlaces } from "./place.ts";

async function load(text: string) {
  await using folder = createTempFolder();
  const file = join(folder.path, "gateway.yaml");
  writeFileSync(file, text);
  const loading = loadConfig(file, findPlaces({}, "/home/me"));
  const problems = loading.ok
    ? []
    : loading.problems.map(({ message }) => message.replace(`${folder.path}/`, ""));
  return { loading, problems, folder: folder.path };
}

async function loaded(text: string) {
  const { loading, folder } = await load(text);
  if (!loading.ok) throw loading.problems[0];
  return { ...loading.loaded, folder };
}

describe("loadConfig", () => {
  it("reads the example of the seed", async () => {
    const { config } = await loaded(`mcp_servers:
  issue_tracker:
    command: /absolute/path/to/server
    args: ["--stdio"]
    timeout: 30s
    init_timeout: 10s
    name_prefix: tracker
    env_files:
      - ~/.config/wraptool/tracker.env
    allow:
      - tool: list_issues
      - tool: get_issue
    deny:
      - tool: delete_issue
`);
    expect(config.servers).toEqual([
      {
        name: "issue_tracker",
        command: "/absolute/path/to/server",
        args: ["--stdio"],
        env: {},
        envFiles: ["/home/me/.config/wraptool/tracker.env"],
        workingDir: undefined,
        worksInSession: false,
        isolation: "shared",
        tellsRoots: false,
        maxChildren: 16,
        timeoutMs: 30_000,
        initTimeoutMs: 10_000,
        namePrefix: "tracker",
        allow: [{ tool: "list_issues" }, { tool: "get_issue" }],
        deny: [{ tool: "delete_issue" }],
        maxOutput: { bytes: 1024 * 1024, lines: 20_000 },
      },
    ]);
  });

  it("fills in the defaults, and resolves paths from the file's folder but not bare commands", async () => {
    const { config, folder } = await loaded(`server: {auth_token_file: token}
mcp_servers:
  a: {command: npx, working_dir: ../work}
  b: {command: ./server}
`);
    expect(config.server).toMatchObject({
      listen: [{ host: "127.0.0.1", port: 8717 }],
      tokenFile: join(folder, "token"),
      maxBodyBytes: 4 * 1024 * 1024,
    });
    expect(config.servers).toMatchObject([
      { command: "npx", workingDir: join(folder, "../work") },
      { command: join(folder, "server") },
    ]);
  });

  it.each([
    ["server: {port: 1}", /^gateway.yaml:1:\d+ server.port: unknown field/],
    ["mcp: {max_sessions: many}", /^gateway.yaml:1:21 mcp.max_sessions: must be an integer/],
    ["mcp: {idle_timeout: 5 minutes}", /^gateway.yaml:1:\d+ mcp.idle_timeout: must be a duration/],
    ["mcp: {list_wait: 0s}", /mcp.list_wait: must be longer than 0/],
    ["server: {}\nserver: {}", /^gateway.yaml:2:1 server: /],
    ["server: {listen: localhost}", /server.listen: must be HOST:PORT/],
    ['server: {listen: ["a:1", "b"]}', /server.listen/],
    ['server: {listen: ["[::1]:1", "a:1", "[::1]:1"]}', /server.listen\[2\]: stands twice/],
    ["mcp_servers: {a: {}}", /mcp_servers.a.command: /],
    ['mcp_servers: {"a b": {command: x}}', /mcp_servers\["a b"\]: .*use 1 to 64/],
    ["mcp_servers: {a: {command: x, env: {PORT: 80}}}", /env.PORT: must be a string/],
    ["mcp: {max_output: 1MiB}", /mcp.max_output: must be 0 or {bytes: SIZE, lines: COUNT}/],
    ["mcp_servers: {a: {command: x, roots: session}}", /a.roots: needs isolation: session/],
    ["mcp_servers: {a: {command: x, working_dir: session}}", /a.working_dir: needs isolation/],
    ["mcp_servers: {a: {command: x, allow: [{}]}}", /a.allow\[0\]: must name one tool/],
    ["mcp_servers: {a: {command: x, allow: [{tool: t, prompt: p}]}}", /must name one tool/],
    ["mcp_servers: {a: {command: x, allow: [{prompt: p, pin: true}]}}", /belong to a tool/],
    ["mcp_servers: {a: {command: x, allow: [{tool: t, only: true}]}}", /only needs args/],
    [
      "mcp_servers: {a: {command: x, deny: [{tool: t, args: {}}]}}",
      /deny\[0\].args: unknown field/,
    ],
    ["audit: {file: /a, keep: -1}", /audit.keep: /],
    ["a: &a [x]\nb: [*a, *a]", /unknown field/],
  ])("[G1] refuses %j with file, line, column and field", async (text, message) => {
    expect((await load(text)).problems[0]).toMatch(message);
  });

  it.each([
    ["{}", ["127.0.0.1:8717"], undefined],
    ["server: {transport: unix}", [], "/home/me/.local/state/wraptool/wraptool.sock"],
    ["server: {transport: unix, socket: ~/s}", [], "/home/me/s"],
    ["server: {transport: [sse, unix], socket: s}", ["127.0.0.1:8717"], "/config/s"],
    ["server: {socket: /s}", ["127.0.0.1:8717"], undefined],
  ])("[G3] reads %j as these listeners", async (text, listen, socket) => {
    const { config, folder } = await loaded(text);
    expect(config.server.listen.map(formatAddress)).toEqual(listen);
    expect(config.server.socket?.replace(folder, "/config")).toBe(socket);
  });

  it("[G3] serves a pipe on Windows whatever file the configuration names", async () => {
    await using folder = createTempFolder();
    const file = join(folder.path, "gateway.yaml");
    const socketOf = (server: string) => {
      writeFileSync(file, `server: {${server}}`);
      const loading = loadConfig(file, findPlaces({}, "C:\\Users\\me", "win32"));
      return loading.ok ? loading.loaded.config.server.socket : loading.problems;
    };
    const usual = socketOf("transport: unix");
    expect(usual).toMatch(/^\\\\\.\\pipe\\wraptool-/);
    expect(socketOf("transport: unix, socket: run/s")).toBe(usual);
    expect(socketOf("transport: unix, socket: '\\\\.\\pipe\\mine'")).toBe("\\\\.\\pipe\\mine");
    expect(socketOf("transport: sse")).toBeUndefined();
  });

  it("[G1] shows no value of a secret", async () => {
    const secret = JSON.stringify(CANARY);
    for (const text of [
      `mcp_servers: {a: {command: x, env: {API_TOKEN: [${secret}]}}}`,
      `mcp_servers: {a: {command: x, env: {API_TOKEN: ${secret}}, timeout: ${secret}}}`,
    ])
      expect(findCanary((await load(text)).problems.join("\n"))).toEqual([]);
  });
});

describe("output limits", () => {
  it.each([
    ["max_output: 0", { bytes: 0, lines: 0 }],
    ["max_output: {bytes: 0}", { bytes: 0, lines: 500 }],
    ["max_output: {bytes: 64KiB, lines: 0}", { bytes: 65_536, lines: 0 }],
    ["pin: false", { bytes: 1024 * 1024, lines: 500 }],
  ])(
    "[G19] of a server with %s are its own where it has them, else those of all",
    async (entry, expected) => {
      const { config } = await loaded(
        `{mcp: {max_output: {lines: 500}}, mcp_servers: {a: {command: x, ${entry}}}}`,
      );
      expect(config.servers[0]?.maxOutput).toEqual(expected);
    },
  );
});

describe("maskConfig", () => {
  it("has the form that loadConfig reads as the same, with credential-named variables masked", async () => {
    const text = `server: {listen: ["127.0.0.1:1", "[::1]:2"], auth_token_file: /token}
mcp: {idle_timeout: 90s, list_wait: 1500ms}
mcp_servers:
  a: {command: x, args: [y], env: {API_TOKEN: ${JSON.stringify(CANARY)}, LEVEL: info}, name_prefix: p, isolation: session, roots: session, working_dir: session, pin: true, allow: [{tool: t, args: {x: {type: string}}, only: true}, {resource: "f:*"}], deny: [{prompt: q}]}
audit: {file: /audit}
`;
    const { config } = await loaded(text);
    const masked = maskConfig(config);
    expect(findCanary(JSON.stringify(masked))).toEqual([]);
    expect(masked).toMatchObject({
      mcp: { idle_timeout: "90s", list_wait: "1500ms" },
      mcp_servers: { a: { env: { API_TOKEN: "[secret]", LEVEL: "info" } } },
    });
    const again = await loaded(stringify(masked));
    expect(again.config).toEqual({
      ...config,
      servers: [{ ...config.servers[0], env: { API_TOKEN: "[secret]", LEVEL: "info" } }],
    });
  });
});

describe("builtInConfig", () => {
  it("[G2] listens on loopback, wants the token of the usual file, and has no servers", () => {
    const { config, file } = builtInConfig(findPlaces({}, "/home/me"));
    expect(file).toBeUndefined();
    expect(config.servers).toEqual([]);
    expect(config.server).toMatchObject({
      listen: [{ host: "127.0.0.1", port: 8717 }],
      tokenFile: "/home/me/.config/wraptool/token",
    });
  });
});
