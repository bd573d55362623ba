import { expect, it } from "vitest";
import { requireOffline } from "./offline.ts";
import type { ResolvedHttp, ResolvedStdio } from "./resolve.ts";

const http = (url: string): ResolvedHttp => ({
  kind: "http",
  url: new URL(url),
  headers: {},
  secrets: [],
});
const stdio = (command: string, ...args: string[]): ResolvedStdio => ({
  kind: "stdio",
  command,
  args,
  env: { KEPT: "1" },
  secrets: [],
});

it.each(["http://localhost:1", "http://127.0.0.9/mcp", "http://[::1]:80/", "http://a.localhost"])(
  "[A29] lets %s pass",
  (url) => {
    expect(requireOffline(http(url))).toEqual(http(url));
  },
);

it.each([
  "https://example.com",
  "http://localhost.example.com",
  "http://10.0.0.1",
  "http://0.0.0.0",
])("[A29] refuses %s", (url) => {
  expect(() => requireOffline(http(url))).toThrow(/Offline mode refuses/);
});

it("[A29] gives every process the settings that forbid package runners to download", () => {
  const settings = {
    npm_config_offline: "true",
    pnpm_config_offline: "true",
    YARN_ENABLE_NETWORK: "0",
    COREPACK_ENABLE_NETWORK: "0",
    UV_OFFLINE: "1",
    GOPROXY: "off",
  };
  for (const [command = "", ...args] of [
    ["npx", "-y", "x"],
    ["C:\\node\\npx.cmd"],
    ["cmd", "/c", "npx", "x"],
    ["sh", "-c", "exec uvx server"],
    ["my-server"],
  ])
    expect(requireOffline(stdio(command, ...args))).toEqual({
      ...stdio(command, ...args),
      env: { KEPT: "1", ...settings },
    });
});

it("[A29] an entry cannot undo a setting, in whatever case its name is written", () => {
  const entry = { ...stdio("npx"), env: { NPM_CONFIG_OFFLINE: "false", uv_offline: "0", A: "1" } };
  const { env } = requireOffline(entry) as ResolvedStdio;
  expect(Object.keys(env)).not.toEqual(expect.arrayContaining(["NPM_CONFIG_OFFLINE"]));
  expect(env).toMatchObject({ npm_config_offline: "true", UV_OFFLINE: "1", A: "1" });
});

it.each([
  ["bunx", ["bunx", "server"]],
  ["bun x", ["/opt/bun/bun", "x", "server"]],
  ["pipx", ["pipx.exe", "run", "server"]],
  ["dnx", ["dnx", "Server"]],
  ["docker", ["docker", "run", "-i", "image"]],
  ["podman", ["/usr/bin/podman", "run", "image"]],
  ["deno", ["deno", "run", "-A", "npm:server"]],
  ["bunx", ["cmd", "/d", "/s", "/c", "bunx.exe", "server"]],
  ["docker", ["sh", "-c", "cd /srv && exec docker run image"]],
  ["bun x", ["env", "A=1", "bun", "x", "server"]],
] as const)("[A29] refuses %s in %s, which has no such setting", (named, [command, ...args]) => {
  expect(() => requireOffline(stdio(command, ...args))).toThrow(
    new RegExp(`refuses ${named}, which may download`),
  );
});

it.each([
  ["node", ["docker", "x"]],
  ["bun", ["server.ts", "x"]],
  ["docker-mcp", ["run"]],
  ["deno", ["run", "server.ts"]],
  ["sh", ["-c", "exec docker-mcp --name docker.io"]],
])("[A29] lets %s %s pass, which is no such runner", (command, args) => {
  expect(requireOffline(stdio(command, ...args))).toMatchObject({ command });
});
