// Fault: its answers are not quite JSON-RPC. The requested method says how.
import { createInterface } from "node:readline";

const ANSWERS = {
  extra: (id) => ({ jsonrpc: "2.0", id, result: { ok: true }, took: 12 }),
  both: (id) => ({ jsonrpc: "2.0", id, result: { ok: true }, error: null }),
  unversioned: (id) => ({ id, result: { ok: true } }),
  fractional: (id) => ({ jsonrpc: "2.0", id, error: { code: 1.5, message: "odd" } }),
  list: (id) => ({ jsonrpc: "2.0", id, result: [1] }),
  empty: (id) => ({ jsonrpc: "2.0", id }),
  batch: (id) => [{ jsonrpc: "2.0", id, result: { ok: true } }],
  request: (id) => ({ jsonrpc: "2.0", id, method: "roots/list", params: [] }),
  deep: (id) =>
    `${"[".repeat(50_000)}${"]".repeat(50_000)}\n{"jsonrpc":"2.0","id":${id},"result":{"ok":true}}`,
  nobody: () => ({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") {
    const { protocolVersion } = params;
    const serverInfo = { name: "odd", version: "1" };
    const result = { protocolVersion, capabilities: {}, serverInfo };
    console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
  } else if (method in ANSWERS) {
    const answer = ANSWERS[method](id);
    console.log(typeof answer === "string" ? answer : JSON.stringify(answer));
  } else if (method === undefined) {
    console.log(
      JSON.stringify({ jsonrpc: "2.0", id, result: { refused: JSON.parse(line).error.code } }),
    );
  }
}
