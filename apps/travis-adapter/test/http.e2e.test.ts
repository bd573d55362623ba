import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createTempFolder } from "test-fixtures";
import { expect, it } from "vitest";
import { loadLibrary } from "./library.ts";

const { createAdapter } = await loadLibrary();

import { startHttpServer } from "./http-server.ts";

it("x", async () => {
  await using http = await startHttpServer();
  await using f = createTempFolder();
  const file = join(f.path, ".config/mcp/mcp.json");
  await mkdir(dirname(file), { recursive: true });
  await writeFile(
    file,
    JSON.stringify({
      mcpServers: { web: { url: http.url, headers: { Authorization: "Bearer $env:T" } } },
    }),
  );
  {
    await using a = await createAdapter({ cwd: f.path, home: f.path, env: { T: "tok-123456" } });
    console.log(JSON.stringify(await a.execute({ server: "web" })));
    console.log(
      JSON.stringify(await a.execute({ server: "web", tool: "echo", args: { a: "tok-123456" } })),
    );
    http.forgetSessions();
    console.log(JSON.stringify(await a.execute({ server: "web", tool: "echo", args: { a: 2 } })));
    console.log(JSON.stringify(await a.execute({ server: "web", tool: "echo", args: { a: 3 } })));
    console.log(
      JSON.stringify(
        await a.execute({ server: "web", tool: "wait" }, { signal: AbortSignal.timeout(300) }),
      ),
    );
    console.log(JSON.stringify(await a.execute({})));
  }
  console.log(
    http.requests.map((r) => `${r.method} ${r.rpc ?? ""} ${r.headers.authorization}`).join("\n"),
  );
  expect(1).toBe(1);
});
