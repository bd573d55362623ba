// Faultless: `wait` never answers, `heard` tells the ids of those calls by their labels, and of which of them it was told
// that they are cancelled. `pid` tells the process id.
import { createInterface } from "node:readline";
import { serve, text } from "../../../../test-fixtures/servers/serve.mjs";

const waiting = {};
const cancelled = [];
createInterface({ input: process.stdin }).on("line", (line) => {
  const { method, params } = JSON.parse(line);
  if (method === "notifications/cancelled") cancelled.push(params.requestId);
});
serve({
  tools: [
    { name: "heard", call: () => text(JSON.stringify({ waiting, cancelled })) },
    {
      name: "wait",
      call: ({ label }, { id }) => {
        waiting[label] = id;
      },
    },
    { name: "pid", call: () => text(String(process.pid)) },
  ],
});
