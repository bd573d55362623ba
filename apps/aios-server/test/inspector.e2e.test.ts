import { builtBin, installInspector, run, sampleAios } from "test-fixtures";
import { beforeAll, describe, expect, it } from "vitest";

let inspector = "";
beforeAll(async () => {
  inspector = await installInspector();
}, 120_000);

/** What the Inspector's command line prints for one request to the built server. */
async function inspect(...request: string[]) {
  const server = [process.execPath, builtBin("dotaios-mcp"), "--path", sampleAios];
  const { stdout, stderr, status } = await run(process.execPath, [
    ...[inspector, "--cli", ...server, ...request],
  ]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return JSON.parse(stdout);
}

describe("the Inspector", () => {
  it("lists the three tools", async () => {
    const { tools } = await inspect("--method", "tools/list");
    expect(tools.map(({ name }: { name: string }) => name)).toEqual([
      ...["read_working_context", "search_aios", "resolve_skill"],
    ]);
  });

  it.each([
    ["read_working_context", ["budget=300"], { budget: { limit: 300 } }],
    ["search_aios", ["query=chart datum", "limit=1"], { query: "chart datum", complete: true }],
    ["resolve_skill", ["intent=plan my day"], { matches: [{ name: "plan-today" }] }],
  ])("calls %s", async (name, given, holds) => {
    const call = ["--method", "tools/call", "--tool-name", name, "--tool-arg", ...given];
    const { isError, content } = await inspect(...call);
    expect(isError).toBe(false);
    expect(JSON.parse(content[0].text)).toMatchObject(holds);
  });
});
