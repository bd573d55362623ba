import { CANARY } from "test-fixtures";
import { describe, expect, it } from "vitest";
import type { HttpDefinition, StdioDefinition } from "../config/schema.ts";
import { AdapterError } from "../errors.ts";
import { type ResolvedHttp, resolveServer } from "./resolve.ts";

const reconnect = { automatic: false, maxAttempts: 1, baseDelayMs: 100 };
const braced = (name: string) => `\${${name}}`;

function stdio(env: Record<string, string>): StdioDefinition {
  return { name: "s", kind: "stdio", command: braced("X"), args: [braced("X")], env, reconnect };
}

function http(headers: Record<string, string>, url = "https://example.com/mcp"): HttpDefinition {
  return { name: "s", kind: "http", url, headers, reconnect };
}

describe("resolveServer", () => {
  it("[A7] replaces references in env and headers alone, once", () => {
    const environment = { TOKEN: braced("OTHER"), OTHER: "never" };
    const values = { A_TOKEN: braced("TOKEN"), B: `x${braced("OTHER")}y`, C: "$env:OTHER" };
    expect(resolveServer(stdio(values), environment)).toMatchObject({
      command: braced("X"),
      args: [braced("X")],
      env: { A_TOKEN: braced("OTHER"), B: "xnevery", C: "never" },
    });
    const headers = { Authorization: "Bearer $env:OTHER" };
    expect(resolveServer(http(headers), environment)).toMatchObject({
      headers: { Authorization: "Bearer never" },
    });
  });

  it.each<[string, Record<string, string>]>([
    ["missing", {}],
    ["empty", { REMOTE_TOKEN: "" }],
  ])("[A7] names the field and the variable that is %s", (_state, environment) => {
    const resolve = () =>
      resolveServer(http({ Authorization: "Bearer $env:REMOTE_TOKEN" }), environment);
    expect(resolve).toThrow(AdapterError);
    expect(resolve).toThrow(/headers\.Authorization.*REMOTE_TOKEN/);
  });

  it("knows the secrets of credential fields and variables, and no others", () => {
    const environment = { HOME: "/home/me", API_KEY: CANARY, PLAIN: "shown" };
    const env = {
      PLAIN: braced("PLAIN"),
      HOME_DIR: braced("HOME"),
      X: braced("API_KEY"),
      MY_TOKEN: braced("HOME"),
    };
    const { secrets } = resolveServer(stdio(env), environment);
    expect(secrets.map(({ value }) => value)).toEqual([CANARY, "/home/me"]);
  });

  it("refuses a resolved header that HTTP forbids, without showing it", () => {
    const resolve = () =>
      resolveServer(http({ Authorization: braced("T") }), { T: `${CANARY}\r\nX: y` });
    expect(resolve).toThrow(/headers\.Authorization.*HTTP forbids/);
    expect(resolve).not.toThrow(CANARY);
  });

  it("moves user and password of a URL to a header, and knows them and a key in its query as secrets", () => {
    const url = "https://me:p%40ss-word@example.com/mcp?key=query-secret&mode=fast";
    const server = resolveServer(http({}, url), {}) as ResolvedHttp;
    expect(server.url.href).toBe("https://example.com/mcp?key=query-secret&mode=fast");
    expect(server.headers.authorization).toBe(`Basic ${btoa("me:p@ss-word")}`);
    expect(server.secrets.map(({ value }) => value)).toEqual(["p@ss-word", "query-secret"]);
  });
});
