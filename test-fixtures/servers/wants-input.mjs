// Fault: a modern server whose tool `ask` wants input from a client that never said it could give any.
import { createInterface } from "node:readline";

const results = {
  "server/discover": { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } },
  "tools/list": { tools: [{ name: "ask", inputSchema: { type: "object" } }] },
  "tools/call": {
    resultType: "input_required",
    inputRequests: { name: { method: "elicitation/create", params: { message: "Your name?" } } },
  },
};
createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const error = { code: -32601, message: `Method not found: ${method}` };
    const answer = method in results ? { result: results[method] } : { error };
    console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
  })
  .on("close", () => process.exit(0));
