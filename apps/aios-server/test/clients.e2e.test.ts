import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { builtBin, run, sampleAios } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { snapshotTree } from "./folder.ts";

const bin = builtBin("dotaios-mcp");
const TOOLS = ["read_working_context", "search_aios", "resolve_skill"];

/** One call of each tool, and what its answer must hold for the sample folder. */
const calls = [
  {
    call: { name: "read_working_context", arguments: { project: "tide", budget: 700 } },
    holds: { receipt: "Memory: This project", markdown: expect.stringContaining("Tidewater") },
  },
  {
    call: { name: "search_aios", arguments: { query: "chart datum", scope: "vault", limit: 1 } },
    holds: { complete: true, results: [{ source: "vault/wiki/chart-datum.md" }] },
  },
  {
    call: { name: "resolve_skill", arguments: { intent: "plan my day" } },
    holds: { matches: [{ resource: "skills/plan-today/SKILL.md" }] },
  },
] as const;

function answerOf(result: unknown) {
  const { content, ...rest } = result as { content: [{ text: string }] };
  expect(rest).not.toHaveProperty("structuredContent");
  return JSON.parse(content[0].text);
}

describe("real clients", () => {
  it("[S20] serves every tool to the SDK's v1 client", async () => {
    const before = snapshotTree(sampleAios);
    const client = new Client({ name: "test", version: "1.0.0" });
    const args = [bin, "--path", sampleAios];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, stderr: "pipe" }),
    );
    try {
      expect(client.getServerVersion()).toMatchObject({
        name: "dotaios-mcp",
        version: expect.any(String),
      });
      expect(client.getInstructions()).toMatch(/processed by the AI provider/);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(TOOLS);
      for (const tool of tools)
        expect(tool).toMatchObject({
          annotations: { readOnlyHint: true },
          inputSchema: { additionalProperties: false },
        });
      for (const { call, holds } of calls) {
        const answer = answerOf(await client.callTool(call));
        expect(answer).toMatchObject(holds);
        expect(answer.budget.used).toBeLessThanOrEqual(answer.budget.limit);
      }
      const refused = await client.callTool({ name: "resolve_skill", arguments: { intent: " " } });
      expect(refused).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/^ARGUMENT_RANGE: "intent" must be 1 to 500/) }],
      });
      await client.ping();
    } finally {
      await client.close();
    }
    expect(snapshotTree(sampleAios)).toEqual(before);
  });

  it("[S20] serves every tool to the SDK's v2 client in the modern era", async () => {
    const script = fileURLToPath(new URL("modern-client.mjs", import.meta.url));
    const given = JSON.stringify(calls.map(({ call }) => call));
    const { stdout, stderr } = await run(process.execPath, [script, bin, sampleAios, given]);
    expect(stderr).toBe("");
    const { version, tools, results } = JSON.parse(stdout);
    expect({ version, tools }).toEqual({ version: "2026-07-28", tools: TOOLS });
    for (const [at, { holds }] of calls.entries())
      expect(answerOf(results[at])).toMatchObject(holds);
  });
});
