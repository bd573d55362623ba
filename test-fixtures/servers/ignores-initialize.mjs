// Fault: a modern server that answers nothing to a method that it does not know, `initialize` included.
import { createInterface } from "node:readline";

const results = {
  "server/discover": { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } },
  "tools/list": { tools: [{ name: "one", inputSchema: { type: "object" } }] },
};
createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { id, method } = JSON.parse(line);
    if (!(method in results)) return;
    console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] }));
  })
  .on("close", () => process.exit(0));
