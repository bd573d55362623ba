// The well-behaved half of every server in this folder: newline-delimited JSON-RPC on stdio, legacy era.
// A server passes its tools and overrides one thing to be faulty in exactly one way.
import { createInterface } from "node:readline";

/** A tool result with one text block. */
export const text = (value) => ({ content: [{ type: "text", text: value }] });

/**
 * Serves `tools` (`{name, description?, inputSchema?, call(args, request)}`). `methods` answers further methods or
 * replaces one of ours: each gets (params, request) and returns a result, throws `{code, message}`, or returns undefined
 * to stay silent. `encode` turns a message into its line; `onEnd` runs at the end of stdin. Returns `send`, which writes
 * a message that nobody asked for.
 */
export function serve({
  tools = [],
  methods = {},
  capabilities = { tools: {} },
  encode = JSON.stringify,
  onEnd = () => process.exit(0),
}) {
  const send = (message) =>
    process.stdout.write(`${encode(message)}
`);
  const answers = {
    initialize: (params) => ({
      protocolVersion: params.protocolVersion,
      capabilities,
      serverInfo: { name: "fixture", version: "1.0.0" },
    }),
    ping: () => ({}),
    "tools/list": () => ({
      tools: tools.map(({ call: _call, ...tool }) => ({
        inputSchema: { type: "object" },
        ...tool,
      })),
    }),
    "tools/call": (params, request) => {
      const tool = tools.find(({ name }) => name === params.name);
      if (!tool) throw { code: -32602, message: `Unknown tool: ${params.name}` };
      return tool.call(params.arguments ?? {}, request);
    },
    ...methods,
  };
  const lines = createInterface({ input: process.stdin });
  lines.on("line", async (line) => {
    if (line.trim() === "") return;
    const request = JSON.parse(line);
    if (request.id === undefined || request.method === undefined) return;
    const answer = answers[request.method];
    try {
      if (!answer) throw { code: -32601, message: `Method not found: ${request.method}` };
      const result = await answer(request.params ?? {}, request);
      if (result !== undefined) send({ jsonrpc: "2.0", id: request.id, result });
    } catch (error) {
      send({ jsonrpc: "2.0", id: request.id, error });
    }
  });
  lines.on("close", onEnd);
  return { send };
}
