import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "@core/config";
import fc from "fast-check";
import { CANARY, createTempFolder, damaged, mutated } from "test-fixtures";
import { afterAll, expect, it } from "vitest";
import { stringify } from "yaml";
import { findPolicyProblems } from "../policy/policy.ts";
import { findResourceProblems } from "../policy/resource.ts";
import { loadConfig } from "./load.ts";
import { findPlaces } from "./place.ts";

const folder = createTempFolder();
afterAll(() => folder[Symbol.asyncDispose]());
const file = join(folder.path, "gateway.yaml");
const places = findPlaces({}, "/home/me");

const whole = {
  server: {
    transport: ["sse", "unix"],
    listen: "127.0.0.1:8717",
    max_body: "4MiB",
    allowed_hosts: ["a"],
  },
  mcp: {
    allowed_cwd_roots: ["~/code"],
    idle_timeout: "30m",
    max_output: { bytes: "1MiB", lines: 20 },
  },
  mcp_servers: {
    tracker: {
      command: "/bin/true",
      args: ["--stdio"],
      env: { API_TOKEN: CANARY },
      isolation: "session",
      timeout: "1m30s",
      name_prefix: "t",
      allow: [
        { tool: "list", args: { path: { type: "string" } }, only: true, pin: true },
        { resource: "file:///desk/*" },
        { prompt: "hello" },
      ],
      deny: [{ tool: "drop" }],
      max_output: 0,
    },
  },
  audit: { file: "~/audit.jsonl", max_size: "10MiB", keep: 5 },
  log: { level: "info", format: "text" },
};
const written = mutated(whole).map((value) => stringify(value));
const text = fc.oneof(
  { weight: 3, arbitrary: written.map((yaml) => Buffer.from(yaml)) },
  { weight: 2, arbitrary: damaged(written) },
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
);

it("[G1] [P3] any file is a configuration, or refused by place, field and reason without a secret", () => {
  fc.assert(
    fc.property(text, (bytes) => {
      writeFileSync(file, bytes);
      for (const message of messagesOf()) {
        expect(message).toMatch(/gateway\.yaml(?::\d+:\d+)?(?: \S.*?)?: \S/);
        expect(message).not.toContain(CANARY);
      }
    }),
  );
});

function messagesOf(): string[] {
  try {
    const loading = loadConfig(file, places);
    if (!loading.ok) return loading.problems.map(({ message }) => message);
    const { servers } = loading.loaded.config;
    findPolicyProblems(servers);
    findResourceProblems(servers);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return [error.message];
    throw error;
  }
}
