// A server that knows only revision 2026-07-28. How it takes `initialize` is its first argument: refuse, end or silent.
import { createInterface } from "node:readline";

const [manner] = process.argv.slice(2);
const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const text = (value) => ({ resultType: "complete", content: [{ type: "text", text: value }] });
const names = ["envelope", "wait", "ask", "grow"];
const properties = { region: { type: "string", "x-mcp-header": "Region" } };
let subscription;

const manners = {
  refuse: (id) => send({ id, error: { code: -32022, message: "modern only", data: {} } }),
  end: () => process.exit(1),
  silent() {},
};
const tools = {
  envelope: ({ id, params }) => {
    const { progressToken } = params._meta;
    if (progressToken !== undefined)
      send({ method: "notifications/progress", params: { progressToken, progress: 1 } });
    send({ id, result: text(JSON.stringify(params._meta)) });
  },
  wait() {},
  ask({ id, params }) {
    const { inputResponses, requestState, arguments: args = {} } = params;
    if (args.method === undefined)
      send({ id, error: { code: -32021, message: "needs sampling", data: {} } });
    else if (inputResponses !== undefined)
      send({ id, result: text(JSON.stringify({ inputResponses, requestState })) });
    else {
      const inputRequests = { name: { method: args.method, params: { message: "Your name?" } } };
      send({ id, result: { resultType: "input_required", inputRequests, requestState: "asked" } });
    }
  },
  grow: ({ id }) => {
    names.push("grown");
    const _meta = { "io.modelcontextprotocol/subscriptionId": subscription };
    if (subscription !== undefined)
      send({ method: "notifications/tools/list_changed", params: { _meta } });
    send({ id, result: text("grown") });
  },
};
const methods = {
  "server/discover": () => ({
    supportedVersions: ["2026-07-28"],
    capabilities: { tools: { listChanged: true } },
  }),
  "tools/list": () => ({
    tools: names.map((name) => ({ name, inputSchema: { type: "object", properties } })),
    ttlMs: 60_000,
    cacheScope: "public",
  }),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  const { id, method, params } = message;
  if (method === "initialize") return manners[manner](id);
  if (method.startsWith("notifications/")) return;
  if (params?._meta?.["io.modelcontextprotocol/protocolVersion"] !== "2026-07-28")
    return send({ id, error: { code: -32602, message: "no envelope" } });
  if (method === "subscriptions/listen") subscription = id;
  else if (method === "tools/call") tools[params.name](message);
  else send({ id, result: { resultType: "complete", ...methods[method]() } });
});
