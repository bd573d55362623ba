import { describe, expect, it } from "vitest";
import { activeToolsWithMcp } from "./host.ts";

const defaults = ["read", "bash"];

describe("activeToolsWithMcp", () => {
  it("[A35] adds mcp once to an explicit list", () => {
    expect(activeToolsWithMcp({ defaults, tools: ["grep"] })).toEqual(["grep", "mcp"]);
    expect(activeToolsWithMcp({ defaults, tools: ["mcp", "grep"] })).toEqual(["mcp", "grep"]);
  });

  it("[A35] leaves mcp alone where there are no tools", () => {
    expect(activeToolsWithMcp({ defaults, tools: [] })).toEqual(["mcp"]);
  });

  it("[A35] adds mcp to the defaults where nothing was chosen", () => {
    expect(activeToolsWithMcp({ defaults })).toEqual(["read", "bash", "mcp"]);
    expect(activeToolsWithMcp({ defaults, excluded: ["bash"] })).toEqual(["read", "mcp"]);
  });

  it("[A35] refuses mcp that is excluded and asked for at once, and changes nothing", () => {
    const tools = Object.freeze(["read"]);
    const excluded = Object.freeze(["mcp"]);
    expect(() => activeToolsWithMcp({ defaults, tools, excluded })).toThrow(TypeError);
    expect([defaults, tools, excluded]).toEqual([["read", "bash"], ["read"], ["mcp"]]);
  });
});
