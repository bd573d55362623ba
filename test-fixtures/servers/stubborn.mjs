// Fault: ignores the end of its input and SIGTERM; only SIGKILL ends it. `pid` tells its process id.
import { serve, text } from "./serve.mjs";

process.on("SIGTERM", () => {});
setInterval(() => {}, 1000);
serve({
  tools: [
    { name: "pid", description: "Tell the process id", call: () => text(String(process.pid)) },
  ],
  onEnd: () => {},
});
