import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTempFolder, installInspector, run } from "test-fixtures";
import { expect, it } from "vitest";
import { fixture, startGateway, textOf } from "./gateway-process.ts";

const TOKEN = "a-token-of-some-length";

it("[G3] [G5] [P2] the Inspector's command line lists and calls with the token, over Streamable HTTP and SSE, and not without", async () => {
  const inspector = await installInspector();
  await using folder = createTempFolder();
  const tokenFile = join(folder.path, "token");
  writeFileSync(tokenFile, TOKEN, { mode: 0o600 });
  await using gateway = await startGateway({
    server: { auth_token_file: tokenFile },
    mcp_servers: { echo: fixture("echo", ["echo"]) },
  });
  for (const [path, transport] of [
    ["/mcp", "http"],
    ["/sse", "sse"],
  ] as const) {
    const { href } = new URL(`${path}?cwd=${encodeURIComponent(folder.path)}`, gateway.url);
    const inspect = (header: string, ...request: string[]) =>
      run(process.execPath, [
        ...[inspector, "--cli", href, "--transport", transport],
        ...["--header", header, ...request],
      ]);
    const bearer = `Authorization: Bearer ${TOKEN}`;
    const listed = await inspect(bearer, "--method", "tools/list");
    expect([listed.status, JSON.parse(listed.stdout)]).toMatchObject([
      0,
      { tools: [{ name: "echo" }] },
    ]);
    const call = ["--method", "tools/call", "--tool-name", "echo", "--tool-arg", "text=hello"];
    const called = await inspect(bearer, ...call);
    expect([called.status, textOf(JSON.parse(called.stdout))]).toEqual([0, "hello"]);
    const refused = await inspect("Authorization: Bearer wrong", "--method", "tools/list");
    expect(refused.status).not.toBe(0);
  }
}, 120_000);
