import { readFileSync } from "node:fs";
import { edges } from "test-fixtures";
import { describe, expect, it } from "vitest";
import type { GatewayConfig } from "../config/config.ts";
import { CHILD_DESCRIPTORS, MIN_CONNECTIONS, RESERVED_DESCRIPTORS } from "../limits.ts";
import { connectionsWithin, readOpenFilesLimit } from "./capacity.ts";

const config = {
  server: { listen: [{ host: "127.0.0.1", port: 1 }], socket: "/s", maxConnections: 100 },
  servers: [
    { isolation: "shared", maxChildren: 16 },
    { isolation: "session", maxChildren: 5 },
  ],
} as unknown as GatewayConfig;
const TAKEN = RESERVED_DESCRIPTORS + 6 * CHILD_DESCRIPTORS;

describe("readOpenFilesLimit", () => {
  it("[G9] is the limit that the system tells, and none where it tells none", () => {
    const told = (soft: unknown) =>
      readOpenFilesLimit(() => ({ userLimits: { open_files: { soft } } }));
    expect([told(256), told("unlimited")]).toEqual([256, Infinity]);
    expect(readOpenFilesLimit(() => ({}))).toBe(Infinity);
  });

  it.runIf(process.platform === "linux")("[G9] is what Linux says of this process", () => {
    const limits = readFileSync("/proc/self/limits", "utf8");
    const [, soft] = /^Max open files +(\d+)/m.exec(limits) ?? [];
    expect(readOpenFilesLimit()).toBe(soft === undefined ? Infinity : Number(soft));
  });
});

describe("connectionsWithin", () => {
  it.each(edges(100))(
    "[G9] takes the configured 100 or the %i that each listener has room for",
    (room) => {
      expect(connectionsWithin(TAKEN + 2 * room, config)).toBe(Math.min(100, room));
    },
  );

  it("[G9] takes what is configured where the system does not tell, and never too few to serve", () => {
    expect(connectionsWithin(Infinity, config)).toBe(100);
    expect(connectionsWithin(20, config)).toBe(MIN_CONNECTIONS);
  });
});
