import { describe, expect, it } from "vitest";
import { parseTarget } from "./target.ts";

describe("parseTarget", () => {
  it.each([
    [undefined, { path: "" }],
    ["/mcp", { path: "/mcp" }],
    ["/mcp?", { path: "/mcp" }],
    ["/mcp?cwd=%2Ftmp%2Fa%20b", { path: "/mcp", cwd: "/tmp/a b" }],
    ["/mcp?cwd=/a+b", { path: "/mcp", cwd: "/a b" }],
    ["/messages?sessionId=x&cwd=/a", { path: "/messages", sessionId: "x", cwd: "/a" }],
    ["/mcp?cwd=/a&cwd=/b", { path: "/mcp", cwd: null }],
    ["/mcp?cwd=/a&cwd=/a", { path: "/mcp", cwd: null }],
  ])("reads %j", (url, target) => {
    expect(parseTarget(url)).toEqual({ cwd: undefined, sessionId: undefined, ...target });
  });
});
