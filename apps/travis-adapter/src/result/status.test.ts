import { countBytes } from "@core/bounds";
import { edges } from "test-fixtures";
import { describe, expect, it } from "vitest";
import type { Snapshot } from "../connection/connection.ts";
import { limits } from "../limits.ts";
import type { RegisteredServer, RegistryReport } from "../registry/registry.ts";
import { draftStatus } from "./status.ts";

const server = (name: string, fields: Partial<RegisteredServer> = {}): RegisteredServer => ({
  name,
  origin: "~/.config/mcp/mcp.json",
  shadowed: [],
  automaticReconnect: false,
  maxReconnectAttempts: 1,
  problems: [],
  ...fields,
});
const statusOf = (report: Partial<RegistryReport>, snapshots: Record<string, Snapshot> = {}) => {
  const { blocks, ...draft } = draftStatus({
    operation: "status",
    report: { servers: [], faults: [], ignoredProjectFiles: 0, ...report },
    snapshots: new Map(Object.entries(snapshots)),
  });
  const text = blocks.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  return { ...draft, text };
};

describe("draftStatus", () => {
  it("[A12] tells states, shadowed entries, ignored files, and the last error's class and time", () => {
    const servers = [
      server("a", { automaticReconnect: true }),
      server("b", { origin: ".mcp.json", shadowed: ["~/.config/mcp/mcp.json"] }),
      server("c", { problems: [".mcp.json:3:5 mcpServers.c.url: must be an http or https URL"] }),
    ];
    const lastError = { code: "CONNECTION_LOST", atMs: Date.UTC(2026, 7, 1) } as const;
    const { text, isError, details } = statusOf(
      { servers, ignoredProjectFiles: 2 },
      { a: { state: "failed", updatedAtMs: 3, connectedAtMs: 1, lastError } },
    );
    expect(text.split("\n")).toEqual([
      "MCP adapter status",
      "- a: failed; automaticReconnect=on; lastError=CONNECTION_LOST at 2026-08-01T00:00:00.000Z",
      "- b: disconnected; automaticReconnect=off",
      "- b of .mcp.json replaces that of ~/.config/mcp/mcp.json",
      "- c: misconfigured, not available",
      "  .mcp.json:3:5 mcpServers.c.url: must be an http or https URL",
      "- 2 project configuration file(s) ignored until the project is trusted: /trust, then /reload",
    ]);
    expect(isError).toBe(true);
    expect(details).toMatchObject({
      ignoredProjectSources: 2,
      servers: [
        { name: "a", status: "failed", lastErrorType: "CONNECTION_LOST", connectedAtMs: 1 },
        { name: "b", status: "disconnected", shadowed: ["~/.config/mcp/mcp.json"] },
        { name: "c", status: "misconfigured" },
      ],
    });
  });

  it("[A12] says that nothing is configured", () => {
    expect(statusOf({})).toMatchObject({
      isError: false,
      text: "MCP adapter status\n- no configured servers",
    });
  });

  it("[A31] shows a configuration error of up to 4,000 bytes whole, and the beginning of a longer one", () => {
    const prefix = "MCP adapter configuration error: ";
    const texts = edges(limits.maxConfigErrorBytes).map(
      (bytes) => statusOf({ faults: ["é".padEnd(bytes - prefix.length - 1, "x")] }).text,
    );
    expect(texts.map(countBytes)).toEqual([3999, 4000, 4000]);
    expect(texts.map((text) => text.endsWith("…"))).toEqual([false, false, true]);
    expect(limits.maxConfigErrorBytes).toBe(4000);
  });
});
