// A well-behaved legacy server by hand: initialize, tools/list, and tools/call that echoes its arguments.
import { createInterface } from "node:readline";

const answer = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  if (method === "initialize") {
    answer(id, {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "echo", version: "1" },
    });
  } else if (method === "tools/call") {
    answer(id, { content: [{ type: "text", text: JSON.stringify(params.arguments) }] });
  } else {
    answer(id, { tools: [{ name: "echo", inputSchema: { type: "object" } }] });
  }
}
