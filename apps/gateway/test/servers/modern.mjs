// A server that knows only revision 2026-07-28. How it takes `initialize` is its first argument: refuse, end or silent.
import { createInterface } from "node:readline";

const [manner] = process.argv.slice(2);
const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
/** Asks for what the arguments say, until every answer is there. */
const ask = ({ id, params }) => {
  const { methods = [], state = "state", again = false } = params.arguments ?? {};
  const given = params.inputResponses ?? {};
  const missing = methods.filter((method) => again || given[method] === undefined);
  const asking = again || missing.length > 0 || params.requestState === undefined;
  const inputRequests = Object.fromEntries(
    missing.map((method) => [method, { method, params: { message: process.env.CANARY ?? "?" } }]),
  );
  const { inputResponses, requestState, _meta } = params;
  send({
    id,
    result: asking
      ? { resultType: "input_required", inputRequests, requestState: state, x_kept: [1e3] }
      : text(JSON.stringify({ inputResponses, requestState, _meta })),
  });
};
const text = (value) => ({ resultType: "complete", content: [{ type: "text", text: value }] });
const names = ["envelope", "wait", "ask", "log", "grow"];
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
  ask,
  needs: ({ id }) => send({ id, error: { code: -32021, message: "needs sampling", data: {} } }),
  log: ({ id, params }) => {
    const level = params._meta["io.modelcontextprotocol/logLevel"];
    if (level !== undefined)
      send({ method: "notifications/message", params: { level: "error", data: level } });
    send({ id, result: text(String(level)) });
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
