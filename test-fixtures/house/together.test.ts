import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  builtBin,
  CANARY,
  createTempFolder,
  findCanary,
  run,
  sampleAios,
  startProcess,
} from "../src/index.ts";

const TOKEN = "a".repeat(43);

/** A gateway in front of the notes server, and an adapter's home that knows the gateway. */
async function layOut(place: string) {
  const config = join(place, "gateway.yaml");
  writeFileSync(join(place, "token"), `${TOKEN}\n`, { mode: 0o600 });
  writeFileSync(join(place, "notes.env"), `SERVICE_TOKEN=${CANARY}\n`, { mode: 0o600 });
  writeFileSync(
    config,
    `server: {listen: "127.0.0.1:0", auth_token_file: ${join(place, "token")}}
mcp_servers:
  notes:
    command: ${process.execPath}
    args: [${builtBin("dotaios-mcp")}, --path, ${sampleAios}]
    env_files: [${join(place, "notes.env")}]
    allow: [{tool: read_working_context}, {tool: search_aios}, {tool: resolve_skill}]
`,
  );
  const env = { PATH: process.env.PATH, HOME: place, GATEWAY_TOKEN: TOKEN };
  const gateway = startProcess(
    process.execPath,
    [builtBin("wraptool"), "serve", "--config", config],
    { env },
  );
  const [, url = ""] = await gateway.waitFor(/listening on (http:\S+)/, "stderr");
  const headers = { Authorization: "Bearer $env:GATEWAY_TOKEN" };
  writeFileSync(
    join(place, ".mcp.json"),
    JSON.stringify({ mcpServers: { gateway: { url, headers } } }),
  );
  const ask = async (request: object) => {
    const args = [builtBin("travis234-mcp-adapter"), "call", JSON.stringify(request), "--json"];
    const options = ["--home", place, "--cwd", place, "--trust-project"];
    const ran = await run(process.execPath, [...args, ...options], { env });
    return { ...ran, answer: JSON.parse(ran.stdout) };
  };
  return { gateway, ask };
}

describe("the three programs together", () => {
  it("[P2] [S20] use every tool of the notes server through gateway and adapter", async () => {
    await using place = createTempFolder();
    const { gateway, ask } = await layOut(place.path);
    await using _gateway = gateway;

    const calls = [
      ["read_working_context", { budget: 300 }, /Memory: Shared/],
      ["search_aios", { query: "chart datum", limit: 1 }, /"complete": ?true/],
      ["resolve_skill", { intent: "plan my day" }, /plan-today/],
    ] as const;
    for (const [tool, args, holds] of calls) {
      const { answer, status } = await ask({ server: "gateway", tool, args });
      expect({ tool, status, isError: answer.isError }).toEqual({
        tool,
        status: 0,
        isError: false,
      });
      expect(answer.content[0].text).toMatch(holds);
    }
  });

  it("[P3] show no secret of the token, the env file or the reference anywhere", async () => {
    await using place = createTempFolder();
    const { gateway, ask } = await layOut(place.path);
    await using _gateway = gateway;

    const outputs = [];
    for (const request of [
      {},
      { server: "gateway" },
      { server: "gateway", tool: "search_aios", args: { query: CANARY } },
      { server: "gateway", tool: "read_working_context", args: { budget: "many" } },
      { server: "gateway", tool: "nothing" },
      { server: "elsewhere" },
    ]) {
      const { stdout, stderr } = await ask(request);
      outputs.push(stdout, stderr);
    }
    gateway.child.kill("SIGTERM");
    expect(await gateway.exited).toEqual({ status: 0, signal: null });
    const { stdout, stderr } = gateway.printed();
    const all = [...outputs, stdout, stderr].join("\n");
    expect(all).not.toContain(TOKEN);
    expect(findCanary(all)).toEqual([]);
  });

  it("[A34] [G5] [W9] say in one line that the token is wrong, and exit with status 1", async () => {
    await using place = createTempFolder();
    const { gateway } = await layOut(place.path);
    await using _gateway = gateway;
    const request = JSON.stringify({ server: "gateway" });
    const args = [builtBin("travis234-mcp-adapter"), "call", request, "--trust-project"];
    const wrong = await run(
      process.execPath,
      [...args, "--home", place.path, "--cwd", place.path],
      {
        env: { PATH: process.env.PATH, GATEWAY_TOKEN: "not-the-token-of-the-gateway" },
      },
    );
    expect(wrong.status).toBe(1);
    expect(wrong.stdout).toMatch(/401/);
    expect(wrong.stdout).not.toContain("not-the-token");
  });
});
