// The raw stdio server behind the floor, the gateway and its peers: no SDK, as little as a server can do. `large` answers
// with the bytes of the file that BENCH_FILE names.
import { readFileSync } from "node:fs";

const large = process.env.BENCH_FILE && readFileSync(process.env.BENCH_FILE);
const tools = ["echo", "large"].map((name) => ({ name, inputSchema: { type: "object" } }));
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "echo", version: "1" },
  }),
  "tools/list": () => ({ tools }),
  "tools/call": ({ arguments: { text } }) => ({ content: [{ type: "text", text }] }),
};

let rest = "";
process.stdin.setEncoding("utf8").on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  for (const line of lines) answer(JSON.parse(line));
});

function answer({ id, method, params }) {
  if (id === undefined) return;
  if (params?.name === "large") {
    process.stdout.write(
      `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`,
    );
    process.stdout.write(large);
    process.stdout.write('"}]}}\n');
    return;
  }
  const result = results[method]?.(params) ?? {};
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
}
