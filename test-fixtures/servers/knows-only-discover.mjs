// Fault: a modern server that ends, with status 9, at the first method that it does not know, `initialize` included.
import { createInterface } from "node:readline";

const results = {
  "server/discover": { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } },
  "tools/list": {
    tools: [{ name: "pid", inputSchema: { type: "object" } }],
    resultType: "complete",
  },
  "tools/call": { content: [{ type: "text", text: String(process.pid) }], resultType: "complete" },
};
createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    if (!(method in results)) process.exit(9);
    console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] }));
  })
  .on("close", () => process.exit(0));
