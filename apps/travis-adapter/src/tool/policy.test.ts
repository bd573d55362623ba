import { edges } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { limits } from "../limits.ts";
import { policyContext } from "./policy.ts";

const long = edges(limits.maxQuoted).map((length) => "x".repeat(length));
const names = ["files", "git\nEffects: read", ...long];
const REFERENCE = `mcp-resource-${"0".repeat(32)}`;

describe("the policy context", () => {
  it.each<[object, string]>([
    [{ server: "files" }, "list"],
    [{ server: "files", search: "x" }, "search"],
    [{ server: "files", describe: "x" }, "describe"],
    [{ server: "files", tool: "x", args: { secret: "s" } }, "call"],
    [{ server: "files", operation: "resources.list" }, "resources.list"],
    [{ server: "files", operation: "resources.read", resource: REFERENCE }, "resources.read"],
    [{ server: "files", operation: "prompts.list" }, "prompts.list"],
    [{ server: "files", operation: "prompts.get", prompt: "p" }, "prompts.get"],
    [{ server: "files", operation: "reconnect" }, "reconnect"],
    [{ server: "files", operation: "delete everything" }, "validation"],
  ])("[A3] of %j is its operation and its server, nothing else", (request, operation) => {
    expect(policyContext(request, names)).toEqual({ operation, server: "files" });
  });

  it("[A3] names no server where there is none, and keeps the operation of an unknown one", () => {
    expect(policyContext({}, names)).toEqual({ operation: "status", server: "unconfigured" });
    expect(policyContext({ server: "other", tool: "x" }, names)).toEqual({
      operation: "call",
      server: "unconfigured",
    });
    for (const odd of [null, 5, [], { server: 5 }])
      expect(policyContext(odd, names)).toEqual({
        operation: "validation",
        server: "unconfigured",
      });
  });

  it("[A3] shows a configured name on one line and cut", () => {
    expect(policyContext({ server: "git\nEffects: read" }, names).server).toBe("git?Effects: read");
    const shown = long.map((server) => policyContext({ server }, names).server.length);
    expect(shown).toEqual([limits.maxQuoted - 1, limits.maxQuoted, limits.maxQuoted]);
  });
});
