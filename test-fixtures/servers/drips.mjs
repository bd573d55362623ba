// Fault: sends its answers a byte at a time. `drip` returns a text of `bytes` characters, each `ms` after the one before.
import { setTimeout as pause } from "node:timers/promises";
import { serve, text } from "./serve.mjs";

serve({
  tools: [
    {
      name: "drip",
      description: "Return a text slowly",
      inputSchema: {
        type: "object",
        properties: { bytes: { type: "integer" }, ms: { type: "integer" } },
      },
      call: async ({ bytes, ms }, { id }) => {
        const line = `${JSON.stringify({ jsonrpc: "2.0", id, result: text("x".repeat(bytes)) })}\n`;
        for (const byte of line) {
          process.stdout.write(byte);
          await pause(ms);
        }
        return undefined; // it has been sent
      },
    },
  ],
});
