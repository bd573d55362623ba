import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { builtBin, repository, run, sampleAios } from "test-fixtures";
import { describe, expect, it } from "vitest";

/** The Inspector's script, where it is installed: it needs a newer Node than this project does. */
function findInspector(): string | undefined {
  try {
    const { resolve } = createRequire(join(repository, "test-fixtures", "package.json"));
    const manifest = resolve("@modelcontextprotocol/inspector/package.json");
    const { bin } = createRequire(manifest)(manifest) as { bin: Record<string, string> };
    return join(dirname(manifest), bin["mcp-inspector"]!);
  } catch {
    // Not installed is no fault: the test then says why it is skipped.
    return undefined;
  }
}

const inspector = findInspector();

/** What the Inspector's command line prints for one request to the built server. */
async function inspect(...request: string[]) {
  const server = [process.execPath, builtBin("dotaios-mcp"), "--path", sampleAios];
  const { stdout, stderr, status } = await run(process.execPath, [
    ...[inspector!, "--cli", ...server, ...request],
  ]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return JSON.parse(stdout);
}

describe.skipIf(inspector === undefined)("the Inspector, which needs Node 22.19", () => {
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
