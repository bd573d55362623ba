import { describe, expect, it } from "vitest";
import { discoverResult, parseDiscover } from "./discover.ts";

const serverInfo = { name: "s", version: "1" };
const capabilities = { tools: { listChanged: true } };

describe("server/discover", () => {
  it("[W8] answers with all that the specification asks for", () => {
    expect(discoverResult({ serverInfo, capabilities, instructions: "be kind" })).toEqual({
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities,
      instructions: "be kind",
      ttlMs: 0,
      cacheScope: "private",
      _meta: { "io.modelcontextprotocol/serverInfo": serverInfo },
    });
    expect(discoverResult({ serverInfo, capabilities })).not.toHaveProperty("instructions");
  });

  it("[W8] is read as it was written", () => {
    expect(parseDiscover(discoverResult({ serverInfo, capabilities, instructions: "x" }))).toEqual({
      ok: true,
      discovered: {
        version: "2026-07-28",
        supportedVersions: ["2026-07-28"],
        capabilities,
        serverInfo,
        instructions: "x",
      },
    });
  });

  it("[W8] chooses our best version that the server has, and does without name and instructions", () => {
    const result = {
      supportedVersions: ["2030-01-01", "2028-01-01", "2026-07-28"],
      capabilities: {},
    };
    expect(parseDiscover(result, ["2029-01-01", "2028-01-01", "2026-07-28"])).toEqual({
      ok: true,
      discovered: { version: "2028-01-01", ...result },
    });
  });

  it.each([
    ["no object", null, "the result is not an object"],
    ["no versions", { capabilities }, "supportedVersions is not a list of texts"],
    [
      "odd versions",
      { supportedVersions: [1], capabilities },
      "supportedVersions is not a list of texts",
    ],
    ["no capabilities", { supportedVersions: ["2026-07-28"] }, "capabilities is not an object"],
    [
      "other versions",
      { supportedVersions: ["2030-01-01"], capabilities },
      "the server speaks none of 2026-07-28",
    ],
  ])("[W8] says what is wrong with a result: %s", (_, result, reason) => {
    expect(parseDiscover(result)).toEqual({ ok: false, reason });
  });
});
