import { type ClientEntry, clients, findClient } from "@core/clients";
import { describe, expect, it } from "vitest";
import { chooseEndpoint, connectEntry, isOwnEntry, requireFixedPort } from "./endpoint.ts";

const launcher = ["wraptool"] as const;
const row = (id: string) => findClient(id)!;
const at = (url: string) => ({ kind: "url", url: new URL(url) }) as const;
const server = (...listen: [host: string, port: number][]) => ({
  listen: listen.map(([host, port]) => ({ host, port })),
  socket: "/run/s",
});

describe("the endpoint", () => {
  it.each([
    ["127.0.0.1", "http://127.0.0.1:8717/mcp"],
    ["0.0.0.0", "http://127.0.0.1:8717/mcp"],
    ["::", "http://[::1]:8717/mcp"],
    ["localhost", "http://localhost:8717/mcp"],
  ])("[G21] is /mcp on the first listener without --url: %s", (host, expected) => {
    const endpoint = chooseEndpoint(server([host, 8717], ["127.0.0.1", 1]), undefined);
    expect(endpoint).toEqual(at(expected));
  });

  it("[G21] is the socket where nothing listens on TCP", () => {
    expect(chooseEndpoint(server(), undefined)).toEqual({ kind: "socket", path: "/run/s" });
  });

  it("[G21] is refused where the port changes with each start, unless a URL is named", () => {
    const changing = server(["127.0.0.1", 0]);
    const unnamed = chooseEndpoint(changing, undefined);
    expect(() => requireFixedPort(unnamed)).toThrow("another port with each start");
    const named = chooseEndpoint(changing, "http://h:1/sse#x");
    requireFixedPort(named);
    expect(named).toEqual(at("http://h:1/sse"));
  });

  it.each(["127.0.0.1:8717", "ftp://h/mcp", "nonsense", "http://user:word@h/mcp"])(
    "[G21] refuses --url %s and does not repeat it",
    (url) => {
      expect(() => chooseEndpoint(server(), url)).toThrow(/^--url must/);
      expect(() => chooseEndpoint(server(), url)).not.toThrow(url);
    },
  );
});

describe("the entry's URL", () => {
  const urlFor = (id: string, url: string) => connectEntry(row(id), at(url), { launcher });

  const speakers = clients.filter(({ http }) => http !== undefined);

  it.each(speakers.map(({ id }) => id))("[G21] keeps /sse where %s speaks it", (id) => {
    const entry = urlFor(id, "http://h:1/sse");
    const speaks = !["antigravity", "codex", "goose", "zed"].includes(id);
    expect(entry).toEqual({
      kind: speaks ? "sse" : "http",
      url: speaks ? "http://h:1/sse" : "http://h:1/mcp",
    });
  });

  it.each([
    ["http://h:1", "http://h:1/mcp"],
    ["http://h:1/", "http://h:1/mcp"],
    ["http://h:1/mcp?x=1", "http://h:1/mcp?x=1"],
    ["https://h/gate/way", "https://h/gate/way"],
  ])("[G21] of %s is %s", (named, expected) => {
    expect(urlFor("claude", named)).toEqual({ kind: "http", url: expected });
  });

  it("[G21] names the project's folder, encoded", () => {
    const details = { launcher, cwd: "/home/a b/ü&c" };
    const entry = connectEntry(row("claude"), at("http://h:1/mcp"), details) as { url: string };
    expect(new URL(entry.url).searchParams.get("cwd")).toBe("/home/a b/ü&c");
    expect(entry.url).toMatch(/\?cwd=%2Fhome%2Fa\+b%2F%C3%BC%26c$/);
  });

  it("[G21] is a bridge to it where the client only starts programs, which finds the token by itself", () => {
    const details = {
      launcher,
      cwd: "/code",
      tokenFile: "/t",
      token: { literal: "never-written" },
    };
    expect(connectEntry(row("junie"), at("http://h:1/sse"), details)).toEqual({
      kind: "stdio",
      command: "wraptool",
      args: [...["bridge", "--url", "http://h:1/mcp", "--token-file", "/t", "--cwd", "/code"]],
    });
  });

  it("[G21] is a bridge to a socket, which finds the token by itself", () => {
    const details = {
      launcher: ["node", "/x/cli.js"] as const,
      cwd: "/code",
      tokenFile: "/t",
      token: { literal: "never-written" },
    };
    expect(connectEntry(row("cursor"), { kind: "socket", path: "/s" }, details)).toEqual({
      kind: "stdio",
      command: "node",
      args: ["/x/cli.js", "bridge", "--socket", "/s", "--token-file", "/t", "--cwd", "/code"],
    });
  });
});

describe("an entry that nothing records", () => {
  const isOwn = (entry: ClientEntry, usesDefaultName = true) =>
    isOwnEntry(entry, { endpoint: at("https://gate.example/mcp"), usesDefaultName });
  const http = (url: string): ClientEntry => ({ kind: "http", url });
  const stdio = (command: string, ...args: string[]): ClientEntry => ({
    kind: "stdio",
    command,
    args,
  });

  it.each([
    http("https://gate.example/sse?cwd=%2Fcode"),
    http("http://127.0.0.1:9/mcp"),
    http("http://[::1]:9/mcp"),
    stdio("wraptool", "bridge", "--socket", "/s"),
    stdio("/usr/bin/node", "/x/dist/cli.js", "bridge", "--url", "http://h"),
  ])("[G22] is ours in %j", (entry) => {
    expect(isOwn(entry)).toBe(true);
  });

  it.each([
    http("http://127.0.0.1:9/other"),
    http("http://127.0.0.1:9/mcp?key=1"),
    http("https://elsewhere.example/mcp"),
    http("no URL"),
    stdio("wraptool", "serve"),
    stdio("other", "bridge", "--socket", "/s"),
    stdio("bridge", "--socket", "/s"),
  ])("[G22] is somebody else's in %j", (entry) => {
    expect(isOwn(entry)).toBe(false);
  });

  it("[G22] is somebody else's under another name, though it is on this machine", () => {
    expect(isOwn(http("http://127.0.0.1:9/mcp"), false)).toBe(false);
    expect(isOwn(stdio("node", "/y/cli.js", "bridge", "--url", "u"), false)).toBe(false);
    expect(isOwn(http("https://gate.example/mcp"), false)).toBe(true);
    expect(isOwn(stdio("/bin/wraptool", "bridge", "--url", "u"), false)).toBe(true);
  });
});
