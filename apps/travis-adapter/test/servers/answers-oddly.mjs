// Ends, with status 9, at the first method that it does not know. `refuse` answers with a JSON-RPC error and `number` with a
// result that MCP does not know; `pid` tells the process id.
import { createInterface } from "node:readline";
import { serve, text } from "../../../../test-fixtures/servers/serve.mjs";

const KNOWN = ["initialize", "notifications/initialized", "tools/list", "tools/call"];
createInterface({ input: process.stdin }).on("line", (line) => {
  if (!KNOWN.includes(JSON.parse(line).method)) process.exit(9);
});
serve({
  tools: [
    {
      name: "refuse",
      call: () => {
        throw { code: -32_602, message: "no such page" };
      },
    },
    { name: "number", call: () => 5 },
    { name: "pid", call: () => text(String(process.pid)) },
  ],
});
