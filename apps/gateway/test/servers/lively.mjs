// A server that talks on its own: progress before an answer, its list changed by a call, a request to its client.
// What becomes of a call of `wait` is written to the file of its first argument.
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const note = (line) => appendFileSync(process.argv[2], `${line}\n`);
const text = (value) => ({ content: [{ type: "text", text: value }] });
const names = ["steps", "wait", "grow", "ask", "echo_id"];
const asked = new Map();

const tools = {
  steps: ({ id, params }) => {
    const { progressToken } = params._meta ?? {};
    for (let progress = 1; progress <= 3; progress++)
      send({ method: "notifications/progress", params: { progressToken, progress, x_kept: 1 } });
    send({ id, result: text(`token ${typeof progressToken}`) });
  },
  wait: () => note("waiting"),
  grow: ({ id }) => {
    names.push("grown");
    send({ method: "notifications/tools/list_changed" });
    send({ id, result: text("grown") });
  },
  ask: ({ id }) => {
    asked.set("question", id);
    send({ id: "question", method: "sampling/createMessage", params: {} });
  },
  echo_id: ({ id, params }) =>
    setTimeout(() => send({ id, result: text(params.arguments.mark) }), params.arguments.ms),
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  const { id, method, params } = message;
  if (method === "initialize")
    send({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: "lively", version: "1" },
      },
    });
  else if (method === "tools/list")
    send({
      id,
      result: { tools: names.map((name) => ({ name, inputSchema: { type: "object" } })) },
    });
  else if (method === "tools/call") tools[params.name](message);
  else if (method === "notifications/cancelled") note(`cancelled a ${typeof params.requestId}`);
  else if (method === undefined) send({ id: asked.get(id), result: text(message.error?.message) });
});
