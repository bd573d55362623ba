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

it("[A29] gives package runners their offline setting, also on Windows", () => {
  const npm = { KEPT: "1", npm_config_offline: "true" };
  expect(requireOffline(stdio("npx", "-y", "x"))).toMatchObject({ env: npm });
  expect(requireOffline(stdio("cmd", "/c", "npx", "x"))).toMatchObject({ env: npm });
  expect(requireOffline(stdio("C:\\node\\npx.cmd"))).toMatchObject({ env: npm });
  expect(requireOffline(stdio("/usr/bin/uvx"))).toMatchObject({ env: { UV_OFFLINE: "1" } });
  expect(requireOffline(stdio("node", "npx"))).toEqual(stdio("node", "npx"));
});

it("[A29] refuses runners without one", () => {
  expect(() => requireOffline(stdio("docker", "run"))).toThrow(/refuses docker/);
});
