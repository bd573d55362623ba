import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { CANARY, createTempFolder, damaged, mutated } from "test-fixtures";
import { afterAll, expect, it } from "vitest";
import { loadConfiguration } from "./load.ts";

const folder = createTempFolder();
afterAll(() => folder[Symbol.asyncDispose]());
const file = join(folder.path, ".config/mcp/mcp.json");
mkdirSync(dirname(file), { recursive: true });

const whole = {
  mcpServers: {
    files: {
      command: "/bin/true",
      args: ["--stdio"],
      cwd: "/tmp",
      env: { LOG_LEVEL: "info", API_TOKEN: CANARY, OTHER_TOKEN: "$env:TOKEN" },
      lifecycle: "lazy",
      requestTimeoutMs: 1000,
      reconnect: { automatic: true, maxAttempts: 3, baseDelayMs: 100 },
    },
    web: {
      url: "https://example.com/mcp",
      headers: { Authorization: `Bearer ${CANARY}`, "X-A": "b" },
    },
  },
};
const written = mutated(whole).map((value) => JSON.stringify(value) ?? "");
const text = fc.oneof(
  { weight: 3, arbitrary: written.map((json) => Buffer.from(json)) },
  { weight: 2, arbitrary: damaged(written) },
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
);

it("[A5] [A6] [P3] any file gives entries and problems by place, field and reason without a secret, and throws nothing", () => {
  const options = { home: folder.path, cwd: folder.path, trustProject: false };
  fc.assert(
    fc.property(text, (bytes) => {
      writeFileSync(file, bytes);
      const { entries, faults } = loadConfiguration(options);
      const values = [...entries.values()].map(({ value }) => value);
      const problems = values.flatMap((value) => ("problems" in value ? value.problems : []));
      for (const { message } of [...faults, ...problems]) {
        expect(message).toMatch(/mcp\.json(?::\d+:\d+)?(?: \S.*?)?: \S/);
        expect(message).not.toContain(CANARY);
      }
      // The literal secrets of the whole file are refused wherever they are still there.
      for (const value of values)
        expect(JSON.stringify(value)).not.toContain(`"API_TOKEN":${JSON.stringify(CANARY)}`);
    }),
  );
});
