// Fault: the tool `steps` takes `count` times `ms` milliseconds, and reports progress after each; `calls` counts them all.
import { setTimeout as pause } from "node:timers/promises";
import { serve, text } from "./serve.mjs";

let calls = 0;
const { send } = serve({
  tools: [
    {
      name: "steps",
      description: "Work slowly",
      call: async ({ count, ms }, { params }) => {
        calls++;
        const { progressToken } = params._meta ?? {};
        for (let progress = 1; progress <= count; progress++) {
          await pause(ms);
          const method = "notifications/progress";
          send({ jsonrpc: "2.0", method, params: { progressToken, progress } });
        }
        return text("done");
      },
    },
    { name: "pid", description: "Tell the process id", call: () => text(String(process.pid)) },
    { name: "calls", description: "Count the calls", call: () => text(String(calls)) },
    {
      name: "leave",
      description: "End when nobody asks any more",
      call: () => {
        setTimeout(() => process.exit(4), 20);
        return text("leaving");
      },
    },
  ],
});
